/* SPDX-License-Identifier: BSD-3-Clause
 * The frame of charts against size (see chart_series.h): series, axes, ceilings, notes. */
#include "chart_series.h"
#include "chart_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/model/applicable_roofs.h"
#include "carm/store/results.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/order.h"
#include "probe/text.h"
#include "render/page/geometry.h"
#include "render/page/palette.h"
#include "render/page/units.h"

/* These functions draw a series: curves through its sizes, and boxes. */

static const double MARKER_RADIUS = 3.6, THEORY_WIDTH = 4.5;

static double *chart_series_take(struct series_chart *chart, size_t count) {
    double *out = chart->numbers + chart->number_count;
    chart->number_count += count;
    return out;
}

static void chart_series_widen(struct series_chart *chart, struct statistics value) {
    chart->y.min = fmin(chart->y.min, value.min);
    chart->y.max = fmax(chart->y.max, value.max);
}

static bool chart_series_is_known(struct statistics value) {
    return value.n > 0 && isfinite(value.max) && value.min > 0;
}

/* A theory is pale and wide below the measured curve, so that both are visible where they agree. */
static struct plot_line chart_series_line_of(struct plot_color color, struct series_look look) {
    const double pale = 0.35;
    color.a *= look.theory ? pale : 1;
    return (struct plot_line){.color = color,
                              .width = look.theory  ? THEORY_WIDTH
                                       : look.model ? 1.2
                                       : look.named ? 2
                                                    : 1.5,
                              .dash = look.dash};
}

static void add_marker(struct series_chart *chart, const struct series *series, size_t i, struct statistics value,
                       struct series_look look) {
    chart->markers[chart->marker_count++] = (struct plot_point){.x = series->x[i],
                                                                .y = value.median,
                                                                .y_min = value.min,
                                                                .y_q1 = value.q1,
                                                                .y_q3 = value.q3,
                                                                .y_max = value.max,
                                                                .radius = look.hollow ? 0 : MARKER_RADIUS,
                                                                .shape = series->shape,
                                                                .hollow = look.hollow,
                                                                .color = series->color,
                                                                .detail = series->entries[i].detail};
}

/* Implementations of one workload have the same theory. It is drawn once, in grey. */
static bool merge_theory(struct series_chart *chart, const struct plot_line *line) {
    for (struct plot_line *other = chart->lines; other < line; other++)
        if (other->width == THEORY_WIDTH && other->count == line->count && other->x &&
            memcmp(other->x, line->x, line->count * sizeof *line->x) == 0 &&
            memcmp(other->y, line->y, line->count * sizeof *line->y) == 0) {
            *other = chart_series_line_of(PALETTE_GREY, (struct series_look){.dash = line->dash, .theory = true});
            other->count = line->count, other->x = line->x, other->y = line->y;
            chart->line_count--;
            return true;
        }
    return false;
}

void series_add_curve(struct series_chart *chart, const struct series *series, const struct statistics *values,
                      struct series_look look) {
    double *x = chart_series_take(chart, series->count), *y = chart_series_take(chart, series->count);
    size_t known = 0;
    for (size_t i = 0; i < series->count; i++) {
        x[i] = series->x[i];
        y[i] = chart_series_is_known(values[i]) ? values[i].median : (double)NAN;
        if (!chart_series_is_known(values[i]))
            continue;
        known++;
        chart_series_widen(chart, values[i]);
        if (look.theory)
            continue;
        add_marker(chart, series, i, values[i], look);
        series->entries[i].fate = DRAWN;
    }
    if (known == 0)
        return;
    struct plot_line *line = &chart->lines[chart->line_count++];
    *line = chart_series_line_of(series->color, look);
    line->count = series->count;
    line->x = x;
    line->y = y;
    if (look.theory && merge_theory(chart, line))
        return;
    line->label_place = PLOT_LABEL_END;
    line->priority = 10;
    if (look.named && known > 1)
        line->label = series->label;
    else if (look.named) /* no line to label */
        chart->markers[chart->marker_count - 1].label = series->label;
}

