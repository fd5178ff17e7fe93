/* SPDX-License-Identifier: BSD-3-Clause
 * What was measured over what theory says, against size: flop, bytes that the core asks for, DRAM bytes. */
#include "chart.h"
#include "chart_series.h"
#include "probe/need.h"

#include <stdlib.h>
#include <string.h>

static struct statistics flop_ratio(const struct app_point *point) {
    return chart_quotient(point->flop, app_once(point->analytic_flop));
}

static struct statistics core_ratio(const struct app_point *point) {
    return chart_quotient(chart_point_bytes(point, BYTES_CORE),
                          app_once(point->analytic_load_bytes + point->analytic_store_bytes));
}

static struct statistics dram_ratio(const struct app_point *point) {
    return chart_quotient(chart_point_bytes(point, BYTES_DRAM),
                          app_once(point->compulsory_read_bytes + point->compulsory_write_bytes));
}

static const struct ratio_quantity {
    const char *name, *key;
    struct statistics (*ratio)(const struct app_point *point);
    struct series_look look;
} QUANTITIES[] = {
    {"flop", "flop", flop_ratio, {.dash = PLOT_SOLID}},
    {"core", "bytes that the core asks for", core_ratio, {.dash = PLOT_DASHED}},
    {"dram",
     "outlined: DRAM bytes, over those that cold data need at least",
     dram_ratio,
     {.dash = PLOT_DOTTED, .hollow = true}},
};
enum { QUANTITY_COUNT = sizeof QUANTITIES / sizeof QUANTITIES[0] };

/* DRAM traffic has ratios of another kind, beside which those of counts would not be seen. */
static bool is_wanted(const struct ratio_quantity *quantity, const struct chart_options *options) {
    bool dram = strcmp(quantity->name, "dram") == 0;
    return options->of ? strcmp(options->of, quantity->name) == 0 : !dram || options->dram;
}

bool chart_ratio(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct series_chart chart;
    if (!series_begin(&chart, model, options, err))
        return false;
    struct statistics *values = need_calloc(chart.point_count, sizeof *values);
    bool named[SERIES_MAX] = {false};
    for (size_t q = 0; values && q < QUANTITY_COUNT; q++) {
        const struct ratio_quantity *quantity = &QUANTITIES[q];
        bool any = false;
        for (size_t i = 0; i < chart.count; i++) {
            const struct series *series = &chart.series[i];
            struct series_look look = quantity->look;
            bool known = false;
            for (size_t k = 0; k < series->count; k++) {
                values[k] =
                    is_wanted(quantity, options) ? quantity->ratio(&series->entries[k].point) : (struct statistics){0};
                known |= values[k].n > 0;
            }
            look.named = known && !named[i];
            named[i] |= known;
            any |= known;
            series_add_curve(&chart, series, values, look);
        }
        if (any)
            series_add_key(&chart, quantity->look, quantity->key);
    }
    free(values);
    return series_end(&chart,
                      &(struct series_words){.what = "ratio",
                                             .y_title = "Measured / by theory",
                                             .ratio = true,
                                             .footer = "Medians, with boxes from quartile to quartile and whiskers to "
                                                       "the extremes of what is not exact."},
                      path, err);
}
