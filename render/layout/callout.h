/* SPDX-License-Identifier: BSD-3-Clause
 * Crowds of points: where labels have no room between the markers, they stand in a column beside them, each behind a
 * copy of its marker and joined to the point by a leader. Pure but for memory. */
#ifndef RENDER_CALLOUT_H
#define RENDER_CALLOUT_H

#include "axes_and_notes.h"
#include "place.h"

/* Numbers the crowds from 1: crowd[i] is the one that point i belongs to, 0 for a point that stands free, or has no
 * label, or whose label was dropped. Returns how many there are. */
size_t callout_crowds(const struct plot *plot, struct page *page, const bool *dropped, size_t *crowd);

/* Writes the labels of one crowd. Those without room are dropped, the least important first; returns whether any were.
 * Of a few points whose column would be far away nothing is written: they stand free then, crowd[i] is 0. */
bool callout_write(struct label_place *place, const struct plot *plot, const struct theme *theme, size_t *crowd,
                   size_t number, bool *dropped);

#endif
