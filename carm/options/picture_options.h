/* SPDX-License-Identifier: BSD-3-Clause
 * Options for the look of a picture: style, size, title. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cli.h"

#include "carm/chart/chart_parts.h"
#include "render/page/style.h"

/* clang-format off */
/* The options that picture_options_read() reads. */
#define CHOICE_SIZE {"size", 0, "SIZE", "8.5cm, 3.3in, 240pt or 1200px wide, or both: 12cmx8cm; or a column of " \
                     "LaTeX: ieee, acm-page, …"}
#define CHOICE_PICTURE CHOICE_SIZE, {"style", 0, "STYLE,…", "{}, font=NAME (docs/pictures.md)"}, \
                       {"title", 0, "TEXT", "title of the picture; '': none"}
/* Limits of axes, for pictures and for charts in terminals. */
#define CHOICE_LIMITS {"xlim", 0, "LOW:HIGH", "limits of the x axis: 1/8:16, 2KiB:1MiB, 4:"}, \
                      {"ylim", 0, "LOW:HIGH", "limits of the y axis: 10:, 1G:1T"}
/* clang-format on */

/* Fills in `style` and the look in `out`. `style` must live as long as `out`. */
bool picture_options_read(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                          struct error *err);

/* Reads the limits of axes into `out`. Error: another form; or one was given, though `refused` says why not. */
bool picture_limits_read(const struct arguments *arguments, const char *refused, struct chart_options *out,
                         struct error *err);

/* Error: one of these options was given and there is no picture. `why` ends the message: "without -o
 * characters draw it". */
bool picture_options_refuse(const struct arguments *arguments, const char *why, struct error *err);

/* The same for a command with --plot: without --plot there is no picture. */
bool picture_options_of_plot(const struct arguments *arguments, struct plot_style *style, struct chart_options *out,
                             struct error *err);

/* Reads a length such as "8.5cm" in points: a number above 0 with cm, mm, in, pt or px (96 per inch). `end` is set to
 * the rest. `bare` also allows a number without a unit, in points. False: no length. */
bool picture_length(const char *text, bool bare, const char **end, double *points, bool *pixels);

/* Widths of columns and pages in classes of LaTeX, by name. */

/* "ieee", …; NULL at the end. */
const char *column_width_name(size_t index);

/* The width in points of PDF, 72 to an inch. False: no such name. */
bool column_width_find(const char *name, double *points);
