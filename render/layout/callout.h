/* SPDX-License-Identifier: BSD-3-Clause
 * Crowds of points: labels without room between the markers form a column beside them, each behind a copy of its
 * marker and with a leader to its point. Pure but for memory. */
#pragma once

#include "axes_and_notes.h"
#include "place.h"

/* Numbers the crowds from 1. crowd[i] is the crowd of point i; 0: the point stands free, or has no label, or its
 * label was dropped. Returns the number of crowds. */
size_t callout_crowds(const struct plot *plot, struct page *page, const bool *dropped, size_t *crowd);

/* Writes the labels of one crowd. Drops labels without room, the least important first, and returns whether it
 * dropped any. If the column of a few points would be far away, nothing is written: they stand free, and crowd[i]
 * becomes 0. */
bool callout_write(struct label_place *place, const struct plot *plot, const struct theme *theme, size_t *crowd,
                   size_t number, bool *dropped);
