/* SPDX-License-Identifier: BSD-3-Clause
 * Ratios to the base for each peak, level and latency: a bar from 1 per machine, or for many machines a strip of
 * dots. */
#include "chart_compare.h"
#include "picture.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/model/describe.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "carm/text/table.h"
#include "render/page/palette.h"
#include "render/page/style.h"
#include "render/page/units.h"

enum { MAX_ROWS = 32, NAME_BYTES = 80, MAX_BARS = 2 * COMPARE_COLUMNS * MAX_ROWS };
static const double LEAST_RATIO = 1e-3; /* the end of intervals that reach to 0, on an axis that has no 0 */
static const double SEEN_FROM = 0.02;   /* as a share of the ratio: narrower intervals are not drawn */
static const double BARS_SHARE = 0.76;  /* of a row's height */
static const double BAR_HEIGHT = 16.5;  /* points on the page: a number fits beside a bar */

/* For readers who know none of the words. */
#define WORDS                                                                                                          \
    "Peak: most operations per second, on numbers of 64 bits (f64), 32 (f32), 16 or 8. Bandwidth: most bytes per "     \
    "second from a cache (L1 to L3) or memory (DRAM). Latency: time of one access. Each by the best code of its "      \
    "machine. ↓ less is better. ▲ at a name: a value may be off by more than 25 %."

struct ratios {
    size_t row_count, bar_count; /* bars and intervals, each behind its bar */
    size_t last_interval;        /* its band; 0: none */
    const struct compare_row *rows[MAX_ROWS];
    char names[MAX_ROWS][NAME_BYTES];
    const char *axis_names[MAX_ROWS]; /* from the lowest row upwards */
    char title[256], subtitle[200], axis[160], legends[STRIPS_FEW + 1][COMPARE_NAME_BYTES], texts[MAX_BARS][24];
    struct plot_band bands[MAX_BARS];
    double x[MAX_BARS][2], low[MAX_BARS][2], high[MAX_BARS][2];
    struct plot_mark marks[2];
    struct strip strips[MAX_ROWS];
};

static bool has_ratio(const struct comparison *c, const struct compare_row *row, enum compare_per per) {
    bool any = false;
    for (size_t turn = 1; turn < c->side_count; turn++)
        any |= !isnan(compare_ratio(c, row, compare_turn(c, turn), per));
    return any;
}

/* Whether a roof of the row may be off by more than 25 %. */
static bool chart_ratios_is_vague(const struct comparison *c, const struct compare_row *row) {
    bool any = false;
    for (size_t i = 0; i < c->side_count; i++)
        any |= row->roofs[i] && describe_is_vague(row->roofs[i]->sample);
    return any;
}

/* Whether the row is of the view's type and cores, or a latency, which is of one core. `brief`: of one type, and of
 * latencies only memory's. */
static bool chart_ratios_is_shown(const struct comparison *c, const struct picture_view *view,
                                  const struct compare_row *row, bool brief) {
    const char *type = view->type || brief ? picture_type(view) : NULL;
    if (!has_ratio(c, row, view->per))
        return false;
    if (row->key.kind == SAMPLE_LATENCY)
        return row->key.cores <= 1 && (!brief || levels_is_memory(row->key.level));
    return row->key.cores == picture_cores(c, view) &&
           (row->key.kind != SAMPLE_COMPUTE || !type || strcmp(row->key.type, type) == 0);
}

/* Latencies are the last rows. */
static void chart_ratios_choose_rows(const struct comparison *c, const struct picture_view *view, bool brief,
                                     struct ratios *r) {
    const unsigned cores = picture_cores(c, view);
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < c->headline_count && r->row_count < MAX_ROWS; i++) {
            const struct compare_row *row = &c->headlines[i];
            const bool latency = row->key.kind == SAMPLE_LATENCY;
            if (latency != (pass == 1) || !chart_ratios_is_shown(c, view, row, brief))
                continue;
            r->rows[r->row_count] = row;
            snprintf(r->names[r->row_count++], NAME_BYTES, "%s%s%s%s",
                     row->key.kind == SAMPLE_COMPUTE ? row->key.type : row->key.level,
                     row->key.kind == SAMPLE_COMPUTE ? " peak"
                     : !latency                      ? " bandwidth"
                     : cores == 1 || cores == 0      ? " latency"
                                                     : " latency, one core",
                     latency ? " ↓" : "", chart_ratios_is_vague(c, row) ? " ▲" : "");
        }
    for (size_t i = 0; i < r->row_count; i++)
        r->axis_names[r->row_count - 1 - i] = r->names[i];
}

