/* SPDX-License-Identifier: BSD-3-Clause
 * A chart on its way to a terminal: what frame, labels and rows share. Private to draw_term.c and term_*.c. */
#ifndef RENDER_DRAW_TERM_DRAWING_H
#define RENDER_DRAW_TERM_DRAWING_H

#include "term_canvas.h"

#include "render/layout/ticks.h"
#include "render/layout/trace.h"

enum { TERM_TAG_BYTES = 8 };

struct term_drawing {
    const struct plot *plot;
    const struct plot_terminal *terminal;
    struct page page; /* to measure text: a character is 1 wide and 1 high */
    struct term_canvas canvas;
    struct frame area; /* in columns and rows */
    struct ticks x_ticks, y_ticks;
    char (*line_tags)[TERM_TAG_BYTES]; /* of a line: what stands on it in place of its label; "": all of its label */
    char (*point_tags)[TERM_TAG_BYTES];
    bool *line_rows; /* whether it needs a row below */
    size_t tags;     /* given away */
    bool out_of_memory;
};

/* Of the two what the terminal can show. */
const char *term_glyph(const struct term_drawing *d, const char *unicode, const char *ascii);

/* A copy as the terminal can show it, to be freed; NULL without memory. */
char *term_copy(struct term_drawing *d, const char *text);

/* The line in columns and rows; false without memory. trace_free in any case. */
bool term_trace(struct term_drawing *d, const struct plot_line *line, struct trace *out);

/* Where a point stands; false: outside. */
bool term_find_point(const struct term_drawing *d, const struct plot_point *point, struct vec *out);
const char *term_shape(const struct term_drawing *d, const struct plot_point *point);

/* A line's label as it is written: all of it (0), without its sublabel (1), its first word (2: "L1" of "L1  2LD1ST").
 */
char *term_label(struct term_drawing *d, const struct plot_line *line, int form);

/* Writes labels where they cover least; what has no room gets a tag, and a row. */
void term_labels_write(struct term_drawing *d);

/* Title, subtitle and notes; and behind the chart the rows. */
void term_rows_header(struct term_drawing *d, FILE *out);
void term_rows_print(struct term_drawing *d, FILE *out);

#endif
