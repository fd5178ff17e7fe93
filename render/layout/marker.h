/* SPDX-License-Identifier: BSD-3-Clause
 * The markers of points: six shapes, filled or as outlines. Pure. */
#ifndef RENDER_MARKER_H
#define RENDER_MARKER_H

#include "render/page/page.h"

/* Radius 0: the default, small for outlines. */
double marker_radius(double radius, bool hollow);

/* The corners around a place, in order; none of a circle. Returns how many. */
enum { MARKER_MAX_CORNERS = 10 };
size_t marker_corners(enum plot_shape shape, struct vec center, double radius, struct vec *corners);

/* From the middle to the farthest corner. */
double marker_reach(enum plot_shape shape, double radius);

void marker_draw(struct page *page, enum plot_shape shape, struct vec center, double radius, bool hollow,
                 struct plot_color color);

#endif
