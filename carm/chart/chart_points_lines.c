/* SPDX-License-Identifier: BSD-3-Clause
 * Lines between points, corner by corner (see chart_points.h). */
#include "chart_points.h"

void points_line(struct points *out, const struct plot_line *look) {
    struct plot_line *line = &out->lines[out->line_count++];
    *line = *look;
    line->x = out->corner_x + out->corner_count;
    line->y = out->corner_y + out->corner_count;
    line->count = 0;
}

void points_corner(struct points *out, double x, double y) {
    out->corner_x[out->corner_count] = x;
    out->corner_y[out->corner_count++] = y;
    out->lines[out->line_count - 1].count++;
}
