/* SPDX-License-Identifier: BSD-3-Clause
 * The waterfall of one ratio, and small waterfalls of many. */
#include "chart_compare.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/report/why_report.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "render/page/units.h"

/* These functions draw the waterfalls of many ratios. */

enum { MOST_BARS = WATERFALLS_MOST * WHY_FACTORS, HEIGHT_OF_ROW = 44 }; /* in points */
static const double ALL_ROOM = 1.15, BARS_SHARE = 0.56;                 /* beside the values; of a row's height */

struct waterfalls {
    size_t row_count, line_count, point_count;
    char title[256], axis[160], names[WATERFALLS_MOST][96];
    const char *axis_names[WATERFALLS_MOST]; /* from the lowest row upwards */
    double x[2 * MOST_BARS][2], y[2 * MOST_BARS][2], low, high;
    struct plot_line lines[2 * MOST_BARS];
    struct plot_point points[MOST_BARS + WATERFALLS_MOST];
    struct plot_mark one;
    bool is_told[WHY_FACTORS]; /* already in the legend */
};

static struct plot_line *add_all_line(struct waterfalls *w, double x0, double y0, double x1, double y1) {
    const size_t slot = w->line_count++;
    w->x[slot][0] = x0, w->x[slot][1] = x1;
    w->y[slot][0] = y0, w->y[slot][1] = y1;
    w->lines[slot] = (struct plot_line){.count = 2, .x = w->x[slot], .y = w->y[slot]};
    return &w->lines[slot];
}

