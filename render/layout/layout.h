/* SPDX-License-Identifier: BSD-3-Clause
 * From plot data to a page of primitives with places. Pure but for memory; see page->out_of_memory. */
#pragma once

#include "render/page/page.h"

/* Fills a page of this size, in points of the layout (of the plot's style), with the drawing of the plot. The page
 * is to be freed with page_free(); if memory runs out, page->out_of_memory is set. The plot must have no
 * plot_trouble(). */
void layout_plot(struct page *page, const struct plot *plot, double width, double height,
                 const struct metrics *metrics);

/* Why a plot cannot be drawn at this size, in points of the page: in words, written into `text` of `n` bytes; NULL:
 * it can. */
const char *plot_trouble(const struct plot *plot, double width, double height, char *text, size_t n);

/* A heat map: cells coloured by their value, with a colour bar. Pure. */

/* The colour of a value at this share, 0 to 1, of the scale: from dark to light by lightness alone, so that it reads
 * the same for colour-blind readers and on grey paper. */
struct plot_color heat_color(double share);

/* Fills the page with plot->heat, its axis titles and its surroundings. */
void heat_layout(struct page *page, const struct plot *plot);

/* Why a heat map cannot be drawn, in words; NULL: it can. */
const char *heat_trouble(const struct plot_heat *heat);
