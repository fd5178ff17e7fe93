/* SPDX-License-Identifier: BSD-3-Clause
 * The order of labels (see turn.h). */
#include "turn.h"

#include <stdlib.h>

static int by_priority(const void *a, const void *b) {
    const struct turn *p = a, *q = b;
    if (p->priority != q->priority)
        return p->priority > q->priority ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void turns_of_lines(const struct plot *plot, struct turn *out) {
    for (size_t i = 0; i < plot->line_count; i++)
        out[i] = (struct turn){plot->lines[i].priority, i};
    qsort(out, plot->line_count, sizeof *out, by_priority);
}

void turns_of_points(const struct plot *plot, struct turn *out) {
    for (size_t i = 0; i < plot->point_count; i++)
        out[i] = (struct turn){plot->points[i].priority, i};
    qsort(out, plot->point_count, sizeof *out, by_priority);
}
