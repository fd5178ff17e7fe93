/* SPDX-License-Identifier: BSD-3-Clause
 * How a picture is to look, by the command line: style, size, title, notes, font. */
#ifndef CARM_PICTURE_OPTIONS_H
#define CARM_PICTURE_OPTIONS_H

#include "cli.h"

#include "carm/chart/chart_parts.h"
#include "render/page/style.h"

/* The rows of a command's options that picture_options_read() reads, but for --width. */
#define CHOICE_PICTURE                                                                                                 \
    {"size", 0, "WxH", "of pictures, in points (960x640), or with units: 12cmx8cm (default: the style's)"},            \
        {"style", 0, "STYLE",                                                                                          \
         "of pictures: {} (default: screen); paper is a column (8.5cm, type of 7 points), slide 16:9"},                \
        {"title", 0, "TEXT", "of pictures, in place of the chart's own; '': none"},                                    \
        {"font", 0, "NAME", "of pictures, the family of the type: 'Liberation Serif' (default: DejaVu Sans)"}, {       \
        "notes", 0, "NOTES", "of pictures, the doubts above the chart: {} (default: all)"                              \
    }
/* --width of commands that print tables, too: a number alone is columns, which terminal_find() reads. */
#define CHOICE_WIDTHS                                                                                                  \
    {                                                                                                                  \
        "width", 0, "N|LENGTH",                                                                                        \
            "of the text, in columns (default: the terminal's, at least 60); with a unit, of pictures: 8.5cm, 85mm, "  \
            "3.3in"                                                                                                    \
    }
#define PICTURE_WIDTH "of pictures, with its unit: 8.5cm, 85mm, 3.3in, 240pt, 1200px; the height follows"

/* Fills in `style`, and what `out` has of looks; `style` has to live as long as `out`. */
bool picture_options_read(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                          struct error *err);

/* Error: one of these options was given where there is no such picture; `why` says so: "--term draws letters". */
bool picture_options_refuse(const struct arguments *arguments, const char *why, struct error *err);

/* The same, of a command that draws what --plot names: without it there is no picture for them. */
bool picture_options_of_plot(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                             struct error *err);

/* Whether a text is a length with its unit, such as "8.5cm". */
bool picture_has_unit(const char *text);

/* A length such as "8.5cm" in points: a number above 0 with cm, mm, in, pt or px, of which 96 make an inch. `end` gets
 * what follows it; `bare` allows a number alone, which is points. False: it is none. */
bool picture_length(const char *text, bool bare, const char **end, double *points, bool *pixels);

#endif
