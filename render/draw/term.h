/* SPDX-License-Identifier: BSD-3-Clause
 * A chart as text, for terminals. */
#pragma once

#include "render/page/plot.h"

enum plot_terminal_colors { PLOT_COLORS_NONE, PLOT_COLORS_8, PLOT_COLORS_256 };
enum { PLOT_TERMINAL_COLUMNS = 80, PLOT_TERMINAL_LEAST = 60, PLOT_TERMINAL_MAX = 500 };

struct plot_terminal {
    size_t columns; /* 0: 80 */
    size_t rows;    /* of the chart's area; 0: suited to the columns */
    bool unicode;   /* else plain ASCII */
    enum plot_terminal_colors colors;
};

/* Draws title, notes, the chart, and below it rows for labels without room (then the line has the first part of its
 * label, up to two blanks, or a letter) and for each point. `*text` is to be freed. Errors: unusable axis, fewer
 * columns than 60, out of memory. */
bool plot_text(const struct plot *plot, const struct plot_terminal *terminal, char **text, struct plot_error *err);

/* The distance of each line and point of the plot from a character of its text, in columns (a row counts as two).
 * `lines` and `points` have a member for each; INFINITY: not drawn. Takes a plot that plot_text() has drawn. False:
 * the character is outside the chart's area, or there is no memory. */
struct plot_character {
    size_t column, row; /* of the text, from 0 */
};
bool plot_text_distances(const struct plot *plot, const struct plot_terminal *terminal, struct plot_character from,
                         double *lines, double *points);
