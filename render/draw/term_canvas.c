/* SPDX-License-Identifier: BSD-3-Clause
 * Characters, dots and colours. */
#include "term_canvas.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/page/safe_text.h"

bool canvas_init(struct term_canvas *canvas, size_t columns, size_t rows, const struct plot_terminal *terminal) {
    *canvas = (struct term_canvas){.columns = columns, .rows = rows, .terminal = terminal};
    canvas->cells = calloc(columns * rows, sizeof *canvas->cells);
    for (size_t i = 0; canvas->cells && i < columns * rows; i++)
        canvas->cells[i].color = TERM_DEFAULT;
    return canvas->cells != NULL;
}

void canvas_free(struct term_canvas *canvas) {
    free(canvas->cells);
    *canvas = (struct term_canvas){0};
}

static struct term_cell *cell_at(const struct term_canvas *canvas, long column, long row) {
    bool inside = column >= 0 && row >= 0 && (size_t)column < canvas->columns && (size_t)row < canvas->rows;
    return inside ? &canvas->cells[(size_t)row * canvas->columns + (size_t)column] : NULL;
}

const struct term_cell *canvas_at(const struct term_canvas *canvas, long column, long row) {
    return cell_at(canvas, column, row);
}

void canvas_put(struct term_canvas *canvas, long column, long row, const char *glyph, const struct term_ink *ink) {
    struct term_cell *cell = cell_at(canvas, column, row);
    if (!cell)
        return;
    *cell = (struct term_cell){.kind = ink->kind, .color = ink->color, .bold = ink->bold, .owner = canvas->owner};
    snprintf(cell->glyph, sizeof cell->glyph, "%s", glyph);
}

/* Number of bytes of the character that begins here. */
static size_t character_bytes(const char *text) {
    size_t bytes = 1;
    while (((unsigned char)text[bytes] & 0xC0) == 0x80 && bytes < 4)
        bytes++;
    return bytes;
}

void canvas_text(struct term_canvas *canvas, long column, long row, const char *text, int color, bool bold) {
    const struct term_ink ink = {.kind = TERM_TEXT, .color = color, .bold = bold};
    for (size_t bytes; *text; text += bytes, column++) {
        char glyph[5] = "";
        bytes = character_bytes(text);
        memcpy(glyph, text, bytes);
        canvas_put(canvas, column, row, glyph, &ink);
    }
}

