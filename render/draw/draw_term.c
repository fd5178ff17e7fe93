/* SPDX-License-Identifier: BSD-3-Clause
 * A chart on a grid of characters: its frame, axes, lines and points. */
#include "term.h"
#include "term_canvas.h"
#include "term_drawing.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/layout/layout.h"
#include "render/layout/place.h"
#include "render/page/text_stream.h"
#include "render/page/units.h"

/* Draws the header above a chart, and the rows below it: lines whose labels had no room, and every point with its
 * place and verdict. */

static const char *const DASHES[][2] = {[PLOT_SOLID] = {"──", "--"},
                                        [PLOT_DASHED] = {"╌╌", "- "},
                                        [PLOT_DOTTED] = {"┄┄", ".."},
                                        [PLOT_DASH_DOTTED] = {"─·", "-."}};

static const struct text_style ROW_UNIT = {.size = 1};

/* The look of a paragraph: text before its first line, colour, most lines. */
struct paragraph_look {
    const char *before;
    int color;
    bool bold;
    size_t most_lines;
};

static void draw_term_print_wrapped(struct term_drawing *d, const char *text, const struct paragraph_look *look,
                                    FILE *out) {
    char *copy = term_copy(d, text), *lines[8] = {NULL};
    size_t indent = term_columns(look->before), count = 0;
    if (copy)
        count =
            page_text_wrap(&d->page, copy, &ROW_UNIT, (double)(d->terminal->columns - indent), lines, look->most_lines);
    for (size_t i = 0; i < count; i++) {
        term_color_begin(d->terminal, look->color, look->bold, out);
        fprintf(out, "%*s%s", i ? (int)indent : 0, "", i ? "" : look->before);
        fputs(lines[i] ? lines[i] : "", out);
        term_color_end(d->terminal, look->color, look->bold, out);
        fputc('\n', out);
        free(lines[i]);
    }
    free(copy);
}

void term_rows_header(struct term_drawing *d, FILE *out) {
    const struct plot *plot = d->plot;
    const int amber = d->terminal->colors == PLOT_COLORS_256 ? 172 : d->terminal->colors ? 3 : TERM_DEFAULT;
    const struct paragraph_look title = {.before = "", .color = TERM_DEFAULT, .bold = true, .most_lines = 2},
                                subtitle = {.before = "", .color = TERM_DIM, .most_lines = 3},
                                note = {.before = term_glyph(d, "▲ ", "! "), .color = amber, .most_lines = 3};
    if (plot->title)
        draw_term_print_wrapped(d, plot->title, &title, out);
    if (plot->subtitle)
        draw_term_print_wrapped(d, plot->subtitle, &subtitle, out);
    for (size_t i = 0; i < plot->note_count; i++)
        draw_term_print_wrapped(d, plot->notes[i], &note, out);
    fputc('\n', out);
}

/* "   AVX2 FMA  54 Gflop/s": a coloured sign, then the text, cut to the width. */
static void draw_term_print_row(struct term_drawing *d, const char *sign, int color, const char *tag, const char *text,
                                FILE *out) {
    char *copy = term_copy(d, text), *fitted = NULL;
    size_t before = 2 + term_columns(sign) + 1 + (*tag ? term_columns(tag) + 1 : 0);
    if (copy)
        fitted = page_text_fit(&d->page, copy, &ROW_UNIT, (double)(d->terminal->columns - before));
    d->out_of_memory |= !fitted;
    fputs("  ", out);
    term_color_begin(d->terminal, color, true, out);
    fprintf(out, "%s%s%s", sign, *tag ? " " : "", tag);
    term_color_end(d->terminal, color, true, out);
    fprintf(out, " %s\n", fitted ? fitted : "");
    free(fitted);
    free(copy);
}

static void print_line_rows(struct term_drawing *d, FILE *out) {
    struct label_rank *order = calloc(d->plot->line_count + 1, sizeof *order);
    d->out_of_memory |= !order;
    if (order)
        label_order_of_lines(d->plot, order);
    for (size_t k = 0; order && k < d->plot->line_count; k++) {
        const size_t i = order[k].index;
        const struct plot_line *line = &d->plot->lines[i];
        if (!line->label || !d->line_rows[i])
            continue;
        char *text = term_label(d, line, 0);
        if (text)
            draw_term_print_row(d, DASHES[line->dash][!d->terminal->unicode], term_color(d->terminal, line->color),
                                d->line_tags[i], text, out);
        free(text);
    }
    free(order);
    for (size_t i = 0; i < d->plot->band_count; i++)
        if (d->plot->bands[i].legend) {
            struct plot_color color = d->plot->bands[i].color;
            draw_term_print_row(d, term_glyph(d, "▒▒", "::"), term_color(d->terminal, color), "",
                                d->plot->bands[i].legend, out);
        }
}

