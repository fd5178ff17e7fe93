/* SPDX-License-Identifier: BSD-3-Clause
 * The column right of the plot area that names the lines which end there: labels stacked apart, joined to their lines
 * by little leaders. Pure. */
#ifndef RENDER_GUTTER_H
#define RENDER_GUTTER_H

#include "furniture.h"
#include "place.h"

struct gutter_row {
    size_t line; /* its index in the plot */
    double exit; /* where it leaves the plot area: 0 at the bottom to 1 at the top */
    double y;    /* where its label stands, on the page */
};

struct gutter {
    size_t count;
    struct gutter_row *rows; /* from top to bottom */
    bool sublabels;          /* there is room for them */
    double label_width, sublabel_width;
};

/* Picks the lines that leave at the right side, in the order of their rows. `dropped` says which labels are in the
 * legend already; labels wider than the gutter may be are added to it. False without memory. */
bool gutter_collect(struct gutter *gutter, const struct plot *plot, const struct page *page, const struct theme *theme,
                    bool *dropped);
void gutter_free(struct gutter *gutter);

/* Whether it has a row for this line. */
bool gutter_holds(const struct gutter *gutter, size_t line);

double gutter_width(const struct gutter *gutter, const struct theme *theme);

/* Writes the labels beside page->plot. Those without room are added to `dropped`; returns whether there were any. */
bool gutter_write(struct gutter *gutter, struct place *place, const struct plot *plot, const struct theme *theme,
                  bool *dropped);

/* The colour for text about something of this colour: darker where it would be too pale to read on white. */
struct plot_color text_color(struct plot_color color);

/* The label of a line in its style and colour. */
struct label line_label(const struct plot_line *line, const struct theme *theme, bool sublabel);

#endif
