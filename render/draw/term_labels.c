/* SPDX-License-Identifier: BSD-3-Clause
 * Places of labels on a grid of characters: beside their lines and points, where they cover least. */
#include "term_drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/layout/place.h"

/* A text that needs a place. */
struct wanted {
    size_t length, owner; /* the line that it labels, from 1; 0: a point */
};
enum side { ON_LINE, ABOVE, BELOW, BEFORE_LINE, BEHIND_LINE }; /* where the text is, relative to what it labels */

static bool is_foreign(const struct term_cell *cell, const struct wanted *wanted) {
    return cell && cell->kind == TERM_LINE && cell->owner != wanted->owner;
}

/* Whether a text above or below its line would seem to label another level line, on its other side. */
static bool is_between(const struct term_drawing *d, long column, long row, const struct wanted *wanted,
                       enum side side) {
    const long beyond = side == ABOVE ? row - 1 : row + 1, length = (long)wanted->length;
    long foreign = 0;
    for (long c = column; c < column + length && (side == ABOVE || side == BELOW); c++)
        foreign += is_foreign(canvas_at(&d->canvas, c, beyond), wanted);
    return foreign > length / 2;
}

/* The cost of what the text hides there. Infinite over letters, points, and lines other than its own, and close to
 * letters and points. A line between the text and its own line costs, since the text would seem to label it. */
static double cover_cost(const struct term_drawing *d, long column, long row, const struct wanted *wanted,
                         enum side side) {
    const double of_line = 1.5, of_own = 0.2, between = 9;
    const long near = 6, end = column + (long)wanted->length, gap = wanted->owner ? 2 : 1;
    double cost = 0;
    if (column < (long)d->area.left || end > (long)d->area.right || row < (long)d->area.top ||
        row >= (long)d->area.bottom || is_between(d, column, row, wanted, side))
        return INFINITY;
    for (long c = column - gap; c < end + gap; c++) {
        const struct term_cell *cell = canvas_at(&d->canvas, c, row);
        bool close = side == BEHIND_LINE ? c < column + near : side == BEFORE_LINE && c >= end - near;
        if (!cell || c < (long)d->area.left || c >= (long)d->area.right)
            continue;
        const bool within = c >= column && c < end, line = cell->kind == TERM_LINE, foreign = is_foreign(cell, wanted);
        if (cell->kind >= TERM_POINT || (within && foreign && wanted->owner) ||
            (within && line && d->plot->lines[cell->owner - 1].clear))
            return INFINITY;
        if (foreign && wanted->owner && close)
            cost += between;
        else if (line && within)
            cost += foreign ? of_line : of_own;
    }
    return cost;
}

struct term_spot {
    long column, row;
    double cost;
};

/* `spot.cost`: the cost of the place itself. */
static void consider(const struct term_drawing *d, struct term_spot *best, struct term_spot spot,
                     const struct wanted *wanted, enum side side) {
    if (spot.cost < best->cost)
        spot.cost += cover_cost(d, spot.column, spot.row, wanted, side);
    if (spot.cost < best->cost)
        *best = spot;
}

/* Tries places beside each part of the line: before and behind it, or if it is level, above, below and at last on it.
 * The proper place costs least: near the beginning of a rising line, or near the end. */
static struct term_spot find_beside(const struct term_drawing *d, const struct trace *trace, bool at_end,
                                    const struct wanted *wanted) {
    struct term_spot best = {.cost = INFINITY};
    double first = trace->stops[0].at.x, span = fmax(1, trace->stops[trace->count - 1].at.x - first);
    const double away = 12, on_line = 8;
    const long size = (long)wanted->length;
    for (size_t i = 1; i < trace->count; i++) {
        struct vec a = trace->stops[i - 1].at, b = trace->stops[i].at;
        if (trace->stops[i].begins)
            continue;
        const bool level = fabs(b.y - a.y) < 1 && fabs(b.x - a.x) > 4;
        long steps = (long)ceil(fmax(fabs(b.x - a.x), fabs(b.y - a.y)));
        for (long s = 0; s <= steps; s++) {
            double share = steps ? (double)s / (double)steps : 0, x = a.x + share * (b.x - a.x),
                   y = a.y + share * (b.y - a.y), along = (x - first) / span;
            double cost = away * fabs(along - (at_end ? 1 : 0.2));
            long column = (long)floor(x), row = (long)floor(y);
            if (level && column - size + 1 < (long)floor(fmin(a.x, b.x)) && fabs(b.x - a.x) > (double)size)
                continue; /* beside its line */
            if (level) {
                consider(d, &best, (struct term_spot){column - size + 1, row - 1, cost}, wanted, ABOVE);
                consider(d, &best, (struct term_spot){column - size + 1, row + 1, cost + 1}, wanted, BELOW);
                consider(d, &best, (struct term_spot){column - size - 1, row, cost + on_line}, wanted, ON_LINE);
            } else {
                consider(d, &best, (struct term_spot){column - size - 1, row, cost}, wanted, BEFORE_LINE);
                consider(d, &best, (struct term_spot){column + 3, row, cost}, wanted, BEHIND_LINE);
            }
        }
    }
    return best;
}

/* Letters for lines, numbers for points. */
static void next_tag(struct term_drawing *d, char out[TERM_TAG_BYTES]) {
    size_t n = d->tags++;
    if (n < 26)
        snprintf(out, TERM_TAG_BYTES, "%c", (char)('A' + n));
    else
        snprintf(out, TERM_TAG_BYTES, "%c%zu", (char)('A' + n % 26), n / 26 % 10000);
}