/* "Performance  [Gflop/s]" → "Gflop/s". */
static const char *draw_term_unit_of(const struct plot_axis *axis, char *out, size_t size) {
    const char *open = axis->title ? strchr(axis->title, '[') : NULL;
    snprintf(out, size, "%.*s", open ? (int)strcspn(open + 1, "]") : 0, open ? open + 1 : "");
    return out;
}

/* The name of a row on an axis with names; NULL: none. */
static const char *row_name(const struct plot_axis *axis, double at) {
    const double row = round(at);
    return row >= 0 && row < (double)axis->name_count ? axis->names[(size_t)row] : NULL;
}

/* Prints each point with its place and verdict. */
static void print_point_rows(struct term_drawing *d, FILE *out) {
    const struct plot *plot = d->plot;
    char unit[32], x_unit[32], y_text[32], x_text[32], row[512];
    draw_term_unit_of(&plot->y, unit, sizeof unit);
    draw_term_unit_of(&plot->x, x_unit, sizeof x_unit);
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        if (point->legend)
            draw_term_print_row(d, term_shape(d, point), term_color(d->terminal, point->color), "", point->legend, out);
    }
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        struct vec at;
        if (!point->label || point->ghost || !term_find_point(d, point, &at))
            continue;
        units_number(y_text, sizeof y_text, point->y / (plot->y.divisor > 0 ? plot->y.divisor : 1));
        units_number(x_text, sizeof x_text, point->x / (plot->x.divisor > 0 ? plot->x.divisor : 1));
        const char *name = row_name(&plot->y, point->y), *more = point->sublabel ? point->sublabel : "";
        if (name)
            snprintf(row, sizeof row, "%s: %s at %s%s%s%s%s", name, point->label, x_text, *x_unit ? " " : "", x_unit,
                     *more ? " · " : "", more);
        else
            snprintf(row, sizeof row, "%s: %s%s%s at %s%s%s", point->label, y_text, *unit ? " " : "", unit, x_text,
                     *more ? " · " : "", more);
        draw_term_print_row(d, term_shape(d, point), term_color(d->terminal, point->color), d->point_tags[i], row, out);
    }
}

void term_rows_print(struct term_drawing *d, FILE *out) {
    print_line_rows(d, out);
    print_point_rows(d, out);
}

/* Prints a heat map as a table of its numbers, coloured if the terminal has 256 colours. */

enum { CELL_BYTES = 48 };

static void print_name(const struct plot_terminal *terminal, const char *name, size_t width, bool right,
                       bool *out_of_memory, FILE *out) {
    char *text = term_clean(terminal, name ? name : "");
    *out_of_memory |= !text;
    size_t length = text ? term_columns(text) : 0;
    int blanks = (int)(width > length ? width - length : 0);
    fprintf(out, "%*s%s%*s", right ? blanks : 0, "", text ? text : "", right ? 0 : blanks, "");
    free(text);
}

static size_t widest(const struct plot_terminal *terminal, const char *const *names, size_t count,
                     bool *out_of_memory) {
    size_t most = 0;
    for (size_t i = 0; i < count; i++) {
        char *text = term_clean(terminal, names[i] ? names[i] : "");
        *out_of_memory |= !text;
        size_t length = text ? term_columns(text) : 0;
        most = length > most ? length : most;
        free(text);
    }
    return most;
}