void series_add_line(struct series_chart *chart, const struct series *series, const double *x, const double *y,
                     size_t count, struct series_look look) {
    double *own_x = chart_series_take(chart, count), *own_y = chart_series_take(chart, count);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        own_x[i] = x[i], own_y[i] = y[i];
        if (isnan(y[i]))
            continue;
        known++;
        chart_series_widen(chart, app_once(y[i]));
    }
    if (known == 0)
        return;
    struct plot_line *line = &chart->lines[chart->line_count++];
    *line = chart_series_line_of(series->color, look);
    line->count = count, line->x = own_x, line->y = own_y;
}

void series_add_key(struct series_chart *chart, struct series_look look, const char *text) {
    struct plot_line *line = &chart->lines[chart->line_count++];
    *line = chart_series_line_of(PALETTE_DARK_GREY, look);
    line->label = text;
    line->markers = look.hollow;
    line->label_place = PLOT_LABEL_LEGEND;
}

/* Moves a value to the right by a part of the axis' length. */
static double beside(const struct plot_axis *x, double at, double way) {
    return x->scale == PLOT_LINEAR ? at + way * (x->max - x->min) : at * pow(x->max / x->min, way);
}

void series_make_room(struct series_chart *chart) {
    const double room = 0.05;
    double min = chart->series[0].x[0], max = min;
    for (size_t i = 0; i < chart->point_count; i++) { /* all series lie behind each other */
        min = fmin(min, chart->series[0].x[i]);
        max = fmax(max, chart->series[0].x[i]);
    }
    if (min == max)
        return; /* it has room */
    chart->x.min = min, chart->x.max = max;
    double left = beside(&chart->x, min, -room), right = beside(&chart->x, max, room);
    chart->x.min = left, chart->x.max = right;
}

static void add_stroke(struct series_chart *chart, const struct series *series, double width, struct vec from,
                       struct vec to) {
    double *x = chart_series_take(chart, 2), *y = chart_series_take(chart, 2);
    x[0] = from.x, x[1] = to.x, y[0] = from.y, y[1] = to.y;
    chart->lines[chart->line_count++] =
        (struct plot_line){.count = 2, .x = x, .y = y, .color = series->color, .width = width};
}

static void add_box(struct series_chart *chart, const struct series *series, size_t i, const struct boxed *boxed,
                    double offset, double width) {
    const struct statistics value = boxed->value;
    const struct plot_axis *axis = &chart->x;
    double at = beside(axis, series->x[i], offset), left = beside(axis, series->x[i], offset - width / 2),
           right = beside(axis, series->x[i], offset + width / 2), quarter = width / 4;
    if (!chart_series_is_known(value))
        return;
    series->entries[i].fate = DRAWN;
    chart_series_widen(chart, value);
    add_stroke(chart, series, 2.2, (struct vec){left, value.median}, (struct vec){right, value.median});
    double *x = chart_series_take(chart, 2), *low = chart_series_take(chart, 2), *high = chart_series_take(chart, 2);
    x[0] = left, x[1] = right;
    low[0] = low[1] = value.q1, high[0] = high[1] = value.q3;
    struct plot_color fill = series->color;
    fill.a *= 0.3;
    chart->bands[chart->band_count++] =
        (struct plot_band){.count = 2, .x = x, .y_low = low, .y_high = high, .color = fill, .legend = series->label};
    if (boxed->median.low < boxed->median.high)
        add_stroke(chart, series, 4, (struct vec){at, boxed->median.low}, (struct vec){at, boxed->median.high});
    if (!(value.min < value.max))
        return;
    add_stroke(chart, series, 1, (struct vec){at, value.min}, (struct vec){at, value.q1});
    add_stroke(chart, series, 1, (struct vec){at, value.q3}, (struct vec){at, value.max});
    for (int top = 0; top < 2; top++) {
        const double y = top ? value.max : value.min;
        add_stroke(chart, series, 1, (struct vec){beside(axis, at, -quarter), y},
                   (struct vec){beside(axis, at, quarter), y});
    }
}

