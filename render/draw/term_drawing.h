/* SPDX-License-Identifier: BSD-3-Clause
 * A chart on its way to a terminal: the state that frame, labels and rows share. Private to draw_term.c and
 * term_*.c. */
#pragma once

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
    char (*line_tags)[TERM_TAG_BYTES]; /* of a line: the text that replaces its label; "": the whole label is there */
    char (*point_tags)[TERM_TAG_BYTES];
    bool *line_rows; /* the line needs a row below */
    size_t tags;     /* number of tags in use */
    bool out_of_memory;
};

/* The one of the two that the terminal can show. */
const char *term_glyph(const struct term_drawing *d, const char *unicode, const char *ascii);

/* A copy that the terminal can show, to be freed; NULL: no memory. */
char *term_copy(struct term_drawing *d, const char *text);

/* The line in columns and rows; false: no memory. Call trace_free in any case. */
bool term_trace(struct term_drawing *d, const struct plot_line *line, struct trace *out);

/* The place of a point; false: outside. */
bool term_find_point(const struct term_drawing *d, const struct plot_point *point, struct vec *out);
const char *term_shape(const struct term_drawing *d, const struct plot_point *point);

/* A line's label in one of its forms: whole (0), with the short sublabel (1), also with the short label or the first
 * word (2: "L1" of "L1  2LD1ST"), without sublabel (3). */
char *term_label(struct term_drawing *d, const struct plot_line *line, int form);

/* Writes labels where they cover least. Labels without room get a tag and a row. */
void term_labels_write(struct term_drawing *d);

/* Prints title, subtitle and notes; and the rows below the chart. */
void term_rows_header(struct term_drawing *d, FILE *out);
void term_rows_print(struct term_drawing *d, FILE *out);
