/* SPDX-License-Identifier: BSD-3-Clause
 * The picture of several rooflines over each other while it is made: chart_compare.c draws the roofs,
 * chart_compare.c the applications. */
#ifndef CARM_CHART_OVERLAY_H
#define CARM_CHART_OVERLAY_H

#include "chart_compare.h"

enum {
    OVERLAY_SIDES = COMPARE_COLUMNS,
    OVERLAY_LEVELS = 8,
    OVERLAY_POINTS = 64, /* applications of each side */
    OVERLAY_LINES = OVERLAY_SIDES * (OVERLAY_LEVELS + 1) + OVERLAY_LEVELS + OVERLAY_SIDES * OVERLAY_POINTS,
    OVERLAY_NOTES = 4,
    OVERLAY_LABEL_BYTES = 160,
};

/* Rates are per second or per cycle, of all cores or of one, as view.per says. */
struct overlay {
    const struct comparison *comparison; /* borrowed */
    struct picture_view view;
    unsigned cores;                               /* the headlines of so many cores are drawn (roof_key.cores) */
    const struct compare_row *top;                /* the headline of the highest ceilings; NULL: there is none */
    double peaks[OVERLAY_SIDES];                  /* each side's highest ceiling, in flop; NaN: it has none */
    size_t level_count;                           /* levels that are drawn */
    const char *levels[OVERLAY_LEVELS];           /* their names: "L1" */
    double slopes[OVERLAY_LEVELS][OVERLAY_SIDES]; /* each level's best bandwidth on each side, in bytes; NaN: none */

    struct plot_axis x, y;                                    /* flop/byte, and flop by time or cycle */
    size_t line_count, point_count, note_count;               /* entries used of lines, points and notes */
    struct plot_line lines[OVERLAY_LINES];                    /* roofs, ceilings, and arrows between applications */
    struct plot_point points[OVERLAY_SIDES * OVERLAY_POINTS]; /* the applications of all sides */
    const char *notes[OVERLAY_NOTES];

    /* What lines, points, notes and axes borrow. */
    double line_x[OVERLAY_LINES][2], line_y[OVERLAY_LINES][2];
    char labels[OVERLAY_LINES][OVERLAY_LABEL_BYTES], sublabels[OVERLAY_LINES][OVERLAY_LABEL_BYTES];
    char point_sublabels[OVERLAY_SIDES * OVERLAY_POINTS][48], note_text[OVERLAY_NOTES][320];
    char title[256], subtitle[256], x_title[80], y_title[64];
    size_t lost_points; /* applications that are not drawn: of other threads, without flop or bytes, far off */
};

/* Adds a line from (x1, y1) to (x2, y2), in the units of the axes and the colour of the side, and returns it. Its label
 * and sublabel go into the entries of labels and sublabels that have its index. */
struct plot_line *overlay_line(struct overlay *overlay, size_t side, double x1, double y1, double x2, double y2);

/* Adds the applications of all sides as points, and an arrow from each point of the base to the same application on
 * every other side; widens the axes so that they hold the points. */
void overlay_add_points(struct overlay *overlay);

#endif
