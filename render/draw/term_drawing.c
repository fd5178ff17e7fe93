/* SPDX-License-Identifier: BSD-3-Clause
 * Text, lines and points in the terminal's characters. */
#include "term_drawing.h"

#include <math.h>
#include <string.h>

/* The character of each shape: filled, hollow, and in ASCII. */
static const char *const SHAPES[PLOT_SHAPES][3] = {
    [PLOT_CIRCLE] = {"●", "○", "o"},   [PLOT_SQUARE] = {"■", "□", "#"},   [PLOT_DIAMOND] = {"◆", "◇", "*"},
    [PLOT_TRIANGLE] = {"▲", "△", "^"}, [PLOT_PENTAGON] = {"⬟", "⬠", "@"}, [PLOT_STAR] = {"★", "☆", "+"},
};

const char *term_glyph(const struct term_drawing *d, const char *unicode, const char *ascii) {
    return d->terminal->unicode ? unicode : ascii;
}

char *term_copy(struct term_drawing *d, const char *text) {
    char *copy = term_clean(d->terminal, text);
    d->out_of_memory |= !copy;
    return copy;
}

/* The frame's right and lower edges belong to the cells before them. */
static struct frame inner(const struct term_drawing *d) {
    return (struct frame){d->area.left, d->area.top, d->area.right - 1e-6, d->area.bottom - 1e-6};
}

bool term_trace(struct term_drawing *d, const struct plot_line *line, struct trace *out) {
    const struct frame frame = inner(d);
    bool done = trace_make(out, d->plot, &frame, line->count, line->x, line->y);
    d->out_of_memory |= !done;
    return done;
}

bool term_find_point(const struct term_drawing *d, const struct plot_point *point, struct vec *out) {
    const struct frame frame = inner(d);
    *out = trace_point(d->plot, &frame, point->x, point->y);
    return !isnan(out->x + out->y) && frame_contains(&frame, *out);
}

const char *term_shape(const struct term_drawing *d, const struct plot_point *point) {
    if (point->ghost && !d->terminal->unicode)
        return "x";
    return SHAPES[point->shape][!d->terminal->unicode ? 2 : point->hollow ? 1 : 0];
}
