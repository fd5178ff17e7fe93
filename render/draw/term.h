/* SPDX-License-Identifier: BSD-3-Clause
 * A chart as text, for terminals. */
#ifndef RENDER_DRAW_TERM_H
#define RENDER_DRAW_TERM_H

#include "render/page/plot.h"

enum plot_terminal_colors { PLOT_COLORS_NONE, PLOT_COLORS_8, PLOT_COLORS_256 };
enum { PLOT_TERMINAL_COLUMNS = 80, PLOT_TERMINAL_LEAST = 60, PLOT_TERMINAL_MAX = 500 };

struct plot_terminal {
    size_t columns; /* 0: 80 */
    size_t rows;    /* of the chart's area; 0: as many as suit the columns */
    bool unicode;   /* else plain ASCII */
    enum plot_terminal_colors colors;
};

/* Title, notes, the chart, and below it a row for each label that has no room in it (then its first part, before two
 * blanks, or a letter stands at the line) and for each point. `*text` is to be freed. Errors: unusable axis, fewer
 * columns than 60, out of memory. */
bool plot_text(const struct plot *plot, const struct plot_terminal *terminal, char **text, struct plot_error *err);

/* How far each line and each point of the plot is from a character of its text, in columns (a row is as far as two):
 * `lines` and `points` have a member for each, INFINITY for what is not drawn. False: the character is none of the
 * chart's area, or there is no memory. Takes what plot_text() has drawn. */
struct plot_character {
    size_t column, row; /* of the text, from 0 */
};
bool plot_text_distances(const struct plot *plot, const struct plot_terminal *terminal, struct plot_character from,
                         double *lines, double *points);

#endif
