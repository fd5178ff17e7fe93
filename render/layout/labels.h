/* SPDX-License-Identifier: BSD-3-Clause
 * Labels that stand apart from what they name: of lines beside the plot area, of crowds of points, and numbers instead
 * of names. Pure but for memory. */
#pragma once

#include "axes_and_notes.h"
#include "place.h"

/* The column right of the plot area that names the lines ending there: labels without overlap, joined to their lines
 * by short leaders. */

/* The words of a line's label: all, the short sublabel, or the short label and sublabel. The number is always there. */
enum line_words { LINE_WHOLE, LINE_SHORT, LINE_BRIEF, LINE_FORMS };

struct end_label {
    size_t line; /* its index in the plot */
    double exit; /* where it leaves the plot area: 0 at the bottom to 1 at the top */
    double y;    /* place of its label on the page */
};

struct end_labels {
    size_t count;
    struct end_label *rows; /* from top to bottom */
    enum line_words words;
    bool stacked; /* sublabels are below their labels */
    double label_width, sublabel_width;
};

/* Collects the lines that leave at the right side, in the order of their rows. `dropped` marks labels that are
 * already in the legend; labels that are too wide for the gutter are added to it. False: no memory. */
bool end_labels_collect(struct end_labels *end_labels, const struct plot *plot, struct page *page,
                        const struct theme *theme, bool *dropped);

/* Frees the rows; the struct can be used again. */
void end_labels_free(struct end_labels *end_labels);

/* Whether the line with this index in the plot has its label at the end. */
bool end_labels_holds(const struct end_labels *end_labels, size_t line);

/* The width of the labels beside the plot area, in points; 0: no labels. */
double end_labels_width(const struct end_labels *end_labels, const struct theme *theme);

/* Writes the labels beside page->plot. Adds labels without room to `dropped`; returns whether there were any. */
bool end_labels_write(struct end_labels *end_labels, struct label_place *place, const struct plot *plot,
                      const struct theme *theme, bool *dropped);

/* The text colour that belongs to this colour: darker if it is too pale to read on white. */
struct plot_color text_color(struct plot_color color);

/* The label of a line in its style and colour. */
struct label line_label(const struct plot_line *line, const struct theme *theme, enum line_words words);

/* Crowds of points: labels without room between the markers form a column beside them, each behind a copy of its
 * marker and with a leader to its point. */

/* Numbers the crowds from 1. crowd[i] is the crowd of point i; 0: the point stands free, or has no label, or its
 * label was dropped. Returns the number of crowds. */
size_t callout_crowds(const struct plot *plot, struct page *page, const bool *dropped, size_t *crowd);

/* Writes the labels of one crowd. Drops labels without room, the least important first, and returns whether it
 * dropped any. If the column of a few points would be far away, nothing is written: they stand free, and crowd[i]
 * becomes 0. */
bool callout_write(struct label_place *place, const struct plot *plot, const struct theme *theme, size_t *crowd,
                   size_t number, bool *dropped);

/* Numbers beside points whose names are in the legend or in a caption. Points whose markers hide one another share a
 * label, "2, 5–7": nobody could tell to which of them a number belongs. */

/* Writes the number of each point (0: none) in this order. A number without room is placed before the others, then
 * shares the label of a touching marker, then has a leader that crosses others. */
void numbers_write(const size_t *numbers, struct label_place *place, const struct plot *plot, const struct theme *theme,
                   const struct label_rank *order);