static void chart_why_add_bar(struct waterfalls *w, enum why_factor factor, double from, double to, double y) {
    static const char *const LEGENDS[WHY_FACTORS] = {"clock",         "per cycle; for latencies the cycles",
                                                     "another level", "clock and per cycle in one",
                                                     "cores",         "cannot be split",
                                                     "idle latency",  "under load"};
    struct plot_line *bar = add_all_line(w, from, y, to, y);
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
static void chart_why_name_row(const struct why *why, char *out, size_t size) {
    const bool doubted = doubts_any(doubts_union(why->from.roof->sample->doubts, why->to.roof->sample->doubts));
    char title[WHY_TITLE_BYTES], number[UNITS_BYTES];
    snprintf(out, size, "%.40s   %s%s%s", why_title(why, title, sizeof title), why->alike ? "≈" : "",
             units_digits(number, sizeof number, why->ratio, 3), doubted ? " ▲" : "");
}

/* Adds the bars of one row from above, each from the end of the bar before it, and the ratio at the end of the last
 * bar. */
static void chart_why_add_row(struct waterfalls *w, const struct why *why, double row) {
    size_t count = 0, at = 0;
    double value = 1, y = row;
    for (int f = 0; f < WHY_FACTORS; f++)
        count += isnan(why->factors[f]) == 0;
    for (int f = 0; f < WHY_FACTORS; f++) {
        if (isnan(why->factors[f]))
            continue;
        const double next = count > 1 ? row + BARS_SHARE * (0.5 - (double)at / (double)(count - 1)) : row;
        if (at++ > 0) {
            struct plot_line *thread = add_all_line(w, value, y, value, next);
            thread->color = PALETTE_GREY, thread->width = 0.8, thread->dash = PLOT_DOTTED;
        }
        y = next;
        chart_why_add_bar(w, (enum why_factor)f, value, value * why->factors[f], y);
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
        const size_t row = count - 1 - w->row_count; /* the first row is at the top */
        chart_why_name_row(&list->list[w->row_count], w->names[row], sizeof w->names[0]);
        w->axis_names[row] = w->names[row];
        chart_why_add_row(w, &list->list[w->row_count], (double)row);
    }
    snprintf(w->title, sizeof w->title, "Why %.60s differs from %.60s", to, from);
    snprintf(w->axis, sizeof w->axis, "Ratio to %.60s", from);
    w->one = (struct plot_mark){.vertical = true, .at = 1, .color = PALETTE_DARK_GREY};
    const double room = fmax(ALL_ROOM, pow(w->high / w->low, 0.08));
    out->plot = (struct plot){
        .title = w->title,
        .subtitle = "each ratio as a product of factors, from 1",
        .x = {.title = w->axis, .scale = PLOT_LOG10, .min = w->low / room, .max = w->high * room},
        .y = {.min = -0.6, .max = (double)count - 0.4, .name_count = count, .names = w->axis_names},
        .line_count = w->line_count,
        .lines = w->lines,
        .mark_count = 1,
        .marks = &w->one,
        .point_count = w->point_count,
        .points = w->points,
        .footer =
            "On the logarithmic axis equal factors are equally long. Each with the best kernel of its machine. Lower "
            "latency is better. ▲ warnings about one of the two."};
    out->plot.rows_height = HEIGHT_OF_ROW * (double)count;
}

/* No higher than its rows need. */
static bool write_low(struct picture *picture, const struct chart_options *options, const char *path,
                      struct error *err) {
    struct chart_options sized = *options;
    if (!(sized.height > 0))
        sized.height = chart_rows_page(&picture->plot, options->style ? options->style : &plot_styles[0]);
    return picture_write(picture, &sized, path, err);
}

bool chart_waterfalls(const struct comparison *c, const struct why_list *list, const struct chart_options *options,
                      const char *path, struct error *err) {
    struct picture picture;
    waterfalls_make(c, list, &picture);
    return write_low(&picture, options, path, err);
}

enum { MAX_STEPS = WHY_FACTORS + 2, HEIGHT_OF_STEP = 68 }; /* in points */
static const double ROOM = 1.12;                           /* times beyond the values */

/* A row, from the end of the row above it. The first and the last row are values. */
struct waterfall_step {
    double from, to;
    bool is_value;
    struct plot_color color;
    char name[64], label[64], words[WHY_WORDS_BYTES];
};

struct waterfall {
    size_t count, point_count; /* number of steps and of points */
    struct waterfall_step steps[MAX_STEPS];
    char title[384], subtitle[WHY_WORDS_BYTES], axis[64], note_text[2][320];
    size_t note_count;
    const char *notes[2]; /* doubts of each end */
    const char *names[MAX_STEPS];
    double x[2 * MAX_STEPS][2], y[2 * MAX_STEPS][2];
    struct plot_line lines[2 * MAX_STEPS]; /* a bar for each step, and a thread down to the next */
    struct plot_point points[2 * MAX_STEPS];
};

static struct waterfall_step *chart_why_add_step(struct waterfall *w, double from, double to, struct plot_color color) {
    struct waterfall_step *step = &w->steps[w->count++];
    *step = (struct waterfall_step){.from = from, .to = to, .color = color};
    return step;
}

static void chart_why_add_value(struct waterfall *w, const struct why *why, const struct why_end *end,
                                const char *label) {
    struct waterfall_step *step = chart_why_add_step(w, end->value, end->value, PALETTE_BLACK);
    step->is_value = true;
    snprintf(step->name, sizeof step->name, "%.40s", label);
    why_value(why, end->value, step->label, sizeof step->label);
    snprintf(step->words, sizeof step->words, "%s", end->roof->sample->kernel);
}

struct plot_color waterfall_color(enum why_factor factor) {
    const struct plot_color colors[WHY_FACTORS] = {PALETTE_BLUE,   PALETTE_GREEN,     PALETTE_PURPLE, PALETTE_GREEN,
                                                   PALETTE_ORANGE, PALETTE_DARK_GREY, PALETTE_BLUE,   PALETTE_ORANGE};
    return colors[factor];
}

static void add_factors(struct waterfall *w, const struct why *why) {
    double value = why->from.value;
    for (int f = 0; f < WHY_FACTORS; f++) {
        char number[UNITS_BYTES];
        if (isnan(why->factors[f]))
            continue;
        struct waterfall_step *step =
            chart_why_add_step(w, value, value * why->factors[f], waterfall_color((enum why_factor)f));
        value = step->to;
        snprintf(step->name, sizeof step->name, "%s", why_factor_label(why, (enum why_factor)f));
        snprintf(step->label, sizeof step->label, "× %s", units_digits(number, sizeof number, why->factors[f], 3));
        why_factor_words(why, (enum why_factor)f, step->words, sizeof step->words);
    }
}

static struct plot_line *chart_why_add_line(struct waterfall *w, size_t slot, double x0, double y0, double x1,
                                            double y1) {
    w->x[slot][0] = x0, w->x[slot][1] = x1;
    w->y[slot][0] = y0, w->y[slot][1] = y1;
    w->lines[slot] = (struct plot_line){.count = 2, .x = w->x[slot], .y = w->y[slot]};
    return &w->lines[slot];
}

/* Adds a marker at the end of the step. The label is right of the whole bar: if the bar goes to the left, a point
 * without size has the label. */
static void chart_why_add_points(struct waterfall *w, const struct waterfall_step *step, double y) {
    struct plot_point marker = {.x = step->to,
                                .y = y,
                                .radius = step->is_value ? 5.5 : 4.5,
                                .shape = step->is_value ? PLOT_DIAMOND : PLOT_CIRCLE,
                                .color = step->color};
    if (step->to < step->from) {
        w->points[w->point_count++] = marker;
        marker.x = step->from, marker.radius = 0.01;
    }
    marker.label = step->label, marker.sublabel = step->words;
    w->points[w->point_count++] = marker;
}

/* The first step is the top row. */
static size_t chart_why_add_lines(struct waterfall *w) {
    size_t used = 0;
    for (size_t i = 0; i < w->count; i++) {
        const struct waterfall_step *step = &w->steps[i];
        const double y = (double)(w->count - 1 - i);
        w->names[w->count - 1 - i] = step->name;
        chart_why_add_points(w, step, y);
        if (!step->is_value) {
            struct plot_line *bar = chart_why_add_line(w, used++, step->from, y, step->to, y);
            bar->color = step->color, bar->width = 6;
        }
        if (i + 1 < w->count) {
            struct plot_line *thread = chart_why_add_line(w, used++, step->to, y, step->to, y - 1);
            thread->color = PALETTE_GREY, thread->width = 0.8, thread->dash = PLOT_DOTTED;
        }
    }
    return used;
}

/* Writes the titles and the unit of the values. */
static void chart_why_write_texts(const struct comparison *c, const struct why *why, struct waterfall *w) {
    char title[WHY_TITLE_BYTES], product[WHY_WORDS_BYTES];
    snprintf(w->title, sizeof w->title, "%.200s · why %.50s differs from %.50s", why_title(why, title, sizeof title),
             c->sides[compare_turn(c, 1)].label, c->sides[compare_turn(c, 0)].label);
    snprintf(w->subtitle, sizeof w->subtitle, "%s", why_product(why, product, sizeof product));
    snprintf(w->axis, sizeof w->axis, "%s  [%s%s]",
             why->key.kind == SAMPLE_COMPUTE     ? "Peak"
             : why->key.kind == SAMPLE_BANDWIDTH ? "Bandwidth"
                                                 : "Latency, lower is better",
             why->key.kind == SAMPLE_LATENCY ? "n" : "G", roof_key_unit(&why->key));
}

static void chart_why_add_notes(const struct comparison *c, const struct why *why, struct waterfall *w) {
    const struct doubts doubts[] = {why->from.roof->sample->doubts, why->to.roof->sample->doubts};
    char names[200];
    for (size_t turn = 0; turn < 2; turn++) {
        if (!doubts_any(doubts[turn]))
            continue;
        snprintf(w->note_text[w->note_count], sizeof w->note_text[0], "%s: %s", c->sides[compare_turn(c, turn)].label,
                 doubt_names(doubts[turn], names, sizeof names));
        w->notes[w->note_count] = w->note_text[w->note_count];
        w->note_count++;
    }
}

/* The end of the axis at which the words right of each bar have room. */
static double chart_why_axis_end(const struct waterfall *w, double min, double max, double page_width) {
    const double around = 75, gap = 25, most_share = 0.75,
                 smaller = 0.8; /* points; of the axis; words have small type */
    double names = 0;
    for (size_t i = 0; i < w->count; i++)
        names = fmax(names, chart_text_width(w->steps[i].name));
    const double width = page_width - around - names;
    for (size_t i = 0; i < w->count; i++) {
        const struct waterfall_step *step = &w->steps[i];
        const double words = gap + fmax(chart_text_width(step->label), smaller * chart_text_width(step->words));
        max = fmax(max, min * pow(fmax(step->from, step->to) / min, 1 / (1 - fmin(most_share, words / width))));
    }
    return max;
}

void waterfall_make(const struct comparison *c, const struct why *why, double page_width, struct picture *out) {
    struct waterfall *w = need_calloc(1, sizeof *w);
    *out = (struct picture){.blocks = {w}};
    chart_why_write_texts(c, why, w);
    chart_why_add_notes(c, why, w);
    chart_why_add_value(w, why, &why->from, c->sides[compare_turn(c, 0)].label);
    add_factors(w, why);
    chart_why_add_value(w, why, &why->to, c->sides[compare_turn(c, 1)].label);
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < w->count; i++) {
        low = fmin(low, w->steps[i].to);
        high = fmax(high, w->steps[i].to);
    }
    out->plot =
        (struct plot){.title = w->title,
                      .subtitle = w->subtitle,
                      .note_count = w->note_count,
                      .notes = w->notes,
                      .x = {.title = w->axis,
                            .scale = PLOT_LOG10,
                            .divisor = why->key.kind == SAMPLE_LATENCY ? 1e-9 : 1e9,
                            .min = low / ROOM,
                            .max = chart_why_axis_end(w, low / ROOM, high * ROOM, page_width)},
                      .y = {.min = -0.6, .max = (double)w->count - 0.4, .name_count = w->count, .names = w->names},
                      .line_count = chart_why_add_lines(w),
                      .lines = w->lines,
                      .point_count = w->point_count,
                      .points = w->points,
                      .footer = "On the logarithmic axis equal factors are equally long, and their product is the "
                                "whole distance."};
    out->plot.rows_height = HEIGHT_OF_STEP * (double)w->count;
}

bool chart_waterfall(const struct comparison *c, const struct why *why, const struct chart_options *options,
                     const char *path, struct error *err) {
    struct picture picture;
    waterfall_make(c, why, picture_width(options), &picture);
    return write_low(&picture, options, path, err);
}