/* The rows below the rule between more is better and less is better. */
static size_t latency_count(const struct ratios *r) {
    size_t count = 0;
    for (size_t i = 0; i < r->row_count; i++)
        count += r->rows[i]->key.kind == SAMPLE_LATENCY;
    return count;
}

static void chart_ratios_add_bar(const struct comparison *c, struct ratios *r, size_t row, size_t turn, double ratio) {
    const size_t slot = r->bar_count++, side = compare_turn(c, turn);
    const double height = BARS_SHARE / (double)(c->side_count - 1);
    const double top = (double)(r->row_count - 1 - row) + BARS_SHARE / 2 - (double)(turn - 1) * height;
    const struct roof *base = r->rows[row]->roofs[c->base], *own = r->rows[row]->roofs[side];
    char number[32];
    r->x[slot][0] = 1, r->x[slot][1] = ratio;
    r->high[slot][0] = r->high[slot][1] = top - 0.06 * height;
    r->low[slot][0] = r->low[slot][1] = top - 0.94 * height;
    r->bands[slot] = (struct plot_band){.count = 2,
                                        .x = r->x[slot],
                                        .y_low = r->low[slot],
                                        .y_high = r->high[slot],
                                        .color = picture_color(side),
                                        .legend = r->legends[side],
                                        .label = r->texts[slot]};
    r->bands[slot].color.a = 0.75;
    snprintf(r->texts[slot], sizeof r->texts[0], "%s%s", units_digits(number, sizeof number, ratio, 3),
             doubts_any(doubts_union(own->sample->doubts, base->sample->doubts)) ? " ▲" : "");
}

/* Adds a thin bar for the interval over the end of its bar, and moves the number to it. */
static void chart_ratios_add_interval(struct ratios *r, struct compare_interval interval, double ratio) {
    if (!isfinite(interval.high) || !(fmax(interval.high / ratio - 1, 1 - interval.low / ratio) > SEEN_FROM))
        return;
    const size_t bar = r->bar_count - 1, slot = r->bar_count++;
    const double middle = (r->low[bar][0] + r->high[bar][0]) / 2, half = (r->high[bar][0] - r->low[bar][0]) / 22;
    r->x[slot][0] = fmax(ratio < 1 ? interval.high : interval.low, LEAST_RATIO);
    r->x[slot][1] = fmax(ratio < 1 ? interval.low : interval.high, LEAST_RATIO);
    r->low[slot][0] = r->low[slot][1] = middle - half;
    r->high[slot][0] = r->high[slot][1] = middle + half;
    r->bands[slot] = (struct plot_band){.count = 2,
                                        .x = r->x[slot],
                                        .y_low = r->low[slot],
                                        .y_high = r->high[slot],
                                        .color = PALETTE_BLACK,
                                        .label = r->bands[bar].label};
    r->bands[bar].label = NULL;
    r->last_interval = slot;
}

/* How many bytes all sides but the base have in common at the begin (or end) of their labels, up to a sign between
 * words; 0: few. */
static size_t common_part(const struct comparison *c, bool is_end) {
    const size_t least = 6;
    const char *first = c->sides[compare_turn(c, 1)].label;
    size_t common = strlen(first);
    for (size_t turn = 2; turn < c->side_count; turn++) {
        const char *own = c->sides[compare_turn(c, turn)].label;
        const size_t first_length = strlen(first), length = strlen(own);
        size_t alike = 0;
        while (alike < common && alike < length &&
               (is_end ? own[length - 1 - alike] == first[first_length - 1 - alike] : own[alike] == first[alike]))
            alike++;
        common = alike;
    }
    while (common > 0 && isalnum((unsigned char)(is_end ? first[strlen(first) - common] : first[common - 1])))
        common--;
    return common < least || (is_end && first[strlen(first) - 1] == ')') ? 0 : common; /* "(2 cores)" stays whole */
}

