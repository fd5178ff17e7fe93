/* SPDX-License-Identifier: BSD-3-Clause
 * A grid of characters: lines in eighths of a character (Braille dots) or in plain ASCII, letters over them, colours.
 * Pure but for memory; out_of_memory tells. */
#ifndef RENDER_DRAW_TERM_CANVAS_H
#define RENDER_DRAW_TERM_CANVAS_H

#include <stdio.h>

#include "term.h"

#include "render/page/geometry.h"

enum term_kind { TERM_EMPTY, TERM_LINE, TERM_FRAME, TERM_POINT, TERM_TEXT };

/* A colour that reads on black and on white alike: 0 to 255 of the terminal's palette, or one of these. */
enum { TERM_DEFAULT = -1, TERM_DIM = -2 };

struct term_cell {
    char glyph[5];      /* UTF-8; "": blank, or dots */
    unsigned char dots; /* Braille: bit n of U+2800 + n */
    enum term_kind kind;
    bool bold;
    int color;
    size_t owner; /* of a line's cells: the canvas' owner when it was drawn last */
};

struct term_canvas {
    size_t columns, rows;
    const struct plot_terminal *terminal;
    struct term_cell *cells; /* row by row */
    size_t owner;            /* what is being drawn, from 1 */
};

/* False without memory. */
bool canvas_init(struct term_canvas *canvas, size_t columns, size_t rows, const struct plot_terminal *terminal);
void canvas_free(struct term_canvas *canvas);

/* From a to b, in columns and rows from the upper left corner. */
enum term_weight { TERM_FAINT, TERM_PLAIN, TERM_STRONG }; /* half of the dots, all, two rows of them */
void canvas_line(struct term_canvas *canvas, struct vec a, struct vec b, int color, enum plot_dash dash,
                 enum term_weight weight);

/* What a character is, and how it looks. */
struct term_ink {
    enum term_kind kind;
    int color;
    bool bold;
};

/* One character, or a text from (column, row) on; what is outside of the canvas is left out. */
void canvas_put(struct term_canvas *canvas, long column, long row, const char *glyph, const struct term_ink *ink);
void canvas_text(struct term_canvas *canvas, long column, long row, const char *text, int color, bool bold);

/* NULL outside. */
const struct term_cell *canvas_at(const struct term_canvas *canvas, long column, long row);

/* The rows, each with its line end, without blanks behind. */
void canvas_print(const struct term_canvas *canvas, FILE *out);

/* Colours on and off, for what is printed beside a canvas. */
void term_color_begin(const struct plot_terminal *terminal, int color, bool bold, FILE *out);
void term_color_end(const struct plot_terminal *terminal, int color, bool bold, FILE *out);

int term_color(const struct plot_terminal *terminal, struct plot_color color);

/* How many characters a text takes. */
size_t term_columns(const char *text);

/* A copy without control characters, in ASCII where the terminal is; to be freed, NULL without memory. */
char *term_clean(const struct plot_terminal *terminal, const char *text);

#endif
