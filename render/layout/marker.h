/* SPDX-License-Identifier: BSD-3-Clause
 * The markers of points: six shapes, filled or as outlines. Pure. */
#pragma once

#include "render/page/page.h"

/* The radius that a marker is drawn with, in points: the given one, or if that is 0 the default, which is smaller
 * for outlines. */
double marker_radius(double radius, bool hollow);

/* The corners around a place, in order; a circle has none. Returns their number. */
enum { MARKER_MAX_CORNERS = 10 };
size_t marker_corners(enum plot_shape shape, struct vec center, double radius, struct vec *corners);

/* The reach of a marker of this shape and radius, in points: from its middle to its farthest corner. */
double marker_reach(enum plot_shape shape, double radius);

/* Draws the marker, filled or as an outline. */
void marker_draw(struct page *page, enum plot_shape shape, struct vec center, double radius, bool hollow,
                 struct plot_color color);
