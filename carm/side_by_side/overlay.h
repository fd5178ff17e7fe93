/* SPDX-License-Identifier: BSD-3-Clause
 * What the picture of rooflines over each other is made of: chart_compare.c draws the roofs, chart_compare_points.c the
 * applications. */
#ifndef CARM_OVERLAY_H
#define CARM_OVERLAY_H

#include "chart_compare.h"

enum {
    OVERLAY_SIDES = COMPARE_COLUMNS,
    OVERLAY_LEVELS = 8,
    OVERLAY_POINTS = 64, /* of each side */
    OVERLAY_LINES = OVERLAY_SIDES * (OVERLAY_LEVELS + 1) + OVERLAY_LEVELS + OVERLAY_SIDES * OVERLAY_POINTS,
    OVERLAY_NOTES = 4,
    OVERLAY_LABEL_BYTES = 160,
};

struct overlay {
    const struct comparison *comparison;
    struct picture_view view;
    unsigned cores;                /* of the headlines that are drawn */
    const struct compare_row *top; /* the peaks' headline */
    double peaks[OVERLAY_SIDES];   /* NaN: the side has none */
    size_t level_count;
    const char *levels[OVERLAY_LEVELS];
    double slopes[OVERLAY_LEVELS][OVERLAY_SIDES];

    struct plot_axis x, y;
    size_t line_count, point_count, note_count;
    struct plot_line lines[OVERLAY_LINES];
    struct plot_point points[OVERLAY_SIDES * OVERLAY_POINTS];
    const char *notes[OVERLAY_NOTES];
    double line_x[OVERLAY_LINES][2], line_y[OVERLAY_LINES][2];
    char labels[OVERLAY_LINES][OVERLAY_LABEL_BYTES], sublabels[OVERLAY_LINES][OVERLAY_LABEL_BYTES];
    char point_sublabels[OVERLAY_SIDES * OVERLAY_POINTS][48], note_text[OVERLAY_NOTES][320];
    char title[256], subtitle[256], x_title[80], y_title[64];
    size_t lost_points;
};

/* A line from one place to another, in the side's colour, with room for its labels. */
struct plot_line *overlay_line(struct overlay *overlay, size_t side, double x1, double y1, double x2, double y2);

/* Points, and arrows from the base's to the others'; widens the axes to hold them. */
void overlay_add_points(struct overlay *overlay);

#endif
