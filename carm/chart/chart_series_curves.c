/* SPDX-License-Identifier: BSD-3-Clause
 * What charts against size draw of a series: curves through its sizes, and boxes (see chart_series.h). */
#include <math.h>
#include <string.h>

#include "render/page/geometry.h"
#include "render/page/palette.h"
#include "chart_series.h"

static const double MARKER_RADIUS = 3.6, THEORY_WIDTH = 4.5;

static double *take(struct series_chart *chart, size_t count) {
    double *out = chart->numbers + chart->number_count;
    chart->number_count += count;
    return out;
}

static void widen(struct series_chart *chart, struct statistics value) {
    chart->y.min = fmin(chart->y.min, value.min);
    chart->y.max = fmax(chart->y.max, value.max);
}

static bool is_known(struct statistics value) {
    return value.n > 0 && isfinite(value.max) && value.min > 0;
}

/* What theory says lies pale and wide below what was measured, so that both are seen where they agree. */
static struct plot_line line_of(struct plot_color color, struct series_look look) {
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

/* Implementations of one workload have one theory: then it is drawn once, in grey. */
static bool merge_theory(struct series_chart *chart, const struct plot_line *line) {
    for (struct plot_line *other = chart->lines; other < line; other++)
        if (other->width == THEORY_WIDTH && other->count == line->count && other->x &&
            memcmp(other->x, line->x, line->count * sizeof *line->x) == 0 &&
            memcmp(other->y, line->y, line->count * sizeof *line->y) == 0) {
            *other = line_of(PALETTE_GREY, (struct series_look){.dash = line->dash, .theory = true});
            other->count = line->count, other->x = line->x, other->y = line->y;
            chart->line_count--;
            return true;
        }
    return false;
}

void series_add_curve(struct series_chart *chart, const struct series *series, const struct statistics *values,
                      struct series_look look) {
    double *x = take(chart, series->count), *y = take(chart, series->count);
    size_t known = 0;
    for (size_t i = 0; i < series->count; i++) {
        x[i] = series->x[i];
        y[i] = is_known(values[i]) ? values[i].median : (double)NAN;
        if (!is_known(values[i]))
            continue;
        known++;
        widen(chart, values[i]);
        if (look.theory)
            continue;
        add_marker(chart, series, i, values[i], look);
        series->entries[i].fate = DRAWN;
    }
    if (known == 0)
        return;
    struct plot_line *line = &chart->lines[chart->line_count++];
    *line = line_of(series->color, look);
    line->count = series->count;
    line->x = x;
    line->y = y;
    if (look.theory && merge_theory(chart, line))
        return;
    line->label_place = PLOT_LABEL_END;
    line->priority = 10;
    if (look.named && known > 1)
        line->label = series->label;
    else if (look.named) /* no line that could be named */
        chart->markers[chart->marker_count - 1].label = series->label;
}

void series_add_line(struct series_chart *chart, const struct series *series, const double *x, const double *y,
                     size_t count, struct series_look look) {
    double *own_x = take(chart, count), *own_y = take(chart, count);
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        own_x[i] = x[i], own_y[i] = y[i];
        if (isnan(y[i]))
            continue;
        known++;
        widen(chart, app_once(y[i]));
    }
    if (known == 0)
        return;
    struct plot_line *line = &chart->lines[chart->line_count++];
    *line = line_of(series->color, look);
    line->count = count, line->x = own_x, line->y = own_y;
}

void series_add_key(struct series_chart *chart, struct series_look look, const char *text) {
    struct plot_line *line = &chart->lines[chart->line_count++];
    *line = line_of(PALETTE_DARK_GREY, look);
    line->label = text;
    line->markers = look.hollow;
    line->label_place = PLOT_LABEL_LEGEND;
}

/* So far to the right, in parts of the axis. */
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
    double *x = take(chart, 2), *y = take(chart, 2);
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
    if (!is_known(value))
        return;
    series->entries[i].fate = DRAWN;
    widen(chart, value);
    add_stroke(chart, series, 2.2, (struct vec){left, value.median}, (struct vec){right, value.median});
    double *x = take(chart, 2), *low = take(chart, 2), *high = take(chart, 2);
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
    double *x = take(chart, series->count), *y = take(chart, series->count);
    for (size_t i = 0; i < series->count; i++) {
        x[i] = beside(&chart->x, series->x[i], offset);
        y[i] = is_known(values[i].value) ? values[i].value.median : (double)NAN;
        add_box(chart, series, i, &values[i], offset, width);
    }
    chart->lines[chart->line_count++] =
        (struct plot_line){.count = series->count, .x = x, .y = y, .color = series->color, .width = 0.7};
}
