/* SPDX-License-Identifier: BSD-3-Clause
 * In which order labels look for room: the most important first, then as they come. */
#ifndef RENDER_TURN_H
#define RENDER_TURN_H

#include "render/page/plot.h"

struct turn {
    int priority;
    size_t index; /* of the line or point */
};

/* `out` has room for all lines, or points. */
void turns_of_lines(const struct plot *plot, struct turn *out);
void turns_of_points(const struct plot *plot, struct turn *out);

#endif
