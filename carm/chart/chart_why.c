/* SPDX-License-Identifier: BSD-3-Clause
 * The waterfall of one ratio (see chart_why.h). */
#include "chart_why.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/report/why_words.h"
#include "probe/need.h"
#include "render/page/palette.h"
#include "render/page/units.h"

enum { MAX_STEPS = WHY_FACTORS + 2, HEIGHT_OF_STEP = 68, HEIGHT_AROUND = 190 }; /* in points: titles, axis, footer */
static const double ROOM = 1.12, ROOM_FOR_WORDS = 0.75; /* beside the values; for words right of the last: of the way */

/* A row: from where the one above it ends. The first and the last row are values. */
struct waterfall_step {
    double from, to;
    bool is_value;
    struct plot_color color;
    char name[64], label[64], words[WHY_WORDS_BYTES];
};

struct waterfall {
    size_t count, point_count; /* of steps, and of points */
    struct waterfall_step steps[MAX_STEPS];
    char title[384], subtitle[WHY_WORDS_BYTES], axis[64], note_text[2][320];
    size_t note_count;
    const char *notes[2]; /* the doubts of each end */
    const char *names[MAX_STEPS];
    double x[2 * MAX_STEPS][2], y[2 * MAX_STEPS][2];
    struct plot_line lines[2 * MAX_STEPS]; /* a bar for each step, and a thread down to the next */
    struct plot_point points[2 * MAX_STEPS];
};

static struct waterfall_step *add_step(struct waterfall *w, double from, double to, struct plot_color color) {
    struct waterfall_step *step = &w->steps[w->count++];
    *step = (struct waterfall_step){.from = from, .to = to, .color = color};
    return step;
}

static void add_value(struct waterfall *w, const struct why *why, const struct why_end *end, const char *label) {
    struct waterfall_step *step = add_step(w, end->value, end->value, PALETTE_BLACK);
    step->is_value = true;
    snprintf(step->name, sizeof step->name, "%.40s", label);
    why_value(why, end->value, step->label, sizeof step->label);
    snprintf(step->words, sizeof step->words, "%s", end->roof->sample->kernel);
}

struct plot_color waterfall_color(enum why_factor factor) {
    const struct plot_color colors[WHY_FACTORS] = {PALETTE_BLUE,  PALETTE_GREEN,  PALETTE_PURPLE,
                                                   PALETTE_GREEN, PALETTE_ORANGE, PALETTE_DARK_GREY};
    return colors[factor];
}

static void add_factors(struct waterfall *w, const struct why *why) {
    double value = why->from.value;
    for (int f = 0; f < WHY_FACTORS; f++) {
        char number[UNITS_BYTES];
        if (isnan(why->factors[f]))
            continue;
        struct waterfall_step *step = add_step(w, value, value * why->factors[f], waterfall_color((enum why_factor)f));
        value = step->to;
        snprintf(step->name, sizeof step->name, "%s", why_factor_label(why, (enum why_factor)f));
        snprintf(step->label, sizeof step->label, "× %s", units_digits(number, sizeof number, why->factors[f], 3));
        why_factor_words(why, (enum why_factor)f, step->words, sizeof step->words);
    }
}

static struct plot_line *add_line(struct waterfall *w, size_t slot, double x0, double y0, double x1, double y1) {
    w->x[slot][0] = x0, w->x[slot][1] = x1;
    w->y[slot][0] = y0, w->y[slot][1] = y1;
    w->lines[slot] = (struct plot_line){.count = 2, .x = w->x[slot], .y = w->y[slot]};
    return &w->lines[slot];
}

/* A marker where the step ends. Its label stands right of the whole bar: there by a point of no size, where the bar
 * goes to the left. */
static void add_points(struct waterfall *w, const struct waterfall_step *step, double y) {
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

/* The first step is the uppermost row. */
static size_t add_lines(struct waterfall *w) {
    size_t used = 0;
    for (size_t i = 0; i < w->count; i++) {
        const struct waterfall_step *step = &w->steps[i];
        const double y = (double)(w->count - 1 - i);
        w->names[w->count - 1 - i] = step->name;
        add_points(w, step, y);
        if (!step->is_value) {
            struct plot_line *bar = add_line(w, used++, step->from, y, step->to, y);
            bar->color = step->color, bar->width = 6;
        }
        if (i + 1 < w->count) {
            struct plot_line *thread = add_line(w, used++, step->to, y, step->to, y - 1);
            thread->color = PALETTE_GREY, thread->width = 0.8, thread->dash = PLOT_DOTTED;
        }
    }
    return used;
}

/* The titles, and what the values are in. */
static void write_texts(const struct comparison *c, const struct why *why, struct waterfall *w) {
    char title[WHY_TITLE_BYTES], product[WHY_WORDS_BYTES];
    snprintf(w->title, sizeof w->title, "%.200s · why %.50s differs from %.50s", why_title(why, title, sizeof title),
             c->sides[compare_turn(c, 1)].label, c->sides[compare_turn(c, 0)].label);
    snprintf(w->subtitle, sizeof w->subtitle, "%s", why_product(why, product, sizeof product));
    snprintf(w->axis, sizeof w->axis, "%s  [%s%s]",
             why->key.kind == SAMPLE_COMPUTE     ? "Peak"
             : why->key.kind == SAMPLE_BANDWIDTH ? "Bandwidth"
                                                 : "Latency, less is better",
             why->key.kind == SAMPLE_LATENCY ? "n" : "G", roof_key_unit(&why->key));
}

static void add_notes(const struct comparison *c, const struct why *why, struct waterfall *w) {
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

void waterfall_make(const struct comparison *c, const struct why *why, struct picture *out) {
    struct waterfall *w = need_calloc(1, sizeof *w);
    *out = (struct picture){.blocks = {w}};
    write_texts(c, why, w);
    add_notes(c, why, w);
    add_value(w, why, &why->from, c->sides[compare_turn(c, 0)].label);
    add_factors(w, why);
    add_value(w, why, &why->to, c->sides[compare_turn(c, 1)].label);
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < w->count; i++) {
        low = fmin(low, w->steps[i].to);
        high = fmax(high, w->steps[i].to);
    }
    const double wide = fmax(high / low, 1.2);
    out->plot =
        (struct plot){.title = w->title,
                      .subtitle = w->subtitle,
                      .note_count = w->note_count,
                      .notes = w->notes,
                      .x = {.title = w->axis,
                            .scale = PLOT_LOG10,
                            .divisor = why->key.kind == SAMPLE_LATENCY ? 1e-9 : 1e9,
                            .min = low / ROOM,
                            .max = high * ROOM * pow(wide, ROOM_FOR_WORDS)},
                      .y = {.min = -0.6, .max = (double)w->count - 0.4, .name_count = w->count, .names = w->names},
                      .line_count = add_lines(w),
                      .lines = w->lines,
                      .point_count = w->point_count,
                      .points = w->points,
                      .footer = "On a logarithmic axis equal factors are equally long, and their product is the "
                                "whole way."};
    out->height = HEIGHT_AROUND + HEIGHT_OF_STEP * (double)w->count;
}

bool chart_waterfall(const struct comparison *c, const struct why *why, const struct chart_options *options,
                     const char *path, struct error *err) {
    struct picture picture;
    waterfall_make(c, why, &picture);
    return picture_write(&picture, picture.height, options, path, err);
}