/* Braille numbers its dots down the left column, down the right one, and then the bottom two. */
static void set_dot(struct term_canvas *canvas, long x, long y, int color) {
    static const unsigned char BITS[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    struct term_cell *cell = x < 0 || y < 0 ? NULL : cell_at(canvas, x / 2, y / 4);
    if (!cell || cell->kind > TERM_LINE + 1)
        return;
    if (cell->kind != TERM_LINE)
        *cell = (struct term_cell){.kind = TERM_LINE};
    cell->dots |= BITS[y % 4][x % 2];
    cell->color = color;
    cell->owner = canvas->owner;
}

/* The character of a line in a cell: by its height if it is flat, else by its direction. */
static const char *ascii_glyph(double y, double slope) {
    static const char *const HEIGHTS[] = {"'", "-", "-", "_"};
    double part = y - floor(y);
    if (slope == 0)
        return "-";
    return fabs(slope) > 2 ? "|" : fabs(slope) > 0.6 ? (slope < 0 ? "/" : "\\") : HEIGHTS[(size_t)(part * 4) % 4];
}

static bool is_on(enum plot_dash dash, long step) {
    static const struct {
        long on, of;
    } PATTERNS[] = {[PLOT_SOLID] = {1, 1}, [PLOT_DASHED] = {5, 8}, [PLOT_DOTTED] = {1, 3}, [PLOT_DASH_DOTTED] = {4, 6}};
    return step % PATTERNS[dash].of < PATTERNS[dash].on;
}

void canvas_line(struct term_canvas *canvas, struct vec a, struct vec b, int color, enum plot_dash dash,
                 enum term_weight weight) {
    bool dots = canvas->terminal->unicode;
    double per_column = dots ? 2 : 1, per_row = dots ? 4 : 1, dx = b.x - a.x, dy = b.y - a.y;
    long steps = (long)ceil(fmax(fabs(dx) * per_column, fabs(dy) * per_row));
    for (long i = 0; i <= steps; i++) {
        double share = steps ? (double)i / (double)steps : 0, x = a.x + share * dx, y = a.y + share * dy;
        if (!is_on(dash, dots ? i : 2 * i) || (weight == TERM_FAINT && i % 2))
            continue;
        if (dots) {
            long dot_x = (long)floor(x * per_column), dot_y = (long)floor(y * per_row);
            set_dot(canvas, dot_x, dot_y, color);
            if (weight == TERM_STRONG) /* a level line stays in the same row */
                set_dot(canvas, dot_x, dy == 0 && dot_y % 4 == 3 ? dot_y - 1 : dot_y + 1, color);
            continue;
        }
        struct term_cell *cell = cell_at(canvas, (long)floor(x), (long)floor(y));
        if (cell && cell->kind <= TERM_FRAME)
            canvas_put(canvas, (long)floor(x), (long)floor(y), ascii_glyph(y, dx == 0 ? INFINITY : dy / dx),
                       &(struct term_ink){.kind = TERM_LINE, .color = color});
    }
}

void term_color_begin(const struct plot_terminal *terminal, int color, bool bold, FILE *out) {
    if (terminal->colors == PLOT_COLORS_NONE)
        return;
    if (bold)
        fputs("\033[1m", out);
    if (color == TERM_DIM)
        fputs("\033[2m", out);
    else if (color >= 0)
        fprintf(out, terminal->colors == PLOT_COLORS_256 ? "\033[38;5;%dm" : "\033[3%dm", color);
}

void term_color_end(const struct plot_terminal *terminal, int color, bool bold, FILE *out) {
    if (terminal->colors != PLOT_COLORS_NONE && (bold || color != TERM_DEFAULT))
        fputs("\033[0m", out);
}

static void print_cell(const struct term_cell *cell, FILE *out) {
    if (cell->glyph[0])
        fputs(cell->glyph, out);
    else if (cell->dots) /* U+2800 + dots in UTF-8 */
        fprintf(out, "\xE2%c%c", 0xA0 | cell->dots >> 6, 0x80 | (cell->dots & 0x3F));
    else
        fputc(' ', out);
}

static bool is_blank(const struct term_cell *cell) {
    return !cell->dots && (!cell->glyph[0] || strcmp(cell->glyph, " ") == 0);
}

void canvas_print(const struct term_canvas *canvas, FILE *out) {
    for (size_t row = 0; row < canvas->rows; row++) {
        const struct term_cell *cells = &canvas->cells[row * canvas->columns], *now = NULL;
        size_t columns = canvas->columns;
        while (columns > 0 && is_blank(&cells[columns - 1]))
            columns--;
        for (size_t column = 0; column < columns; column++) {
            const struct term_cell *cell = &cells[column];
            if (!is_blank(cell) && (!now || now->color != cell->color || now->bold != cell->bold)) {
                if (now)
                    term_color_end(canvas->terminal, now->color, now->bold, out);
                term_color_begin(canvas->terminal, cell->color, cell->bold, out);
                now = cell;
            }
            print_cell(cell, out);
        }
        if (now)
            term_color_end(canvas->terminal, now->color, now->bold, out);
        fputc('\n', out);
    }
}

static double luminance(struct plot_color color) {
    return 0.2126 * pow(color.r, 2.2) + 0.7152 * pow(color.g, 2.2) + 0.0722 * pow(color.b, 2.2);
}

static struct plot_color blend(struct plot_color color, double toward, double share) {
    return (struct plot_color){color.r + (toward - color.r) * share, color.g + (toward - color.g) * share,
                               color.b + (toward - color.b) * share, 1};
}

/* In degrees. */
static double hue(struct plot_color c) {
    double high = fmax(c.r, fmax(c.g, c.b)), span = high - fmin(c.r, fmin(c.g, c.b));
    double sixth = high == c.r ? (c.g - c.b) / span : high == c.g ? 2 + (c.b - c.r) / span : 4 + (c.r - c.g) / span;
    return fmod(60 * sixth + 360, 360);
}

static int of_eight(struct plot_color color) {
    static const struct {
        double below;
        int color;
    } HUES[] = {{33, 1}, {90, 3}, {175, 2}, {195, 6}, {260, 4}, {345, 5}, {361, 1}};
    size_t i = 0;
    while (hue(color) >= HUES[i].below)
        i++;
    return HUES[i].color;
}

/* The nearest step of xterm's 6 × 6 × 6 cube: 0, 95, 135, …, 255. */
static int cube_step(double part) {
    double level = part * 255;
    return level < 48 ? 0 : level < 115 ? 1 : (int)fmin(5, (level - 35) / 40);
}

int term_color(const struct plot_terminal *terminal, struct plot_color color) {
    const double darkest = 0.18, lightest = 0.45;
    double high = fmax(color.r, fmax(color.g, color.b)), low = fmin(color.r, fmin(color.g, color.b));
    if (terminal->colors == PLOT_COLORS_NONE)
        return TERM_DEFAULT;
    if (high - low < 0.1)
        return high < 0.25 ? TERM_DEFAULT : TERM_DIM;
    if (terminal->colors == PLOT_COLORS_8)
        return of_eight(color);
    for (int i = 0; i < 20 && luminance(color) < darkest; i++)
        color = blend(color, 1, 0.1);
    for (int i = 0; i < 20 && luminance(color) > lightest; i++)
        color = blend(color, 0, 0.1);
    return 16 + 36 * cube_step(color.r) + 6 * cube_step(color.g) + cube_step(color.b);
}

size_t term_columns(const char *text) {
    size_t columns = 0;
    for (; *text; text += character_bytes(text))
        columns++;
    return columns;
}

char *term_clean(const struct plot_terminal *terminal, const char *text) {
    char *clean = safe_text_copy(text);
    char *out = clean && !terminal->unicode ? malloc(4 * strlen(clean) + 1) : NULL, *to = out;
    if (terminal->unicode || !out) {
        if (!terminal->unicode)
            free(clean);
        return terminal->unicode ? clean : NULL;
    }
    bool raised = false;
    for (const char *from = clean, *plain; *from;) {
        const char *sign = from;
        from += plain_text_next(from, &raised, &plain);
        if (plain)
            to = stpcpy(to, plain);
        else
            *to++ = *sign;
    }
    *to = '\0';
    free(clean);
    return out;
}