/* Long names lose what they have in common: the rest must fit a row of the legend. */
static void name_sides(const struct comparison *c, struct ratios *r) {
    const size_t long_name = 24;
    size_t longest = 0;
    for (size_t s = 0; s < c->side_count; s++)
        longest = table_width(c->sides[s].label) > longest ? table_width(c->sides[s].label) : longest;
    const bool cut = longest > long_name && c->side_count > 2;
    const size_t begin = cut ? common_part(c, false) : 0, end = cut ? common_part(c, true) : 0;
    for (size_t s = 0; s < c->side_count; s++) {
        const char *label = c->sides[s].label;
        const size_t length = strlen(label);
        if (s == c->base || begin + end >= length)
            snprintf(r->legends[s], sizeof r->legends[s], "%s", label);
        else
            snprintf(r->legends[s], sizeof r->legends[s], "%s%.*s%s", begin ? "…" : "", (int)(length - begin - end),
                     label + begin, end ? "…" : "");
    }
}

/* Factors up and down are equally long; numbers have room beyond the bars. */
static struct plot_axis chart_ratios_axis_of(const struct ratios *r, double lowest, double highest, double page_width) {
    const double around = 60, gap = 15, least_share = 0.14, most_share = 0.3; /* points; of the axis, for a number */
    double names = 0, number = 0;
    for (size_t i = 0; i < r->row_count; i++)
        names = fmax(names, chart_text_width(r->names[i]));
    for (size_t i = 0; i < r->bar_count; i++)
        number = fmax(number, chart_text_width(r->texts[i]));
    const double share = fmax(least_share, fmin(most_share, (number + gap) / (page_width - around - names))),
                 below = lowest < 1 ? share : share / 2, above = highest > 1 ? share : share / 2,
                 span = fmax(highest / lowest, 1.2);
    return (struct plot_axis){.title = r->axis,
                              .scale = PLOT_LOG10,
                              .min = lowest / pow(span, below / (1 - below - above)),
                              .max = highest * pow(span, above / (1 - below - above))};
}

static void make_bars(const struct comparison *c, const struct picture_view *view, double page_width, struct ratios *r,
                      struct plot *plot) {
    double highest = 1, lowest = 1;
    for (size_t i = 0; i < r->row_count; i++)
        for (size_t turn = 1; turn < c->side_count; turn++) {
            const double ratio = compare_ratio(c, r->rows[i], compare_turn(c, turn), view->per);
            if (isnan(ratio))
                continue;
            const struct compare_interval interval =
                compare_ratio_interval(c, r->rows[i], compare_turn(c, turn), view->per);
            chart_ratios_add_bar(c, r, i, turn, ratio);
            chart_ratios_add_interval(r, interval, ratio);
            highest = fmax(highest, isfinite(interval.high) ? fmax(ratio, interval.high) : ratio);
            lowest = fmin(lowest, isfinite(interval.high) ? fmin(ratio, fmax(interval.low, ratio / 2)) : ratio);
        }
    if (r->last_interval) /* below the names in the legend */
        r->bands[r->last_interval].legend = "uncertainty";
    const size_t latencies = latency_count(r);
    r->marks[0] = (struct plot_mark){.vertical = true, .at = 1, .color = PALETTE_BLACK};
    r->marks[1] = (struct plot_mark){.at = (double)latencies - 0.5, .color = PALETTE_DARK_GREY};
    *plot = (struct plot){
        .title = r->title,
        .subtitle = r->subtitle,
        .x = chart_ratios_axis_of(r, lowest, highest, page_width),
        .y = {.min = -0.5, .max = (double)r->row_count - 0.5, .name_count = r->row_count, .names = r->axis_names},
        .band_count = r->bar_count,
        .bands = r->bands,
        .mark_count = latencies > 0 && latencies < r->row_count ? 2 : 1,
        .marks = r->marks,
        .footer = WORDS " ▲ at a number: warnings about a roof or the base's."};
}

