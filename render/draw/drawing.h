/* SPDX-License-Identifier: BSD-3-Clause
 * A picture on its way into a file: its input, where its bytes are written, and errors. Each format is a function
 * that draws one. */
#pragma once

#include <stdint.h>

#include "render/page/style.h"

struct drawing {
    const struct plot *plot;
    const struct plot_style *style;
    double width, height; /* of the page, in points */
    int descriptor;       /* receives the bytes */
    int write_error;      /* errno of the first failed write */
    bool out_of_memory;
    struct metrics metrics; /* measures the page's texts */
    const char *trouble;    /* error of the drawing library in words; NULL: none */
};

/* The formats. False: a member of the drawing has the error. */
bool draw_svg(struct drawing *drawing);
bool draw_pdf(struct drawing *drawing);
bool draw_png(struct drawing *drawing);
bool draw_eps(struct drawing *drawing); /* without transparency, which would turn the whole page into an image */

/* Writes all bytes, in as many writes as needed. False: see write_error. */
bool drawing_put(struct drawing *drawing, const void *bytes, size_t count);

/* Why this build draws no other format than SVG; NULL: it does. */
const char *drawing_refusal(void);

/* Lays out the plot for the drawing's page, by its metrics. The page is to be freed. False: memory ran out. */
bool drawing_lay_out(struct drawing *drawing, struct page *page);

/* The font family of its texts. */
const char *drawing_font(const struct plot_style *style);

/* Rows of pixels 0xRRGGBB of 32 bits, the upper byte unused. */
struct png_pixels {
    const unsigned char *bytes;
    size_t width, height, stride; /* stride in bytes */
};

/* Writes them as PNG with the resolution of the drawing's style. False: see the drawing. */
bool png_file_put(struct drawing *drawing, const struct png_pixels *pixels);
