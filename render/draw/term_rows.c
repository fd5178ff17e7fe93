/* SPDX-License-Identifier: BSD-3-Clause
 * What stands above a chart in a terminal, and the rows below it: lines whose labels had no room, and every point with
 * its place and its verdict. */
#include "term_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/page/units.h"

static const char *const DASHES[][2] = {[PLOT_SOLID] = {"──", "--"},
                                        [PLOT_DASHED] = {"╌╌", "- "},
                                        [PLOT_DOTTED] = {"┄┄", ".."},
                                        [PLOT_DASH_DOTTED] = {"─·", "-."}};

static const struct text_style UNIT = {.size = 1};

/* How a paragraph looks: what stands before its first line, its colour, and how many lines it may take. */
struct paragraph_look {
    const char *before;
    int color;
    bool bold;
    size_t most_lines;
};

static void print_wrapped(struct term_drawing *d, const char *text, const struct paragraph_look *look, FILE *out) {
    char *copy = term_copy(d, text), *lines[8] = {NULL};
    size_t indent = term_columns(look->before), count = 0;
    if (copy)
        count = page_text_wrap(&d->page, copy, &UNIT, (double)(d->terminal->columns - indent), lines, look->most_lines);
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
        print_wrapped(d, plot->title, &title, out);
    if (plot->subtitle)
        print_wrapped(d, plot->subtitle, &subtitle, out);
    for (size_t i = 0; i < plot->note_count; i++)
        print_wrapped(d, plot->notes[i], &note, out);
    fputc('\n', out);
}

/* "   AVX2 FMA  54 Gflop/s": a sign in its colour, then the text, cut to the width. */
static void print_row(struct term_drawing *d, const char *sign, int color, const char *tag, const char *text,
                      FILE *out) {
    char *copy = term_copy(d, text), *fitted = NULL;
    size_t before = 2 + term_columns(sign) + 1 + (*tag ? term_columns(tag) + 1 : 0);
    if (copy)
        fitted = page_text_fit(&d->page, copy, &UNIT, (double)(d->terminal->columns - before));
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
    for (size_t i = 0; i < d->plot->line_count; i++) {
        const struct plot_line *line = &d->plot->lines[i];
        if (!line->label || !d->line_rows[i])
            continue;
        char *text = term_label(d, line, 0);
        if (text)
            print_row(d, DASHES[line->dash][!d->terminal->unicode], term_color(d->terminal, line->color),
                      d->line_tags[i], text, out);
        free(text);
    }
    for (size_t i = 0; i < d->plot->band_count; i++)
        if (d->plot->bands[i].legend) {
            struct plot_color color = d->plot->bands[i].color;
            print_row(d, term_glyph(d, "▒▒", "::"), term_color(d->terminal, color), "", d->plot->bands[i].legend, out);
        }
}

/* "Performance  [Gflop/s]" → "Gflop/s". */
static const char *unit_of(const struct plot_axis *axis, char *out, size_t size) {
    const char *open = axis->title ? strchr(axis->title, '[') : NULL;
    snprintf(out, size, "%.*s", open ? (int)strcspn(open + 1, "]") : 0, open ? open + 1 : "");
    return out;
}

/* The row of an axis that counts things; NULL: it does not, or there is none. */
static const char *row_name(const struct plot_axis *axis, double at) {
    const double row = round(at);
    return row >= 0 && row < (double)axis->name_count ? axis->names[(size_t)row] : NULL;
}

/* Each point with its place and its verdict. */
static void print_point_rows(struct term_drawing *d, FILE *out) {
    const struct plot *plot = d->plot;
    char unit[32], x_unit[32], y_text[32], x_text[32], row[512];
    unit_of(&plot->y, unit, sizeof unit);
    unit_of(&plot->x, x_unit, sizeof x_unit);
    for (size_t i = 0; i < plot->point_count; i++) {
        const struct plot_point *point = &plot->points[i];
        if (point->legend)
            print_row(d, term_shape(d, point), term_color(d->terminal, point->color), "", point->legend, out);
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
        print_row(d, term_shape(d, point), term_color(d->terminal, point->color), d->point_tags[i], row, out);
    }
}

void term_rows_print(struct term_drawing *d, FILE *out) {
    print_line_rows(d, out);
    print_point_rows(d, out);
}
