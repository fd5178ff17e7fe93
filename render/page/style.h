/* SPDX-License-Identifier: BSD-3-Clause
 * Styles of pictures: for a screen, a column of a paper, a slide, a dark page. A style is a row of plot_styles. The
 * layout has one size of things; a style scales it to the page. Pure. */
#pragma once

#include "page.h"

struct plot_style {
    const char *name;
    double width, height;             /* default size of the page, in points */
    double least_width, least_height; /* least size of the page, in points */
    double scale;  /* points of the page per point of the layout, in which labels are 12 points high */
    double margin; /* to the page's edges, in points of the layout */
    /* One size of type, no subtitle, no small print: a caption or a speaker replaces these. Otherwise type has many
     * sizes and grows a little with the page. */
    bool sparse;
    double title_size; /* for sparse styles, in points of the layout */
    bool captioned; /* texts that explain are in a caption beside the picture: the axes have most of the height, and the
                       legend names lines first */
    bool dark;      /* light on dark */
    double pixels_per_point; /* of a PNG, per point of the page */
    const char *font;        /* a family; NULL: STYLE_FONT */
};

#define STYLE_FONT "DejaVu Sans"

/* All styles, the default first, up to a row without a name. */
extern const struct plot_style plot_styles[];

/* The style of this name; NULL: unknown name. */
const struct plot_style *plot_style_named(const char *name);

/* The style of a plot: its own, else the default. */
const struct plot_style *plot_style_of(const struct plot *plot);

/* The same hue with inverted lightness, for a dark page. */
struct plot_color style_turned(struct plot_color color);

/* The contrast of two opaque colours: 1 (none) to 21 (WCAG 2.1). */
double style_contrast(struct plot_color a, struct plot_color b);

/* Replaces the colours of a laid-out page by those of its style; colours that show values stay. */
void style_color_page(struct page *page, const struct plot_style *style);

/* Mixes transparent colours with the page's colour, for formats without transparency. */
void style_flatten_page(struct page *page);
