/* SPDX-License-Identifier: BSD-3-Clause
 * In which order labels look for room: the most important first, then as they come. */
#ifndef RENDER_LABEL_ORDER_H
#define RENDER_LABEL_ORDER_H

#include "render/page/plot.h"

struct label_rank {
    int priority; /* of the line or point in the plot: higher ones come first */
    size_t index; /* of the line or point */
};

/* Fills `out`, which has room for all lines (or all points) of the plot, with the ranks in the order in which their
 * labels are to be placed: what is placed first has the choice. */
void label_order_of_lines(const struct plot *plot, struct label_rank *out);
void label_order_of_points(const struct plot *plot, struct label_rank *out);

#endif
