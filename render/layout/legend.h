/* SPDX-License-Identifier: BSD-3-Clause
 * The legend below the chart: rows of a swatch and a text. Takes what asked for it and what found no room inside. Pure.
 */
#ifndef RENDER_LEGEND_H
#define RENDER_LEGEND_H

#include "axes_and_notes.h"

struct legend_entry {
    enum { LEGEND_LINE, LEGEND_BAND, LEGEND_POINT } kind;
    size_t number; /* 0, or what stands beside the point that it explains */
    const char *text, *subtext;
    struct plot_color color;
    double width; /* of a line, in points */
    enum plot_dash dash;
    bool markers;          /* on a line: rings stand at its places */
    enum plot_shape shape; /* of a point */
    bool hollow;
};

struct legend {
    size_t count, capacity;
    struct legend_entry *entries;
};

/* The row of a line or mark; of a point's kind, with what labels tell where any stands; or with a number of the point
 * itself. */
struct legend_entry legend_of_line(const struct plot_line *line, const struct theme *theme);
struct legend_entry legend_of_mark(const struct plot_mark *mark);
struct legend_entry legend_of_kind(const struct plot_point *point, bool labels);
struct legend_entry legend_of_point(const struct plot_point *point, size_t number);

/* Adds a row unless an equal one is there; false without memory. */
bool legend_add(struct legend *legend, const struct legend_entry *entry);
void legend_free(struct legend *legend);

/* Lays out from the top of `area`, and draws unless only measuring; returns the height. What would go beyond its bottom
 * is summed up in a last "… and 3 more". */
double legend_layout(const struct legend *legend, struct page *page, const struct theme *theme,
                     const struct frame *area, bool draw);

#endif
