/* SPDX-License-Identifier: BSD-3-Clause
 * Performance against size, below the highest ceiling. */
#include "chart.h"
#include "chart_series.h"
#include "probe/need.h"

#include <stdlib.h>

bool chart_performance(const struct model *model, const struct chart_options *options, const char *path,
                       struct error *err) {
    struct series_chart chart;
    if (!series_begin(&chart, model, options, err))
        return false;
    struct statistics *values = need_calloc(chart.point_count, sizeof *values);
    for (size_t i = 0; i < chart.count; i++) {
        const struct series *series = &chart.series[i];
        for (size_t k = 0; k < series->count; k++) {
            const struct app_point *point = &series->entries[k].point;
            double clock_hz = series_clock_hz(&chart, point);
            values[k] = chart_scaled(chart_quotient(point->flop, point->seconds), clock_hz > 0 ? 1 / clock_hz : 0);
        }
        series_add_curve(&chart, series, values, (struct series_look){.named = true});
    }
    series_add_ceilings(&chart);
    free(values);
    return series_end(&chart,
                      &(struct series_words){.what = "performance",
                                             .y_title = options->per_cycle ? "Performance  [flop/cycle of all threads]"
                                                                           : "Performance  [Gflop/s]",
                                             .flop_per_s = !options->per_cycle,
                                             .y_divisor = options->per_cycle ? 1 : 1e9,
                                             .footer = "Medians, with boxes from quartile to quartile and whiskers to "
                                                       "the extremes where a size was measured several times."},
                      path, err);
}