void series_add_boxes(struct series_chart *chart, const struct series *series, const struct boxed *values,
                      double offset, double width) {
    double *x = chart_series_take(chart, series->count), *y = chart_series_take(chart, series->count);
    for (size_t i = 0; i < series->count; i++) {
        x[i] = beside(&chart->x, series->x[i], offset);
        y[i] = chart_series_is_known(values[i].value) ? values[i].value.median : (double)NAN;
        add_box(chart, series, i, &values[i], offset, width);
    }
    chart->lines[chart->line_count++] =
        (struct plot_line){.count = series->count, .x = x, .y = y, .color = series->color, .width = 0.7};
}

static const double LOG_FROM = 12; /* highest over lowest value */

static int by_group_and_size(const void *a, const void *b) {
    const struct entry *p = a, *q = b;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    if (p->point.size != q->point.size)
        return p->point.size < q->point.size ? -1 : 1;
    return p->slot < q->slot ? -1 : p->slot > q->slot;
}

static void chart_series_collect(struct series_chart *chart, const size_t *groups) {
    const struct result *result = chart->model->result;
    const struct chart_options *options = chart->options;
    for (size_t i = 0; i < result->point_count; i++) {
        const struct app_point *point = &result->points[i];
        struct entry *entry = &chart->entries[chart->entry_count];
        struct applicable_roofs applicable;
        double x = (double)(options->working_set ? point->working_set_bytes : point->size);
        applicable_make(chart->model, point, &applicable);
        if (!*point->series || !(x > 0) || !points_chosen(point, options) ||
            (options->threads && options->threads != point->threads) ||
            (options->type && strcmp(options->type, applicable.view.type) != 0))
            continue;
        *entry = (struct entry){.point = chart_point(point, options),
                                .detail = point->command,
                                .group = groups[i],
                                .slot = chart->entry_count++,
                                .fate = app_flop_per_s(point) > 0 ? NOT_KNOWN : NO_WORK, /* until it is drawn */
                                .doubts = doubts_without(point->doubts, DOUBTS(DOUBT_SIMULATED))};
    }
    qsort(chart->entries, chart->entry_count, sizeof *chart->entries, by_group_and_size);
}

static void chart_series_choose_looks(struct series_chart *chart) {
    const size_t count = chart->entry_count;
    size_t *numbers = need_calloc(count + 1, sizeof *numbers), *looks = need_calloc(count + 1, sizeof *looks);
    for (size_t i = 0; i < count; i++)
        looks[i] = numbers[i] = chart->entries[i].group;
    if (!chart->options->page) /* on a page, a group looks the same in all charts */
        groups_tell_apart(numbers, count, looks);
    for (size_t i = 0; i < count; i++)
        chart->entries[i].look = looks[i];
    free(numbers);
    free(looks);
}

/* Cuts the sorted points into series. The x axis shows the end that all their names share. */
static void chart_series_split(struct series_chart *chart) {
    const char *names[SERIES_MAX];
    for (size_t i = 0; i < chart->entry_count; i++) {
        struct entry *entry = &chart->entries[i];
        bool next = i == 0 || entry->group != entry[-1].group;
        if (chart->count == SERIES_MAX && (next || entry[-1].fate == TOO_MANY)) {
            entry->fate = TOO_MANY;
            continue;
        }
        struct series *series = &chart->series[chart->count - !next];
        if (next) {
            names[chart->count++] = entry->point.series;
            *series = (struct series){.entries = entry, .x = chart->numbers + chart->number_count};
            group_look(entry->look, &series->color, &series->shape);
        }
        series->x[series->count++] =
            (double)(chart->options->working_set ? entry->point.working_set_bytes : entry->point.size);
        chart->point_count = ++chart->number_count;
    }
    size_t shared = groups_shared_end(names, chart->count);
    snprintf(chart->x_title, sizeof chart->x_title, "%s%s%s%s", chart->options->working_set ? "Working set" : "Size n",
             shared ? "  [" : "", shared ? names[0] + strlen(names[0]) - shared + 1 : "", shared ? "]" : "");
    for (size_t i = 0; i < chart->count; i++)
        snprintf(chart->series[i].label, sizeof chart->series[i].label, "%.*s", (int)(strlen(names[i]) - shared),
                 names[i]);
}

