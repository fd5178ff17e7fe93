/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of rooflines over each other (see overlay.h). */
#include "overlay.h"

struct plot_line *overlay_line(struct overlay *o, size_t side, double x1, double y1, double x2, double y2) {
    const size_t slot = o->line_count++;
    o->line_x[slot][0] = x1, o->line_x[slot][1] = x2;
    o->line_y[slot][0] = y1, o->line_y[slot][1] = y2;
    o->lines[slot] = (struct plot_line){.count = 2,
                                        .x = o->line_x[slot],
                                        .y = o->line_y[slot],
                                        .color = picture_color(side),
                                        .label = o->labels[slot],
                                        .sublabel = o->sublabels[slot]};
    return &o->lines[slot];
}
