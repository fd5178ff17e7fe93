/* SPDX-License-Identifier: BSD-3-Clause
 * Applications as points of a roofline: which points of a result belong to the drawn roofs, their places, short
 * verdicts, the lines that join a series, and the notes about them. */
#pragma once

#include "chart_roofs.h"

enum {
    POINTS_MAX = 512,       /* points of an interactive page (options.page) */
    POINTS_MAX_DRAWN = 256, /* points of a picture */
    POINTS_MAX_ALONE = 64,  /* points without a series, each of which needs its own label */
    POINTS_MAX_NOTES = 12,
    POINTS_LABEL_BYTES = 144,
    POINTS_DETAIL_BYTES = 1408,
    /* Lines to outlines, along series, between equal sizes, and two from each point to its roof. */
    POINTS_MAX_LINES = 5 * POINTS_MAX,
    POINTS_MAX_CORNERS = 8 * POINTS_MAX, /* vertices of all lines together */
};

/* The notes above a roofline about its points; each is one line about several points. */
struct notes {
    size_t count;                                  /* number of notes */
    const char *list[POINTS_MAX_NOTES];            /* the notes, as pointers into `text` */
    char text[POINTS_MAX_NOTES][CHART_NOTE_BYTES]; /* their storage */
};

/* The points of one roofline, with all that they borrow. */
struct points {
    size_t count, outline_count, ghost_count, line_count,
        corner_count;                       /* entries used of points, outlines, ghosts, lines, corner_x and corner_y */
    struct plot_point points[POINTS_MAX];   /* x in flop/byte, y in flop/s, or in flop/cycle */
    struct plot_point outlines[POINTS_MAX]; /* hollow markers at the flop per DRAM byte, if requested */
    struct plot_point ghosts[POINTS_MAX];   /* markers where the points' roofs would allow them */
    struct plot_line lines[POINTS_MAX_LINES]; /* their vertices are in corner_x and corner_y */
    const char *traffic_source;               /* source of the drawn DRAM bytes: "simulated"; NULL: none are drawn */
    bool clocks_assumed; /* some rates per cycle use the clock of a roof, since the point's clock is unknown */
    struct notes notes;
    double corner_x[POINTS_MAX_CORNERS], corner_y[POINTS_MAX_CORNERS];
    char labels[POINTS_MAX][POINTS_LABEL_BYTES], sublabels[POINTS_MAX][104], legends[POINTS_MAX][POINTS_LABEL_BYTES];
    char savings[POINTS_MAX][72];                  /* the time that each ghost would save */
    char details[POINTS_MAX][POINTS_DETAIL_BYTES]; /* text for hovering: the verdict in words and the command line */
    char outline_legend[96];                       /* the outlines' row in the legend */
};

/* Sets `out` to the default view of a roofline with these points: that of the point measured last; of equally old
 * points, of that with the most threads, then of that with the largest share of its program's time. Ignores points
 * for which `has` is false. False: the options choose no such point. */
bool points_view(const struct model *model, const struct chart_options *options,
                 bool (*has)(const struct app_point *point), struct model_view *out);

/* Whether the point has an intensity, by bytes requested by the core or by DRAM bytes. */
bool points_has_intensity(const struct app_point *point);

/* Whether the options choose the point, by its own name, its program's or its series'. */
bool points_chosen(const struct app_point *point, const struct chart_options *options);

/* Fills `out` with the points, lines and notes for roofs that roofs_find() has found. Widens the roofs' axes so that
 * they hold the points. */
void points_find(struct roofs *roofs, const struct chart_options *options, struct points *out);

/* Begins a line that looks like `look` and has no vertices yet. */
void points_line(struct points *out, const struct plot_line *look);

/* Adds a vertex, in the units of the axes, to the line begun last. */
void points_corner(struct points *out, double x, double y);
