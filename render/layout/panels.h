/* SPDX-License-Identifier: BSD-3-Clause
 * Charts below each other on one page. Pure but for memory; page->out_of_memory tells. */
#ifndef RENDER_PANELS_H
#define RENDER_PANELS_H

#include "render/page/page.h"

/* Lays out the plot's panels on the page, which is empty: all of one height, below title and notes, their charts
 * beginning at the same x. `chart` lays out one of them on a page of its own. */
void panels_layout(struct page *page, const struct plot *plot,
                   void (*chart)(struct page *page, const struct plot *plot, double width, double height,
                                 const struct metrics *metrics));

#endif
