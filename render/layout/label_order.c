/* SPDX-License-Identifier: BSD-3-Clause
 * The order of labels. */
#include "label_order.h"

#include <stdlib.h>

static int by_priority(const void *a, const void *b) {
    const struct label_rank *p = a, *q = b;
    if (p->priority != q->priority)
        return p->priority > q->priority ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void label_order_of_lines(const struct plot *plot, struct label_rank *out) {
    for (size_t i = 0; i < plot->line_count; i++)
        out[i] = (struct label_rank){plot->lines[i].priority, i};
    qsort(out, plot->line_count, sizeof *out, by_priority);
}

void label_order_of_points(const struct plot *plot, struct label_rank *out) {
    for (size_t i = 0; i < plot->point_count; i++)
        out[i] = (struct label_rank){plot->points[i].priority, i};
    qsort(out, plot->point_count, sizeof *out, by_priority);
}