/* How evenly sorted values are spread: the smallest step as a share of the range. */
static double evenness(const double *values, size_t count, bool logarithmic) {
    double least = INFINITY, whole = logarithmic ? log(values[count - 1] / values[0]) : values[count - 1] - values[0];
    for (size_t i = 1; i < count; i++)
        if (values[i] > values[i - 1])
            least = fmin(least, (logarithmic ? log(values[i] / values[i - 1]) : values[i] - values[i - 1]) / whole);
    return least;
}

/* Chooses the x axis: powers of two on a logarithmic axis, other sizes on the axis that spreads them more evenly. A
 * single size is the only tick. */
static void choose_x(struct series_chart *chart) {
    const double plain_below = 1e5, alone_below = 1e8;
    size_t count = chart->number_count;
    double *sizes = chart->numbers + count; /* a copy, in unused memory */
    struct plot_axis *x = &chart->x;
    memcpy(sizes, chart->numbers, count * sizeof *sizes);
    qsort(sizes, count, sizeof *sizes, order_doubles);
    *x = (struct plot_axis){.title = chart->x_title, .min = sizes[0], .max = sizes[count - 1]};
    bool alone = x->min == x->max;
    if (chart->options->working_set)
        x->scale = PLOT_LOG2, x->unit = PLOT_UNIT_BINARY;
    else if (alone && x->max < alone_below)
        x->unit = PLOT_UNIT_COUNT, x->min -= 0.5, x->max += 0.5;
    else if (sizes_are_powers(sizes, count))
        x->scale = PLOT_LOG2, x->unit = PLOT_UNIT_POWER;
    else if (alone || evenness(sizes, count, true) > evenness(sizes, count, false))
        x->scale = PLOT_LOG10, x->unit = PLOT_UNIT_SI;
    else
        x->unit = x->max < plain_below ? PLOT_UNIT_COUNT : PLOT_UNIT_SI;
    if (alone && x->scale != PLOT_LINEAR)
        x->min /= 2, x->max *= 2;
    else if (x->scale != PLOT_LINEAR)
        x->min /= pow(x->max / x->min, 0.03);
    else if (!alone)
        x->min = x->min < 0.25 * x->max ? 0 : x->min - 0.04 * (x->max - x->min);
}

static void free_all(struct series_chart *chart) {
    free(chart->entries);
    free(chart->lines);
    free(chart->markers);
    free(chart->bands);
    free(chart->numbers);
    free(chart->texts);
}

bool series_begin(struct series_chart *chart, const struct model *model, const struct chart_options *options,
                  struct error *err) {
    enum {
        CURVES = 5,
        PARTS = 6,
        NUMBERS = 40
    }; /* curves per series; lines per box; numbers per point in all that is drawn */
    const struct result *result = model->result;
    size_t points = result->point_count, *groups = need_calloc(points + 1, sizeof *groups);
    *chart = (struct series_chart){.model = model, .options = options};
    chart->y = (struct plot_axis){.min = INFINITY, .max = 0};
    chart->entries = need_calloc(points + 1, sizeof *chart->entries);
    groups_number(result->points, points, groups);
    chart_series_collect(chart, groups);
    points = chart->entry_count;
    chart->lines = need_calloc(CURVES * SERIES_MAX + SERIES_MAX_CEILINGS + PARTS * points, sizeof *chart->lines);
    chart->markers = need_calloc(CURVES * points + 1, sizeof *chart->markers);
    chart->bands = need_calloc(points + 1, sizeof *chart->bands);
    chart->numbers = need_calloc(NUMBERS * (points + SERIES_MAX_CEILINGS) + 2 * SERIES_MODEL_SIZES * SERIES_MAX,
                                 sizeof *chart->numbers);
    chart->texts = need_calloc(CURVES * SERIES_MAX + 2 * SERIES_MAX_CEILINGS, sizeof *chart->texts);
    free(groups);
    bool done = points > 0;
    if (!done)
        error_set(err, "the result holds no series%s; `carmine workload NAME --sizes LIST -o FILE` measures one",
                  result->point_count ? " for these options" : "");
    if (!done) {
        free_all(chart);
        return false;
    }
    chart_series_choose_looks(chart);
    chart_series_split(chart);
    choose_x(chart);
    return true;
}