/* Letters are dark or light by the ground's lightness; brackets surround the marked cell. */
static void draw_term_print_value(const struct plot_heat *heat, const struct plot_terminal *terminal, size_t row,
                                  size_t column, size_t width, FILE *out) {
    double value = heat->values[row * heat->columns + column], span = heat->high - heat->low;
    bool marked = heat->marked && row == heat->marked_row && column == heat->marked_column;
    char text[CELL_BYTES] = "";
    if (isnan(value))
        snprintf(text, sizeof text, "? ");
    else if (isfinite(value))
        snprintf(text, sizeof text, marked ? "[%.*f]" : "%.*f ", heat->decimals, value);
    bool ground = terminal->colors == PLOT_COLORS_256 && isfinite(value) && span > 0;
    if (ground) {
        double share = fmax(0, fmin(1, (value - heat->low) / span));
        const struct plot_color color = heat_color(share);
        int grey = 232 + (int)(23 * (0.2126 * color.r + 0.7152 * color.g + 0.0722 * color.b));
        fprintf(out, "\033[48;5;%d;38;5;%dm", grey, grey < 244 ? 255 : 16);
    }
    fprintf(out, "%*s", (int)width, text);
    if (ground)
        fputs("\033[0m", out);
}

/* Copies the names of plot->heat and its axes' titles. False: out of memory, some are missing. */
static bool term_heat_print(const struct plot *plot, const struct plot_terminal *terminal, FILE *out) {
    const struct plot_heat *heat = plot->heat;
    bool out_of_memory = false;
    size_t names = widest(terminal, heat->row_names, heat->rows, &out_of_memory),
           width = widest(terminal, heat->column_names, heat->columns, &out_of_memory) + 2;
    char text[CELL_BYTES];
    for (size_t i = 0; i < heat->rows * heat->columns; i++)
        if (isfinite(heat->values[i])) {
            size_t length = (size_t)snprintf(text, sizeof text, "%.*f", heat->decimals, heat->values[i]) + 3;
            width = length > width ? length : width;
        }
    if (plot->y.title)
        print_name(terminal, plot->y.title, 0, false, &out_of_memory, out);
    if (heat->title) {
        fputs(plot->y.title ? "   [" : "[", out);
        print_name(terminal, heat->title, 0, false, &out_of_memory, out);
        fputc(']', out);
    }
    fputc('\n', out);
    for (size_t row = heat->rows; row-- > 0;) { /* the first row is at the bottom */
        print_name(terminal, heat->row_names[row], names, true, &out_of_memory, out);
        fputs("  ", out);
        for (size_t column = 0; column < heat->columns; column++)
            draw_term_print_value(heat, terminal, row, column, width, out);
        fputc('\n', out);
    }
    fprintf(out, "%*s", (int)names + 2, "");
    for (size_t column = 0; column < heat->columns; column++) {
        print_name(terminal, heat->column_names[column], width - 1, true, &out_of_memory, out);
        fputc(' ', out);
    }
    fputc('\n', out);
    if (plot->x.title) {
        fprintf(out, "%*s", (int)names + 2, "");
        print_name(terminal, plot->x.title, 0, false, &out_of_memory, out);
        fputc('\n', out);
    }
    return !out_of_memory;
}

enum { LEAST_ROWS = 10, MAX_ROWS = 44 };

static const struct text_style UNIT = {.size = 1};

static double draw_term_width_of(void *context, const char *text, double size, bool bold) {
    (void)context, (void)bold;
    return size * (double)term_columns(text);
}

/* The ticks set the width of their labels, and that sets the remaining width. */
static void make_frame(struct term_drawing *d, size_t rows) {
    double columns = (double)d->terminal->columns;
    ticks_make(&d->y_ticks, &d->plot->y, (double)rows, true, &d->page, &UNIT);
    for (size_t i = 0; i < d->y_ticks.count && !d->terminal->unicode; i++) { /* "3×10⁹" is longer in ASCII */
        char *plain = term_copy(d, d->y_ticks.ticks[i].label);
        d->y_ticks.widest = fmax(d->y_ticks.widest, plain ? (double)term_columns(plain) : 0);
        free(plain);
    }
    d->area = (struct frame){.left = d->y_ticks.widest + 2, .top = 1, .right = columns - 1, .bottom = 1 + (double)rows};
    ticks_make(&d->x_ticks, &d->plot->x, d->area.right - d->area.left, false, &d->page, &UNIT);
}

static void draw_term_put_text(struct term_drawing *d, double column, double row, const char *text, int color,
                               bool bold) {
    char *copy = term_copy(d, text);
    if (copy)
        canvas_text(&d->canvas, (long)column, (long)row, copy, color, bold);
    free(copy);
}

static const struct term_ink AXIS = {.kind = TERM_TEXT, .color = TERM_DIM};

