/* SPDX-License-Identifier: BSD-3-Clause
 * The markers of points: six shapes, filled or as outlines. Pure. */
#ifndef RENDER_MARKER_H
#define RENDER_MARKER_H

#include "render/page/page.h"

/* The radius that a marker is drawn with, in points: the one that is asked for, or where that is 0 the usual one, which
 * is smaller for outlines. */
double marker_radius(double radius, bool hollow);

/* The corners around a place, in order; none of a circle. Returns how many. */
enum { MARKER_MAX_CORNERS = 10 };
size_t marker_corners(enum plot_shape shape, struct vec center, double radius, struct vec *corners);

/* How far a marker of this shape and radius reaches from its middle, in points: to its farthest corner. */
double marker_reach(enum plot_shape shape, double radius);

/* Draws the marker into the page: filled, or as an outline. */
void marker_draw(struct page *page, enum plot_shape shape, struct vec center, double radius, bool hollow,
                 struct plot_color color);

#endif
