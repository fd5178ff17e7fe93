/* SPDX-License-Identifier: BSD-3-Clause
 * A grid of characters: lines in eighths of a character (Braille dots) or plain ASCII, letters over them, colours.
 * Pure but for memory; see out_of_memory. */
#pragma once

#include <stdio.h>

#include "term.h"

#include "render/page/geometry.h"

enum term_kind { TERM_EMPTY, TERM_LINE, TERM_FRAME, TERM_POINT, TERM_TEXT };

/* A colour that is readable on black and on white: 0 to 255 of the terminal's palette, or one of these. */
enum { TERM_DEFAULT = -1, TERM_DIM = -2 };

struct term_cell {
    char glyph[5];      /* UTF-8; "": blank, or dots */
    unsigned char dots; /* Braille: bit n of U+2800 + n */
    enum term_kind kind;
    bool bold;
    int color;
    size_t owner; /* of a line's cell: the canvas' owner when the cell was drawn last */
};

struct term_canvas {
    size_t columns, rows;
    const struct plot_terminal *terminal;
    struct term_cell *cells; /* row by row */
    size_t owner;            /* number of the line that is being drawn, from 1 */
};

/* False: no memory. */
bool canvas_init(struct term_canvas *canvas, size_t columns, size_t rows, const struct plot_terminal *terminal);
void canvas_free(struct term_canvas *canvas);

/* Draws a line from a to b, in columns and rows from the upper left corner. */
enum term_weight { TERM_FAINT, TERM_PLAIN, TERM_STRONG }; /* half of the dots, all, two rows of them */
void canvas_line(struct term_canvas *canvas, struct vec a, struct vec b, int color, enum plot_dash dash,
                 enum term_weight weight);

/* Kind and look of a character. */
struct term_ink {
    enum term_kind kind;
    int color;
    bool bold;
};

/* Writes one character, or a text from (column, row) on, as far as it is on the canvas. */
void canvas_put(struct term_canvas *canvas, long column, long row, const char *glyph, const struct term_ink *ink);
void canvas_text(struct term_canvas *canvas, long column, long row, const char *text, int color, bool bold);

/* The cell; NULL: outside. */
const struct term_cell *canvas_at(const struct term_canvas *canvas, long column, long row);

/* Prints the rows with line ends, without blanks at their ends. */
void canvas_print(const struct term_canvas *canvas, FILE *out);

/* Switches colours on and off, for text beside a canvas. */
void term_color_begin(const struct plot_terminal *terminal, int color, bool bold, FILE *out);
void term_color_end(const struct plot_terminal *terminal, int color, bool bold, FILE *out);

int term_color(const struct plot_terminal *terminal, struct plot_color color);

/* Number of characters of a text. */
size_t term_columns(const char *text);

/* A copy without control characters, in ASCII for an ASCII terminal; to be freed; NULL: no memory. */
char *term_clean(const struct plot_terminal *terminal, const char *text);
