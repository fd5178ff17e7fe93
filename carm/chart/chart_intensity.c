/* SPDX-License-Identifier: BSD-3-Clause
 * Intensity against size: by the bytes that the core asks for, by DRAM bytes, or both told apart; and what theory says.
 */
#include "chart.h"
#include "chart_series.h"
#include "chart_theory.h"
#include "probe/need.h"
#include "render/page/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By theory: of the bytes that the core asks for, or of those that DRAM moves at least; n is 0 where it says nothing.
 */
static struct statistics theory(const struct app_point *point, bool dram) {
    double bytes = dram ? point->compulsory_read_bytes + point->compulsory_write_bytes
                        : point->analytic_load_bytes + point->analytic_store_bytes;
    bool known = bytes > 0 && point->analytic_flop > 0;
    return known ? app_once(point->analytic_flop / bytes) : (struct statistics){0};
}

/* Warm data that fits moves nothing: that is known. */
static void tell_none(const struct series *series) {
    for (size_t k = 0; k < series->count; k++) {
        struct entry *entry = &series->entries[k];
        if (entry->fate == NOT_KNOWN && entry->point.dram_source != SOURCE_UNKNOWN &&
            app_dram_bytes(&entry->point) == 0)
            entry->fate = NO_SUCH_BYTES;
    }
}

/* Returns whether theory says anything. */
static bool add_curves(struct series_chart *chart, struct statistics *values, bool dram, bool beside) {
    bool any = false;
    for (size_t i = 0; i < chart->count; i++) {
        const struct series *series = &chart->series[i];
        for (size_t k = 0; k < series->count; k++)
            values[k] = chart_quotient(series->entries[k].point.flop,
                                       chart_point_bytes(&series->entries[k].point, dram ? BYTES_DRAM : BYTES_CORE));
        series_add_curve(
            chart, series, values,
            (struct series_look){.dash = beside ? PLOT_DOTTED : PLOT_SOLID, .hollow = beside, .named = !beside});
        if (dram)
            tell_none(series);
        for (size_t k = 0; k < series->count; k++) {
            values[k] = theory(&series->entries[k].point, dram);
            any |= values[k].n > 0;
        }
        series_add_curve(chart, series, values, (struct series_look){.dash = PLOT_DASHED, .theory = true});
    }
    return any;
}

static double intensity_of(const struct theory_point *point) {
    return point->flop / theory_bytes(point->theory, &point->at, point->warm);
}

static void write_caches(const struct theory_point *point, char out[64]) {
    char bytes[32];
    snprintf(out, 64, "%s of caches", units_binary(bytes, sizeof bytes, point->at.cache_bytes));
}

/* "simulated", of DRAM bytes that are drawn */
static const char *source_of(const struct series_chart *chart) {
    const char *source = NULL;
    for (size_t i = 0; i < chart->point_count; i++) {
        const struct app_point *point = &chart->entries[i].point;
        if (point->dram_source != SOURCE_UNKNOWN)
            source = !source || strcmp(source, app_source_names[point->dram_source]) == 0
                         ? app_source_names[point->dram_source]
                         : "of several sources";
    }
    return source ? source : "not known";
}

bool chart_intensity(const struct model *model, const struct chart_options *options, const char *path,
                     struct error *err) {
    struct series_chart chart;
    bool dram = options->of && strcmp(options->of, "dram") == 0, both = options->dram && !dram;
    if (!series_begin(&chart, model, options, err))
        return false;
    struct statistics *values = need_calloc(chart.point_count, sizeof *values);
    char title[128], dram_key[96];
    bool theory_known = add_curves(&chart, values, dram, false);
    if (both) {
        theory_known |= add_curves(&chart, values, true, true);
        snprintf(dram_key, sizeof dram_key, "outlined: by DRAM bytes (%s)", source_of(&chart));
        series_add_key(&chart, (struct series_look){.dash = PLOT_DOTTED, .hollow = true}, dram_key);
    }
    if (theory_known)
        series_add_key(&chart, (struct series_look){.dash = PLOT_DASHED, .theory = true},
                       both   ? "by theory: requested by the core; at least moved by DRAM"
                       : dram ? "by theory, of the bytes that DRAM moves at least"
                              : "by theory");
    if (dram || both)
        theory_add(&chart,
                   &(struct theory_quantity){intensity_of, write_caches, "at most, by theory", options->pseudo_flop});
    free(values);
    snprintf(title, sizeof title,
             dram   ? "Operational intensity  [flop per byte between caches and memory, %s]"
             : both ? "Intensity  [flop per byte; outlined, per DRAM byte]"
                    : "Intensity  [flop per byte requested by the core]",
             dram ? source_of(&chart) : "");
    return series_end(&chart,
                      &(struct series_words){.what = "intensity",
                                             .y_title = title,
                                             .y_unit = PLOT_UNIT_FRACTION,
                                             .footer = "Medians, with boxes from quartile to quartile and whiskers to "
                                                       "the extremes of what is not exact."},
                      path, err);
}
