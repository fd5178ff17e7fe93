/* SPDX-License-Identifier: BSD-3-Clause
 * The order in which labels look for room: by importance, then in the plot's order. */
#pragma once

#include "render/page/plot.h"

struct label_rank {
    int priority; /* of the line or point in the plot: the highest is first */
    size_t index; /* of the line or point */
};

/* Fills `out`, which has room for all lines (or points) of the plot, with ranks in the order of placing. The first
 * label has the most choice. */
void label_order_of_lines(const struct plot *plot, struct label_rank *out);
void label_order_of_points(const struct plot *plot, struct label_rank *out);
