/* SPDX-License-Identifier: BSD-3-Clause
 * Applications as points of a roofline: which of a result's points belong to the roofs that are drawn, where they
 * stand, their verdicts in short, the lines that join a series, and the notes about them. */
#ifndef CARM_CHART_CHART_POINTS_H
#define CARM_CHART_CHART_POINTS_H

#include "chart_roofs.h"

enum {
    POINTS_MAX = 512,       /* points of a page to look into (options.page) */
    POINTS_MAX_DRAWN = 256, /* points of a picture */
    POINTS_MAX_ALONE = 64,  /* points that belong to no series, each of which needs a label of its own */
    POINTS_MAX_NOTES = 12,
    POINTS_LABEL_BYTES = 144,
    POINTS_DETAIL_BYTES = 1408,
    /* From points to their outlines, along series, between equal sizes, and two from each point to its roof. */
    POINTS_MAX_LINES = 5 * POINTS_MAX,
    POINTS_MAX_CORNERS = 8 * POINTS_MAX, /* vertices of all lines together */
};

/* The notes above a roofline about its points; each is one line about several points. */
struct notes {
    size_t count;                                  /* notes that are set */
    const char *list[POINTS_MAX_NOTES];            /* the notes, as pointers into `text` */
    char text[POINTS_MAX_NOTES][CHART_NOTE_BYTES]; /* holds them */
};

/* The points of one roofline, with all that they borrow. */
struct points {
    size_t count, outline_count, ghost_count, line_count,
        corner_count;                         /* entries used of points, outlines, ghosts, lines, corner_x and _y */
    struct plot_point points[POINTS_MAX];     /* x in flop/byte, y in flop/s, or in flop/cycle */
    struct plot_point outlines[POINTS_MAX];   /* hollow markers at the flop per DRAM byte, where asked for */
    struct plot_point ghosts[POINTS_MAX];     /* where their roofs would allow them */
    struct plot_line lines[POINTS_MAX_LINES]; /* their vertices are in corner_x and corner_y */
    const char *traffic_source; /* how the drawn DRAM bytes are known: "simulated"; NULL: none are drawn */
    bool clocks_assumed;        /* some rates per cycle go by the clock of a roof, since the point's own is not known */
    struct notes notes;
    double corner_x[POINTS_MAX_CORNERS], corner_y[POINTS_MAX_CORNERS];
    char labels[POINTS_MAX][POINTS_LABEL_BYTES], sublabels[POINTS_MAX][104], legends[POINTS_MAX][POINTS_LABEL_BYTES];
    char savings[POINTS_MAX][72];                  /* the time that each ghost would save */
    char details[POINTS_MAX][POINTS_DETAIL_BYTES]; /* for hovering: the verdict in words and the command line */
    char outline_legend[96];                       /* the row of all outlines in the legend */
};

/* Sets `out` to the view that a roofline of the points that `has` what it draws should show: that of the point that was
 * measured last; of points measured at the same time, of the one with the most threads, then of the one with the
 * largest share of its program's time. False when the options choose no such point. */
bool points_view(const struct model *model, const struct chart_options *options,
                 bool (*has)(const struct app_point *point), struct model_view *out);

/* Whether it has an intensity, by the bytes that the core asks for or by those of DRAM. */
bool points_has_intensity(const struct app_point *point);

/* Whether the options choose the point, by its own name or by that of its program or series. */
bool points_chosen(const struct app_point *point, const struct chart_options *options);

/* Fills `out` with the points, lines and notes for roofs that roofs_find() has found, and widens the roofs' axes so
 * that they hold the points. */
void points_find(struct roofs *roofs, const struct chart_options *options, struct points *out);

/* Begins a line that looks like `look` and has no vertices yet. */
void points_line(struct points *out, const struct plot_line *look);

/* Adds a vertex, in the units of the axes, to the line that was begun last. */
void points_corner(struct points *out, double x, double y);

#endif
