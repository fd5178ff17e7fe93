/* SPDX-License-Identifier: BSD-3-Clause
 * How repetitions lie: a box for each size of each series, of their time, of their performance, or of their time over
 * its median. */
#include "chart.h"
#include "chart_series.h"
#include "probe/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind { OF_TIME, OF_PERFORMANCE, OF_SPREAD };

static struct statistics value_of(const struct app_point *point, double clock_hz, enum kind kind) {
    switch (kind) {
    case OF_PERFORMANCE:
        return chart_scaled(chart_quotient(point->flop, point->seconds), clock_hz > 0 ? 1 / clock_hz : 0);
    case OF_SPREAD:
        return chart_scaled(point->seconds, point->seconds.median > 0 ? 1 / point->seconds.median : 0);
    case OF_TIME:
        break;
    }
    return chart_scaled(point->seconds, clock_hz);
}

/* Of a rate the longest time is the lowest. */
static struct boxed boxed_of(struct series_chart *chart, const struct app_point *point, enum kind kind) {
    const double clock_hz = series_clock_hz(chart, point);
    struct boxed boxed = {.value = value_of(point, clock_hz, kind)};
    const struct median_interval s = app_median_interval(point);
    if (!(s.high > 0) || !(boxed.value.median > 0))
        return boxed;
    const double low = s.low / point->seconds.median, high = s.high / point->seconds.median;
    const bool rate = kind == OF_PERFORMANCE;
    boxed.median.low = boxed.value.median * (rate ? 1 / high : low);
    boxed.median.high = boxed.value.median * (rate ? 1 / low : high);
    return boxed;
}

static const double SEEN = 0.005; /* of the axis: a narrower box is a line; rather it touches its neighbour */

/* What a size has of the axis: the least distance of two sizes of one series, in parts of the axis. Those of different
 * series may nearly be the same, such as a million and 2²⁰. */
static double room_of_size(const struct series_chart *chart) {
    const double most = 0.08, alone = 0.5;
    double least = alone;
    bool linear = chart->x.scale == PLOT_LINEAR;
    for (const struct series *s = chart->series; s < chart->series + chart->count; s++)
        for (size_t i = 1; i < s->count; i++) {
            double a = s->x[i - 1], b = s->x[i];
            double way =
                linear ? (b - a) / (chart->x.max - chart->x.min) : log(b / a) / log(chart->x.max / chart->x.min);
            if (way > 1e-9)
                least = fmin(least, fmin(way, most));
        }
    return least;
}

bool chart_distribution(const struct model *model, const struct chart_options *options, const char *path,
                        struct error *err) {
    static const struct {
        const char *name, *what, *y_title, *y_title_per_cycle;
        double divisor;
    } KINDS[] = {
        [OF_TIME] = {"time", "time", "Time", "Time  [cycles]", 1},
        [OF_PERFORMANCE] = {"performance", "performance", "Performance  [Gflop/s]",
                            "Performance  [flop/cycle of all threads]", 1e9},
        [OF_SPREAD] = {"spread", "spread", "Time / median of its size", "Time / median of its size", 1},
    };
    struct series_chart chart;
    enum kind kind = OF_TIME;
    if (!series_begin(&chart, model, options, err))
        return false;
    while (options->of && strcmp(options->of, KINDS[kind].name) != 0)
        kind++;
    struct boxed *values = need_calloc(chart.point_count, sizeof *values);
    series_make_room(&chart);
    double room = room_of_size(&chart), slot = fmax(0.8 * room / (double)chart.count, SEEN),
           width = fmin(0.85 * slot, 0.05);
    for (size_t i = 0; i < chart.count; i++) {
        double offset = ((double)i - ((double)chart.count - 1) / 2) * slot;
        for (size_t k = 0; k < chart.series[i].count; k++)
            values[k] = boxed_of(&chart, &chart.series[i].entries[k].point, kind);
        series_add_boxes(&chart, &chart.series[i], values, offset, width);
    }
    free(values);
    return series_end(&chart,
                      &(struct series_words){
                          .what = KINDS[kind].what,
                          .y_title = options->per_cycle ? KINDS[kind].y_title_per_cycle : KINDS[kind].y_title,
                          .y_divisor = options->per_cycle ? 1 : KINDS[kind].divisor,
                          .y_unit = kind == OF_TIME && !options->per_cycle ? PLOT_UNIT_SECONDS : PLOT_UNIT_NONE,
                          .ratio = kind == OF_SPREAD,
                          .footer = "Boxes reach from quartile to quartile, with a line at the median; whiskers "
                                    "reach to the extremes. The bar across the line: where the median lies in 95 of "
                                    "100 cases (bootstrap). What was measured once is a line."},
                      path, err);
}