char *term_label(struct term_drawing *d, const struct plot_line *line, int form) {
    const char *two = strstr(line->label, "  "), *sublabel = form == 0   ? line->sublabel
                                                             : form == 3 ? NULL
                                                                         : line->short_sublabel;
    const char *label = form >= 2 && line->short_label ? line->short_label : line->label;
    char *text = NULL, *copy;
    int length = form >= 2 && two && label == line->label ? (int)(two - label) : (int)strlen(label);
    if (!sublabel)
        sublabel = "";
    if (asprintf(&text, "%.*s%s%s", length, label, *sublabel ? "  " : "", sublabel) < 0)
        text = NULL;
    copy = text ? term_copy(d, text) : NULL;
    d->out_of_memory |= !copy;
    free(text);
    return copy;
}

/* If the full label covers too much, tries shorter forms; a row below then has the full label. */
static void label_line(struct term_drawing *d, size_t i) {
    const struct plot_line *line = &d->plot->lines[i];
    static const double DEAREST[] = {20, 16, 16, 40};
    int color = term_color(d->terminal, line->color);
    bool at_end = line->label_place == PLOT_LABEL_END, placed = false;
    struct trace trace;
    d->line_rows[i] = true;
    if (!term_trace(d, line, &trace) || trace.count == 0) {
        d->line_rows[i] = trace.count > 0 || line->label_place == PLOT_LABEL_LEGEND;
        trace_free(&trace);
        return;
    }
    const bool first_word = line->short_label || strstr(line->label, "  ");
    for (int form = 0; form < 4 && !placed && line->label_place != PLOT_LABEL_LEGEND; form++) {
        if (form == 1 && !(line->sublabel && *line->sublabel))
            continue;
        if ((form == 2 && !first_word) || (form == 3 && !line->short_sublabel && !first_word))
            continue;
        char *text = term_label(d, line, form);
        struct term_spot spot = {.cost = INFINITY};
        if (text)
            spot = find_beside(d, &trace, at_end, &(struct wanted){term_columns(text), i + 1});
        placed = spot.cost < DEAREST[form];
        if (placed)
            canvas_text(&d->canvas, spot.column, spot.row, text, color, line->width >= 2);
        d->line_rows[i] = !placed || form > 0;
        free(text);
    }
    if (!placed && line->label_place != PLOT_LABEL_LEGEND) {
        next_tag(d, d->line_tags[i]);
        struct term_spot spot = find_beside(d, &trace, at_end, &(struct wanted){strlen(d->line_tags[i]), i + 1});
        if (spot.cost < INFINITY)
            canvas_text(&d->canvas, spot.column, spot.row, d->line_tags[i], color, true);
    }
    trace_free(&trace);
}

static bool place_around_point(struct term_drawing *d, struct vec at, const char *text, int color, double dearest) {
    struct term_spot best = {.cost = dearest};
    long column = (long)at.x, row = (long)at.y, size = (long)term_columns(text);
    const struct wanted wanted = {(size_t)size, 0};
    const struct term_spot SPOTS[] = {{column + 2, row, 0},
                                      {column - 1 - size, row, 1},
                                      {column + 2, row - 1, 2},
                                      {column + 2, row + 1, 2},
                                      {column - size / 2, row - 1, 2},
                                      {column - size / 2, row + 1, 2},
                                      {column - 1 - size, row - 1, 3},
                                      {column - 1 - size, row + 1, 3}};
    for (size_t i = 0; i < sizeof SPOTS / sizeof SPOTS[0]; i++)
        consider(d, &best, SPOTS[i], &wanted, ON_LINE);
    if (best.cost < dearest)
        canvas_text(&d->canvas, best.column, best.row, text, color, false);
    return best.cost < dearest;
}

/* Writes a point's name; of many, and without room for it, its number in the rows below. */
static void label_point(struct term_drawing *d, size_t i) {
    const struct plot_point *point = &d->plot->points[i];
    struct vec at;
    if (!point->label || !term_find_point(d, point, &at))
        return;
    int color = term_color(d->terminal, point->color);
    char *text = term_copy(d, point->label), number[TERM_TAG_BYTES];
    snprintf(number, sizeof number, "%zu", (i + 1) % 100000);
    if (text && (point->numbered || !place_around_point(d, at, text, color, 14)) && !point->optional &&
        place_around_point(d, at, number, color, 40))
        memcpy(d->point_tags[i], number, sizeof number);
    free(text);
}

static void label_mark(struct term_drawing *d, const struct plot_mark *mark) {
    struct vec at = trace_point(d->plot, &d->area, mark->at, d->plot->y.min);
    if (!mark->label || !mark->vertical || isnan(at.x))
        return;
    char *text = term_copy(d, mark->label);
    struct term_spot best = {.cost = 3};
    if (text)
        consider(d, &best, (struct term_spot){(long)at.x + 1, (long)d->area.bottom - 1, 0},
                 &(struct wanted){term_columns(text), 0}, ON_LINE);
    if (best.cost < 3)
        canvas_text(&d->canvas, best.column, best.row, text, term_color(d->terminal, mark->color), false);
    free(text);
}

void term_labels_write(struct term_drawing *d) {
    const struct plot *plot = d->plot;
    struct label_rank *order = calloc(plot->line_count + plot->point_count + 1, sizeof *order);
    d->out_of_memory |= !order;
    if (order)
        label_order_of_lines(plot, order);
    for (size_t k = 0; order && k < plot->line_count; k++)
        if (plot->lines[order[k].index].label)
            label_line(d, order[k].index);
    if (order)
        label_order_of_points(plot, order);
    for (size_t k = 0; order && k < plot->point_count; k++)
        label_point(d, order[k].index);
    for (size_t i = 0; i < plot->mark_count; i++)
        label_mark(d, &plot->marks[i]);
    free(order);
}
