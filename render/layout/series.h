/* SPDX-License-Identifier: BSD-3-Clause
 * The data itself on the page, and what labels have to keep clear of. Pure. */
#ifndef RENDER_SERIES_H
#define RENDER_SERIES_H

#include "place.h"

/* The width, in points, that a line (or mark) is drawn with; where the plot leaves it open, the usual one. */
#define SERIES_RING_RADIUS 2.4 /* of the rings at a line's vertices */
double series_line_width(const struct plot_line *line);
double series_mark_width(const struct plot_mark *mark);

/* Draws bands, marks, lines and points into page->plot and tells `place` what is there. */
void series_draw(struct label_place *place, const struct plot *plot);

/* The ends of a mark on the page; false where it is not on the page. */
bool mark_ends(const struct page *page, const struct plot *plot, const struct plot_mark *mark, struct vec ends[2]);

/* How far from a point's middle a label may stand, in points: beyond its marker. */
double point_reach(const struct plot_point *point);

#endif
