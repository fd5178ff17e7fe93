/* SPDX-License-Identifier: BSD-3-Clause
 * Misses of the TLBs against size: page walks, by counters or simulated, or misses of the first one; and what theory
 * says. */
#include "chart.h"
#include "chart_series.h"
#include "chart_theory.h"
#include "probe/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The simulated one whose misses are page walks; HIERARCHY_TLBS: none. */
static unsigned last_of(const struct point_levels *levels) {
    for (unsigned i = HIERARCHY_TLBS; i-- > 0;)
        if (levels->links > 0 && levels->tlb_entries[i] > 0)
            return i;
    return HIERARCHY_TLBS;
}

static struct statistics misses_of(const struct app_point *point, bool first) {
    const unsigned tlb = first ? 0 : last_of(&point->levels);
    if (!first && point->tlb_misses.n > 0)
        return point->tlb_misses;
    return tlb < HIERARCHY_TLBS && point->levels.tlb_misses[tlb] > 0 ? app_once(point->levels.tlb_misses[tlb])
                                                                     : (struct statistics){0};
}

static bool has_none(const struct app_point *point, bool first) {
    const unsigned tlb = first ? 0 : last_of(&point->levels);
    return (first || point->tlb_misses.n == 0) && tlb < HIERARCHY_TLBS && point->levels.tlb_entries[tlb] > 0 &&
           point->levels.tlb_misses[tlb] == 0;
}

static double entries_of(const struct theory_point *point, bool first) {
    const unsigned tlb = first ? 0 : last_of(&point->origin->levels);
    return tlb < HIERARCHY_TLBS && (first || point->origin->tlb_misses.n == 0) ? point->origin->levels.tlb_entries[tlb]
                                                                               : 0;
}

static double theory_misses(const struct theory_point *point, bool first) {
    return theory_tlb_misses(point->theory, &point->at, entries_of(point, first));
}
static double of_first(const struct theory_point *point) {
    return theory_misses(point, true);
}
static double of_walks(const struct theory_point *point) {
    return theory_misses(point, false);
}
static void write_first(const struct theory_point *point, char out[64]) {
    snprintf(out, 64, "a TLB of %.0f entries", entries_of(point, true));
}
static void write_last(const struct theory_point *point, char out[64]) {
    snprintf(out, 64, "a TLB of %.0f entries", entries_of(point, false));
}

bool chart_tlb(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    struct series_chart chart;
    const bool first = options->of && strcmp(options->of, "first") == 0;
    if (!series_begin(&chart, model, options, err))
        return false;
    struct statistics *values = need_calloc(chart.point_count, sizeof *values);
    for (size_t i = 0; i < chart.count; i++) {
        const struct series *series = &chart.series[i];
        for (size_t k = 0; k < series->count; k++) {
            struct entry *entry = &series->entries[k];
            values[k] = misses_of(&entry->point, first);
            entry->fate = has_none(&entry->point, first) ? NO_MISSES : entry->fate;
        }
        series_add_curve(&chart, series, values, (struct series_look){.named = true});
    }
    free(values);
    theory_add(&chart, first ? &(struct theory_quantity){of_first, write_first, NULL, false}
                             : &(struct theory_quantity){of_walks, write_last, NULL, false});
    return series_end(&chart,
                      &(struct series_words){.what = "TLB misses",
                                             .y_title = first ? "Misses of the first TLB  [simulated, pages of 4 KiB]"
                                                              : "Page walks  [misses of the last TLB]",
                                             .y_unit = PLOT_UNIT_SI,
                                             .footer = first ? "Of one run, simulated."
                                                             : "Of one run: counted by the CPU where that is possible, "
                                                               "else simulated in pages of 4 KiB."},
                      path, err);
}