static void draw_y_axis(struct term_drawing *d) {
    for (double row = d->area.top; row < d->area.bottom; row++)
        canvas_put(&d->canvas, (long)d->area.left - 1, (long)row, term_glyph(d, "│", "|"), &AXIS);
    for (size_t i = 0; i < d->y_ticks.count; i++) {
        const struct tick *tick = &d->y_ticks.ticks[i];
        double row = fmin(floor(d->area.bottom - tick->at * (d->area.bottom - d->area.top)), d->area.bottom - 1);
        char *label = term_copy(d, tick->label);
        if (label)
            canvas_text(&d->canvas, (long)d->area.left - 2 - (long)term_columns(label), (long)row, label, TERM_DEFAULT,
                        false);
        free(label);
        canvas_put(&d->canvas, (long)d->area.left - 1, (long)row, term_glyph(d, "┤", "+"), &AXIS);
    }
    if (d->plot->y.title)
        draw_term_put_text(d, 0, 0, d->plot->y.title, TERM_DIM, false);
}

static void draw_x_axis(struct term_drawing *d) {
    double width = d->area.right - d->area.left, row = d->area.bottom;
    canvas_put(&d->canvas, (long)d->area.left - 1, (long)row, term_glyph(d, "└", "+"), &AXIS);
    for (double column = d->area.left; column < d->area.right; column++)
        canvas_put(&d->canvas, (long)column, (long)row, term_glyph(d, "─", "-"), &AXIS);
    for (size_t i = 0; i < d->x_ticks.count; i++) {
        const struct tick *tick = &d->x_ticks.ticks[i];
        double at = fmin(floor(d->area.left + tick->at * width), d->area.right - 1);
        double length = (double)term_columns(tick->label), last = (double)d->terminal->columns - length;
        canvas_put(&d->canvas, (long)at, (long)row, term_glyph(d, "┬", "+"), &AXIS);
        draw_term_put_text(d, fmax(0, fmin(at - floor(length / 2), last)), row + 1, tick->label, TERM_DEFAULT, false);
    }
    if (!d->plot->x.title)
        return;
    char *title = term_copy(d, d->plot->x.title);
    double length = title ? (double)term_columns(title) : 0;
    if (title)
        canvas_text(&d->canvas, (long)fmax(0, d->area.left + floor((width - length) / 2)), (long)row + 2, title,
                    TERM_DIM, false);
    free(title);
}

static void draw_mark(struct term_drawing *d, const struct plot_mark *mark) {
    const struct plot_axis *across = mark->vertical ? &d->plot->y : &d->plot->x;
    double from = mark->from, to = mark->to;
    if (from == 0 && to == 0)
        from = across->min, to = across->max;
    from = fmax(from, across->min), to = fmin(to, across->max);
    struct vec a = mark->vertical ? trace_point(d->plot, &d->area, mark->at, from)
                                  : trace_point(d->plot, &d->area, from, mark->at);
    struct vec b =
        mark->vertical ? trace_point(d->plot, &d->area, mark->at, to) : trace_point(d->plot, &d->area, to, mark->at);
    if (isnan(a.x + a.y + b.x + b.y) || !frame_clip(&d->area, &a, &b))
        return;
    int color = term_color(d->terminal, mark->color);
    long length = (long)floor(mark->vertical ? a.y - b.y : b.x - a.x);
    for (long i = 0; i <= length; i++) {
        long column = (long)floor(a.x) + (mark->vertical ? 0 : i),
             row = (long)floor(fmin(a.y, d->area.bottom - 1)) - (mark->vertical ? i : 0);
        const struct term_cell *cell = canvas_at(&d->canvas, column, row);
        if (cell && cell->kind == TERM_EMPTY && column < (long)d->area.right && row >= (long)d->area.top)
            canvas_put(&d->canvas, column, row, mark->vertical ? term_glyph(d, "┊", ":") : term_glyph(d, "┈", "."),
                       &(struct term_ink){.kind = TERM_FRAME, .color = color});
    }
}

/* If there are strong lines, the others have half of their dots, except clear lines. */
static void draw_term_draw_line(struct term_drawing *d, size_t index, bool any_strong) {
    const struct plot_line *line = &d->plot->lines[index];
    struct trace trace;
    d->canvas.owner = index + 1;
    int color = term_color(d->terminal, line->color);
    bool faint = any_strong && line->width < 2 && !line->clear;
    if (term_trace(d, line, &trace))
        for (size_t i = 1; i < trace.count; i++)
            if (!trace.stops[i].begins)
                canvas_line(&d->canvas, trace.stops[i - 1].at, trace.stops[i].at, color, line->dash,
                            line->width >= 2 ? TERM_STRONG
                            : faint          ? TERM_FAINT
                                             : TERM_PLAIN);
    trace_free(&trace);
}

