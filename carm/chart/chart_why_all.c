/* SPDX-License-Identifier: BSD-3-Clause
 * The waterfalls of many ratios (see chart_why.h). */
#include "chart_why.h"

#include <math.h>
#include <string.h>

#include "carm/report/why_words.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { MOST_BARS = WATERFALLS_MOST * WHY_FACTORS, HEIGHT_OF_ROW = 44, HEIGHT_AROUND = 210 }; /* in points */
static const double ROOM = 1.15, BARS_SHARE = 0.56; /* beside the values; of a row's height */

struct waterfalls {
    size_t row_count, line_count, point_count;
    char title[256], axis[160], names[WATERFALLS_MOST][96];
    const char *axis_names[WATERFALLS_MOST]; /* from the lowest row */
    double x[2 * MOST_BARS][2], y[2 * MOST_BARS][2], low, high;
    struct plot_line lines[2 * MOST_BARS];
    struct plot_point points[MOST_BARS + WATERFALLS_MOST];
    struct plot_mark one;
    bool is_told[WHY_FACTORS]; /* in the legend */
};

static struct plot_line *add_line(struct waterfalls *w, double x0, double y0, double x1, double y1) {
    const size_t slot = w->line_count++;
    w->x[slot][0] = x0, w->x[slot][1] = x1;
    w->y[slot][0] = y0, w->y[slot][1] = y1;
    w->lines[slot] = (struct plot_line){.count = 2, .x = w->x[slot], .y = w->y[slot]};
    return &w->lines[slot];
}

static void add_bar(struct waterfalls *w, enum why_factor factor, double from, double to, double y) {
    static const char *const LEGENDS[WHY_FACTORS] = {"clock",         "per cycle; of latencies the cycles",
                                                     "another level", "clock and per cycle in one",
                                                     "cores",         "not to be split"};
    struct plot_line *bar = add_line(w, from, y, to, y);
    bar->color = waterfall_color(factor), bar->width = 5;
    w->points[w->point_count++] = (struct plot_point){.x = to,
                                                      .y = y,
                                                      .radius = 3,
                                                      .color = waterfall_color(factor),
                                                      .legend = w->is_told[factor] ? NULL : LEGENDS[factor]};
    w->is_told[factor] = true;
    w->low = fmin(w->low, to), w->high = fmax(w->high, to);
}

/* "DRAM, all cores  1.94 ▲" */
static void name_row(const struct why *why, char *out, size_t size) {
    const bool doubted = doubts_any(doubts_union(why->from.roof->sample->doubts, why->to.roof->sample->doubts));
    char title[WHY_TITLE_BYTES], number[UNITS_BYTES];
    snprintf(out, size, "%.40s   %s%s%s", why_title(why, title, sizeof title), why->alike ? "≈" : "",
             units_digits(number, sizeof number, why->ratio, 3), doubted ? " ▲" : "");
}

/* The bars of one row from above, each from where the one before it ends, and the ratio at the last one's end. */
static void add_row(struct waterfalls *w, const struct why *why, double row) {
    size_t count = 0, at = 0;
    double value = 1, y = row;
    for (int f = 0; f < WHY_FACTORS; f++)
        count += isnan(why->factors[f]) == 0;
    for (int f = 0; f < WHY_FACTORS; f++) {
        if (isnan(why->factors[f]))
            continue;
        const double next = count > 1 ? row + BARS_SHARE * (0.5 - (double)at / (double)(count - 1)) : row;
        if (at++ > 0) {
            struct plot_line *thread = add_line(w, value, y, value, next);
            thread->color = PALETTE_GREY, thread->width = 0.8, thread->dash = PLOT_DOTTED;
        }
        y = next;
        add_bar(w, (enum why_factor)f, value, value * why->factors[f], y);
        value *= why->factors[f];
    }
    w->points[w->point_count++] =
        (struct plot_point){.x = value, .y = y, .radius = 4.5, .shape = PLOT_DIAMOND, .color = PALETTE_BLACK};
}

void waterfalls_make(const struct comparison *c, const struct why_list *list, struct picture *out) {
    struct waterfalls *w = need_calloc(1, sizeof *w);
    const size_t count = list->count < WATERFALLS_MOST ? list->count : WATERFALLS_MOST;
    const char *from = c->sides[compare_turn(c, 0)].label, *to = c->sides[compare_turn(c, 1)].label;
    *out = (struct picture){.blocks = {w}};
    w->low = w->high = 1;
    for (; w->row_count < count; w->row_count++) {
        const size_t row = count - 1 - w->row_count; /* the first is the uppermost */
        name_row(&list->list[w->row_count], w->names[row], sizeof w->names[0]);
        w->axis_names[row] = w->names[row];
        add_row(w, &list->list[w->row_count], (double)row);
    }
    snprintf(w->title, sizeof w->title, "Why %.60s differs from %.60s", to, from);
    snprintf(w->axis, sizeof w->axis, "Ratio to %.60s", from);
    w->one = (struct plot_mark){.vertical = true, .at = 1, .color = PALETTE_DARK_GREY};
    const double room = fmax(ROOM, pow(w->high / w->low, 0.08));
    out->plot = (struct plot){
        .title = w->title,
        .subtitle = "each ratio as a product: from 1, factor by factor",
        .x = {.title = w->axis, .scale = PLOT_LOG10, .min = w->low / room, .max = w->high * room},
        .y = {.min = -0.6, .max = (double)count - 0.4, .name_count = count, .names = w->axis_names},
        .line_count = w->line_count,
        .lines = w->lines,
        .mark_count = 1,
        .marks = &w->one,
        .point_count = w->point_count,
        .points = w->points,
        .footer = "On a logarithmic axis equal factors are equally long. Each with the best kernel of its machine. Of "
                  "latencies less is better. ▲ there are doubts about one of the two."};
    out->height = HEIGHT_AROUND + HEIGHT_OF_ROW * (double)count;
}

bool chart_waterfalls(const struct comparison *c, const struct why_list *list, const struct chart_options *options,
                      const char *path, struct error *err) {
    struct picture picture;
    waterfalls_make(c, list, &picture);
    return picture_write(&picture, picture.height, options, path, err);
}
