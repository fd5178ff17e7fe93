/* SPDX-License-Identifier: BSD-3-Clause
 * How pictures look: for a screen, a column of a paper, a slide, a dark page. A style is a row of plot_styles. The
 * layout knows one size of things; a style says how large a point of it is on the page. Pure. */
#ifndef RENDER_STYLE_H
#define RENDER_STYLE_H

#include "page.h"

struct plot_style {
    const char *name;
    double width, height;             /* of the page, in points, where nobody says */
    double least_width, least_height; /* that there is room on, in points */
    double scale;                     /* points of the page for one of the layout, in which labels are 12 points high */
    double margin;                    /* to the page's edges, in points of the layout */
    /* One size of type, no subtitle, no small print: a caption or a speaker says these. Else type is of many sizes, and
     * grows a little with the page. */
    bool sparse;
    double title_size;       /* where it is sparse, in points of the layout */
    bool dark;               /* light on dark */
    double pixels_per_point; /* of a PNG, by points of the page */
    const char *font;        /* a family; NULL: STYLE_FONT */
};

#define STYLE_FONT "DejaVu Sans"

/* All of them, the usual one first; a row without a name ends the table. */
extern const struct plot_style plot_styles[];

/* The style of this name; NULL: there is none. */
const struct plot_style *plot_style_named(const char *name);

/* The style of a plot: its own, or the usual one. */
const struct plot_style *plot_style_of(const struct plot *plot);

/* The same hue as light as the other is dark, for a dark page. */
struct plot_color style_turned(struct plot_color color);

/* The contrast of two opaque colours: from 1, none, to 21 (WCAG 2.1). */
double style_contrast(struct plot_color a, struct plot_color b);

/* Gives a page that was laid out in the colours of a light one those of its style; colours that mean values stay. */
void style_color_page(struct page *page, const struct plot_style *style);

/* Mixes each colour that lets something through with the page's own, for formats that know no transparency. */
void style_flatten_page(struct page *page);

#endif