static void draw_point(struct term_drawing *d, const struct plot_point *point) {
    struct vec at;
    if (term_find_point(d, point, &at))
        canvas_put(&d->canvas, (long)at.x, (long)at.y, term_shape(d, point),
                   &(struct term_ink){TERM_POINT, term_color(d->terminal, point->color), true});
}

/* A labelled band is a bar: a row of blocks, if it has a colour, and its label behind it, or on its end if there is no
 * room. */
static void draw_bar(struct term_drawing *d, const struct plot_band *band) {
    const double y = (band->y_low[0] + band->y_high[0]) / 2;
    const struct vec a = trace_point(d->plot, &d->area, band->x[0], y),
                     b = trace_point(d->plot, &d->area, band->x[1], y);
    if (!band->label || isnan(a.x + a.y + b.x))
        return;
    const struct term_ink ink = {TERM_LINE, term_color(d->terminal, band->color), false};
    const char *block = band->color.a < 1 ? term_glyph(d, "░", "-") : term_glyph(d, "█", "#");
    const long row = (long)fmin(a.y, d->area.bottom - 1), end = (long)fmin(round(b.x), d->area.right - 1);
    for (long column = (long)a.x; column < end && band->color.a > 0; column++)
        canvas_put(&d->canvas, column, row, block, &ink);
    const double room = floor(d->area.right) - (double)term_columns(band->label),
                 behind = fmax(d->area.left + 1, fmin((double)end + 1, room));
    draw_term_put_text(d, behind - 1, (double)row, " ", TERM_DEFAULT, false);
    draw_term_put_text(d, behind, (double)row, band->label, TERM_DEFAULT, band->color.a >= 1);
}

static void draw_term_draw(struct term_drawing *d, size_t rows, FILE *out) {
    const struct plot *plot = d->plot;
    make_frame(d, rows);
    if (!canvas_init(&d->canvas, d->terminal->columns, rows + 4, d->terminal)) {
        d->out_of_memory = true;
        return;
    }
    draw_y_axis(d);
    draw_x_axis(d);
    for (size_t i = 0; i < plot->mark_count; i++)
        draw_mark(d, &plot->marks[i]);
    for (size_t i = 0; i < plot->band_count; i++)
        draw_bar(d, &plot->bands[i]);
    bool any_strong = false;
    for (size_t i = 0; i < plot->line_count; i++)
        any_strong |= plot->lines[i].width >= 2;
    for (size_t i = 0; i < plot->line_count; i++)
        draw_term_draw_line(d, i, any_strong);
    for (size_t i = 0; i < plot->point_count; i++)
        draw_point(d, &plot->points[i]);
    term_labels_write(d);
    term_rows_header(d, out);
    canvas_print(&d->canvas, out);
    fputc('\n', out);
    term_rows_print(d, out);
}

static bool draw_term_fail(struct plot_error *err, const char *text) {
    snprintf(err->text, sizeof err->text, "%s", text);
    err->out_of_memory = false;
    return false;
}

/* A row for each bar, and some between them. */
static size_t default_rows(const struct plot *plot, size_t columns) {
    size_t rows = columns * 27 / 100, bars = 0;
    for (size_t i = 0; i < plot->band_count; i++)
        bars += plot->bands[i].label != NULL;
    rows = 3 * bars / 2 > rows ? 3 * bars / 2 : rows;
    return rows < LEAST_ROWS ? LEAST_ROWS : rows > MAX_ROWS ? MAX_ROWS : rows;
}

/* Prepares the places; the drawing sets the rest of `d`. */
static size_t draw_term_lay_out(struct term_drawing *d, struct plot_terminal *terminal, const struct metrics *metrics) {
    terminal->columns = terminal->columns ? terminal->columns : PLOT_TERMINAL_COLUMNS;
    const size_t rows = terminal->rows ? terminal->rows : default_rows(d->plot, terminal->columns);
    page_init(&d->page, (double)terminal->columns, 1000, metrics);
    return rows < LEAST_ROWS ? LEAST_ROWS : rows;
}

