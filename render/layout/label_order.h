/* SPDX-License-Identifier: BSD-3-Clause
 * In which order labels look for room: the most important first, then as they come. */
#ifndef RENDER_LABEL_ORDER_H
#define RENDER_LABEL_ORDER_H

#include "render/page/plot.h"

struct label_rank {
    int priority;
    size_t index; /* of the line or point */
};

/* `out` has room for all lines, or points. */
void label_order_of_lines(const struct plot *plot, struct label_rank *out);
void label_order_of_points(const struct plot *plot, struct label_rank *out);

#endif