double series_clock_hz(struct series_chart *chart, const struct app_point *point) {
    if (!chart->options->per_cycle)
        return 1;
    chart->clocks_assumed |= !(point->clock_hz > 0);
    return chart_clock_hz(chart->model, point);
}

void series_add_ceilings(struct series_chart *chart) {
    for (size_t i = 0; i < chart->point_count; i++) {
        struct applicable_roofs applicable;
        bool known = false;
        if (!applicable_make(chart->model, &chart->entries[i].point, &applicable))
            continue;
        for (size_t k = 0; k < chart->ceiling_count; k++)
            known |= chart->ceilings[k] == applicable_peak(&applicable);
        double height = chart_rate(applicable_peak(&applicable)->sample, chart->options->per_cycle);
        if (known || !(height > 0) || chart->ceiling_count == SERIES_MAX_CEILINGS)
            continue;
        chart->ceilings[chart->ceiling_count++] = applicable_peak(&applicable);
        chart->y.min = fmin(chart->y.min, height);
        chart->y.max = fmax(chart->y.max, height);
    }
}

/* Draws ceilings across the whole picture, with labels at the right. */
static void draw_ceilings(struct series_chart *chart) {
    struct plot_axis wide = chart->x, high = chart->y;
    struct error ignored; /* chart_write() reports it */
    limits_widen(&chart->options->limits, &wide, &high, &ignored);
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        const struct roof *roof = chart->ceilings[i];
        double *x = chart->numbers + chart->number_count, *y = x + 2;
        char *label = chart->texts[chart->text_count++], *sublabel = chart->texts[chart->text_count++], name[48];
        chart->number_count += 4;
        x[0] = wide.min, x[1] = wide.max;
        y[0] = y[1] = chart_rate(roof->sample, chart->options->per_cycle);
        chart_label(roof, name, sizeof name);
        snprintf(label, SERIES_LABEL_BYTES, "%s %s", name, roof->type);
        if (chart->ceiling_count > 1)
            text_append(label, SERIES_LABEL_BYTES, ", %u thread%s", roof->sample->threads,
                        roof->sample->threads == 1 ? "" : "s");
        if (chart->options->per_cycle)
            snprintf(sublabel, SERIES_LABEL_BYTES, "%.1f %s", y[0], model_roof_unit_per_cycle(roof));
        else
            units_si(sublabel, SERIES_LABEL_BYTES, y[0], model_roof_unit(roof));
        if (doubts_any(roof->sample->doubts))
            strcat(label, " ▲");
        chart->lines[chart->line_count++] = (struct plot_line){.count = 2,
                                                               .x = x,
                                                               .y = y,
                                                               .color = PALETTE_BLACK,
                                                               .width = 1.6,
                                                               .label = label,
                                                               .sublabel = sublabel,
                                                               .label_place = PLOT_LABEL_END,
                                                               .priority = 5};
    }
}

static void choose_y(struct series_chart *chart, const struct series_words *words) {
    struct plot_axis *y = &chart->y;
    const double margin = 1.25, least_around = 0.05;
    y->title = words->y_title;
    y->divisor = words->y_divisor;
    y->unit = words->y_unit;
    if (!(y->max > 0))
        y->min = 0, y->max = 1; /* all values are 0 or unknown */
    if (words->ratio) {
        y->min = fmin(y->min, 1 - least_around);
        y->max = fmax(y->max, 1 + least_around);
    }
    if (y->min > 0 && y->max / y->min > LOG_FROM) {
        y->scale = y->unit == PLOT_UNIT_FRACTION ? PLOT_LOG2 : PLOT_LOG10;
        y->min /= margin;
        y->max *= margin;
    } else {
        double room = 0.06 * (y->max - (words->ratio ? y->min : 0));
        y->min = words->ratio ? fmax(0, y->min - room) : 0;
        y->max += room;
    }
}