bool plot_text(const struct plot *plot, const struct plot_terminal *wanted, char **text, struct plot_error *err) {
    struct plot_terminal terminal = *wanted;
    const struct metrics metrics = {.width = draw_term_width_of};
    struct term_drawing d = {.plot = plot, .terminal = &terminal};
    char trouble[256];
    size_t length;
    *text = NULL;
    const size_t rows = draw_term_lay_out(&d, &terminal, &metrics);
    if (terminal.columns < PLOT_TERMINAL_LEAST || terminal.columns > PLOT_TERMINAL_MAX)
        return draw_term_fail(err, "a chart in a terminal needs 60 to 500 columns");
    if (plot_trouble(plot, PLOT_WIDTH, PLOT_HEIGHT, trouble, sizeof trouble))
        return draw_term_fail(err, trouble);
    FILE *out = text_stream(text, &length);
    d.line_tags = calloc(plot->line_count + 1, sizeof *d.line_tags);
    d.point_tags = calloc(plot->point_count + 1, sizeof *d.point_tags);
    d.line_rows = calloc(plot->line_count + 1, sizeof *d.line_rows);
    d.out_of_memory = !out || !d.line_tags || !d.point_tags || !d.line_rows;
    if (!d.out_of_memory && plot->heat) {
        term_rows_header(&d, out);
        d.out_of_memory |= !term_heat_print(plot, &terminal, out);
    } else if (!d.out_of_memory) {
        draw_term_draw(&d, rows, out);
    }
    bool complete = out && text_stream_close(out) && !d.out_of_memory && !d.page.out_of_memory;
    canvas_free(&d.canvas);
    page_free(&d.page);
    free(d.line_tags);
    free(d.point_tags);
    free(d.line_rows);
    if (complete)
        return true;
    free(*text);
    *text = NULL;
    draw_term_fail(err, "not enough memory to draw the chart");
    err->out_of_memory = true;
    return false;
}

static struct vec draw_term_scaled(struct vec v) {
    return (struct vec){v.x, 2 * v.y};
}

static double draw_term_distance(struct vec from, struct vec a, struct vec b) {
    const double x = b.x - a.x, y = b.y - a.y, length = x * x + y * y;
    const double along = length > 0 ? fmax(0, fmin(1, ((from.x - a.x) * x + (from.y - a.y) * y) / length)) : 0;
    return hypot(from.x - a.x - along * x, from.y - a.y - along * y);
}

static double distance_of_line(struct term_drawing *d, const struct plot_line *line, struct vec from) {
    double least = INFINITY;
    struct trace trace;
    if (term_trace(d, line, &trace))
        for (size_t i = 1; i < trace.count; i++)
            if (!trace.stops[i].begins)
                least = fmin(least, draw_term_distance(from, draw_term_scaled(trace.stops[i - 1].at),
                                                       draw_term_scaled(trace.stops[i].at)));
    trace_free(&trace);
    return least;
}

/* Number of lines of text above the chart. */
static size_t count_header(struct term_drawing *d) {
    char *text = NULL;
    size_t length, count = 0;
    FILE *out = text_stream(&text, &length);
    if (out)
        term_rows_header(d, out);
    d->out_of_memory |= !out || !text_stream_close(out);
    for (const char *c = text; c && *c; c++)
        count += *c == '\n';
    free(text);
    return count;
}

bool plot_text_distances(const struct plot *plot, const struct plot_terminal *wanted, struct plot_character character,
                         double *lines, double *points) {
    struct plot_terminal terminal = *wanted;
    const struct metrics metrics = {.width = draw_term_width_of};
    struct term_drawing d = {.plot = plot, .terminal = &terminal};
    make_frame(&d, draw_term_lay_out(&d, &terminal, &metrics));
    const struct vec at = {(double)character.column + 0.5, (double)character.row - (double)count_header(&d) + 0.5};
    for (size_t i = 0; i < plot->line_count; i++)
        lines[i] = distance_of_line(&d, &plot->lines[i], draw_term_scaled(at));
    for (size_t i = 0; i < plot->point_count; i++) {
        struct vec own;
        const bool drawn = term_find_point(&d, &plot->points[i], &own);
        points[i] =
            drawn ? draw_term_distance(draw_term_scaled(at), draw_term_scaled(own), draw_term_scaled(own)) : INFINITY;
    }
    page_free(&d.page);
    return !d.out_of_memory && frame_contains(&d.area, at);
}
