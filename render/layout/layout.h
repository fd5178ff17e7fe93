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
