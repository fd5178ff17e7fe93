/* SPDX-License-Identifier: BSD-3-Clause
 * The data themselves on the page, and the obstacles for labels. Pure. */
#pragma once

#include "place.h"

#include "render/page/page.h"

/* The width of a line (or mark), in points: its own, else the default. */
#define SERIES_RING_RADIUS 2.4 /* of the rings at a line's vertices */
double series_line_width(const struct plot_line *line);
double series_mark_width(const struct plot_mark *mark);

/* Draws bands, marks, lines and points into page->plot, and adds them to `place`. */
void series_draw(struct label_place *place, const struct plot *plot);

/* The ends of a mark on the page; false: it is off the page, or left to the caption. */
bool mark_ends(const struct page *page, const struct plot *plot, const struct plot_mark *mark, struct vec ends[2]);

/* The distance of a label from a point's middle, in points: beyond its marker. */
double point_reach(const struct plot_point *point);

/* The markers of points: six shapes, filled or as outlines. Pure. */

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