/* Marks where the machine's caches end, for one thread, whose data are one working set. */
static size_t add_cache_marks(const struct series_chart *chart, struct plot_mark *marks,
                              char (*labels)[CHART_MARK_BYTES]) {
    bool one_thread = chart->options->working_set;
    for (size_t i = 0; i < chart->point_count; i++)
        one_thread &=
            chart->entries[i].point.threads == 1 && !doubts_has(chart->entries[i].point.doubts, DOUBT_OTHER_CACHE);
    return one_thread ? chart_cache_marks(&chart->model->result->levels[0], marks, labels) : 0;
}

/* Collects notes about the points and the ceilings; `own` and `texts` store new ones. Returns their number. */
static size_t chart_series_gather_notes(const struct series_chart *chart, struct notes *own,
                                        char (*texts)[CHART_NOTE_BYTES], const char **out) {
    const struct sample *drawn[SERIES_MAX_CEILINGS];
    for (size_t i = 0; i < chart->ceiling_count; i++)
        drawn[i] = chart->ceilings[i]->sample;
    points_write_notes(own, chart->entries, chart->entry_count);
    memcpy(out, own->list, own->count * sizeof *out);
    return own->count + chart_notes(chart->model->result, drawn, chart->ceiling_count, texts, out + own->count);
}

static void chart_series_write_footer(const struct series_chart *chart, const struct series_words *words, char *out,
                                      size_t size) {
    snprintf(out, size, "%s%s", words->footer,
             !chart->options->per_cycle ? ""
             : chart->clocks_assumed    ? " Per cycle of each point's own clock; if unknown, of the roof that binds it."
                                        : " Per cycle of each point's own clock.");
}

/* Whether all ceilings have one clock; then the right axis shows it. */
static bool find_right(const struct series_chart *chart, struct cycle_axis *out) {
    const struct sample *drawn[SERIES_MAX_CEILINGS];
    for (size_t i = 0; i < chart->ceiling_count; i++) {
        drawn[i] = chart->ceilings[i]->sample;
        if (model_is_integer(chart->ceilings[i]))
            return false;
    }
    return chart_cycle_axis(drawn, chart->ceiling_count, "flop", out);
}

bool series_end(struct series_chart *chart, const struct series_words *words, const char *path, struct error *err) {
    const struct result *result = chart->model->result;
    char what[160], footer[512], labels[CHART_MAX_MARKS][CHART_MARK_BYTES],
        note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    struct plot_mark marks[CHART_MAX_MARKS + 1];
    const char *notes[POINTS_MAX_NOTES + CHART_MAX_NOTES];
    struct notes own = {0};
    struct cycle_axis right = {0};
    if (chart->marker_count + chart->band_count == 0) {
        free_all(chart);
        return error_set(err, "these series have no values for this chart; `carmine show FILE` lists what "
                              "the result holds");
    }
    choose_y(chart, words);
    draw_ceilings(chart);
    size_t note_count = chart_series_gather_notes(chart, &own, note_text, notes);
    size_t mark_count = add_cache_marks(chart, marks, labels);
    if (words->ratio)
        marks[mark_count++] = (struct plot_mark){.at = 1, .color = PALETTE_DARK_GREY};
    snprintf(what, sizeof what, "%s by size%s", words->what, chart->options->pseudo_flop ? " · pseudo-flop" : "");
    chart_series_write_footer(chart, words, footer, sizeof footer);
    const bool has_right = words->flop_per_s && find_right(chart, &right);
    const struct plot plot = {.note_count = note_count,
                              .notes = notes,
                              .x = chart->x,
                              .y = chart->y,
                              .right_title = has_right ? right.title : NULL,
                              .right_per_y = right.per_rate,
                              .band_count = chart->band_count,
                              .bands = chart->bands,
                              .line_count = chart->line_count,
                              .lines = chart->lines,
                              .mark_count = mark_count,
                              .marks = marks,
                              .point_count = chart->marker_count,
                              .points = chart->markers,
                              .footer = footer};
    bool done = chart_write_titled(&plot, result, what, chart->options, path, err);
    free_all(chart);
    return done;
}