/* Of many machines only the ends of a strip have names. */
static void name_ends(struct strip_dot *dots, size_t count) {
    size_t least = 0, most = 0;
    for (size_t i = 1; i < count; i++) {
        least = dots[i].value < dots[least].value ? i : least;
        most = dots[i].value > dots[most].value ? i : most;
    }
    for (size_t i = 0; i < count; i++) {
        dots[i].apart = least != most && (i == least || i == most);
        if (!dots[i].apart)
            dots[i].label = NULL;
    }
}

static bool make_strips(const struct comparison *c, const struct picture_view *view,
                        const struct chart_options *options, struct ratios *r, struct picture *out) {
    const bool few = c->side_count <= STRIPS_FEW + 1;
    struct strip_dot *all = need_calloc(r->row_count * c->side_count, sizeof *all);
    const size_t latencies = latency_count(r);
    out->blocks[1] = all;
    for (size_t i = 0; i < r->row_count; i++) {
        struct strip_dot *dots = all + i * c->side_count;
        size_t count = 0;
        for (size_t turn = 1; turn < c->side_count; turn++) {
            const size_t side = compare_turn(c, turn);
            const double ratio = compare_ratio(c, r->rows[i], side, view->per);
            if (!isnan(ratio))
                dots[count++] = (struct strip_dot){.value = ratio,
                                                   .label = few ? r->legends[side] : c->sides[side].label,
                                                   .number = few ? (unsigned)turn : 0};
        }
        if (!few)
            name_ends(dots, count);
        r->strips[i] = (struct strip){.name = r->names[i], .count = count, .dots = dots};
    }
    const struct strips_text text = {.title = r->title,
                                     .subtitle = r->subtitle,
                                     .axis = r->axis,
                                     .few = few ? (unsigned)c->side_count - 1 : 0,
                                     .page_width = picture_width(options),
                                     .rule = latencies < r->row_count ? (double)latencies : 0,
                                     .footer = few ? WORDS
                                                   : "A dot per machine; the lowest and the highest are named. " WORDS};
    return strips_plot(r->strips, r->row_count, &text, out);
}

bool ratios_make(const struct comparison *c, const struct picture_view *view, const struct chart_options *options,
                 struct picture *out, struct error *err) {
    static const char *const PER[] = {"", ", per core", ", per cycle and core"};
    const struct result *base = c->sides[c->base].model->result;
    const char *base_name = c->sides[c->base].label;
    struct ratios *r = need_calloc(1, sizeof *r);
    *out = (struct picture){.blocks = {r}};
    chart_ratios_choose_rows(c, view, c->side_count > COMPARE_COLUMNS && options->style && options->style->sparse, r);
    picture_title(c, view, "ratios", r->title, sizeof r->title);
    snprintf(r->axis, sizeof r->axis, "Ratio to %.100s%s", base_name, PER[view->per]);
    snprintf(r->subtitle, sizeof r->subtitle, "against %.80s · %.40s%s%.10s", base_name, base->machine.host,
             base->machine.host[0] ? " · " : "", base->environment.started_utc);
    if (c->side_count <= STRIPS_FEW + 1)
        name_sides(c, r);
    bool done;
    if (c->side_count <= COMPARE_COLUMNS) {
        make_bars(c, view, picture_width(options), r, &out->plot);
        done = r->bar_count > 0;
        out->plot.rows_height = (double)(r->row_count * (c->side_count - 1)) * BAR_HEIGHT / BARS_SHARE;
    } else {
        done = make_strips(c, view, options, r, out);
    }
    if (!done) {
        picture_free(out);
        error_set(err, "the results have no roof in common; `carmine show FILE` lists the roofs of each");
    }
    return done;
}

bool chart_ratios(const struct comparison *c, const struct picture_view *view, const struct chart_options *options,
                  const char *path, struct error *err) {
    struct picture picture;
    if (!ratios_make(c, view, options, &picture, err))
        return false;
    return picture_write(&picture, options, path, err);
}
