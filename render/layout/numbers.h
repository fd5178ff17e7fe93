/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers beside points whose names are in the legend or in a caption. Points whose markers hide one another share a
 * label, "2, 5–7": nobody could tell to which of them a number belongs. Pure but for memory. */
#pragma once

#include "axes_and_notes.h"
#include "label_order.h"
#include "place.h"

/* Writes the number of each point (0: none) in this order. A number without room is placed before the others, then
 * shares the label of a touching marker, then has a leader that crosses others. */
void numbers_write(const size_t *numbers, struct label_place *place, const struct plot *plot, const struct theme *theme,
                   const struct label_rank *order);
