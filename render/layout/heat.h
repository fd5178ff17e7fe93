/* SPDX-License-Identifier: BSD-3-Clause
 * A heat map: cells coloured by their value, with a colour bar. Pure. */
#pragma once

#include "render/page/page.h"

/* The colour of a value at this share, 0 to 1, of the scale: from dark to light by lightness alone, so that it reads
 * the same for colour-blind readers and on grey paper. */
struct plot_color heat_color(double share);

/* Fills the page with plot->heat, its axis titles and its surroundings. */
void heat_layout(struct page *page, const struct plot *plot);

/* Why a heat map cannot be drawn, in words; NULL: it can. */
const char *heat_trouble(const struct plot_heat *heat);
