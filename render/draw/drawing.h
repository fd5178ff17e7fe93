/* SPDX-License-Identifier: BSD-3-Clause
 * A picture on its way into a file: what is drawn, where its bytes go, and what went wrong on the way. Each format is a
 * function that draws one. */
#ifndef RENDER_DRAWING_H
#define RENDER_DRAWING_H

#include "render/page/style.h"

#include <cairo.h>

struct drawing {
    const struct plot *plot;
    const struct plot_style *style;
    double width, height; /* of the page, in points */
    int descriptor;       /* takes the bytes */
    int write_error;      /* the errno of the first write that failed */
    bool out_of_memory;
    struct metrics metrics; /* of the page that is laid out */
    const char *trouble;    /* of what draws, in words; NULL: none */
};

/* The formats. False: a member of the drawing says why. */
bool draw_svg(struct drawing *drawing);
bool draw_pdf(struct drawing *drawing);
bool draw_png(struct drawing *drawing);
bool draw_eps(struct drawing *drawing); /* without transparency, which would make an image of the whole */

/* Writes them all, whatever the system takes at a time. False: write_error says why. */
bool drawing_put(struct drawing *drawing, const void *bytes, size_t count);

/* Lays out the plot for the drawing's page, with texts measured in this cairo context. The page is to be freed. False:
 * memory ran out. */
bool drawing_lay_out(struct drawing *drawing, cairo_t *cr, struct page *page);

/* The family of its texts. */
const char *drawing_font(const struct plot_style *style);

#endif
