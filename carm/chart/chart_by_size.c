/* SPDX-License-Identifier: BSD-3-Clause
 * The charts of series against problem size: performance, intensity, TLB misses, measured over theory, and the
 * distribution of repetitions; lines of theory (carm/model) beside the measured values. */
#include "chart.h"
#include "chart_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/levels.h"
#include "carm/model/theory.h"
#include "carm/store/results.h"
#include "probe/need.h"
#include "render/page/units.h"

/* One size of a series. */
struct theory_point {
    const struct theory *theory;
    struct theory_case at;
    const struct app_point *origin; /* the measured point of this size, else the first of the series */
    bool warm;
    double flop; /* by theory, else as measured; 0: unknown */
};

/* A quantity with a theory. */
struct theory_quantity {
    double (*value)(const struct theory_point *point);                   /* in units of the y axis; NaN: unknown */
    void (*write_place)(const struct theory_point *point, char out[64]); /* the dependence: "1 MiB of caches" */
    const char *bound;  /* legend of a bound of the bytes: "at most, by theory"; NULL: no bounds */
    bool measured_flop; /* uses the measured flop, at the measured sizes only */
};

static const struct series_look LOOK = {.dash = PLOT_DASHED, .model = true};

/* Counters see the traffic beyond the machine's own caches. */
static double cache_bytes_of(const struct series_chart *chart, const struct app_point *point) {
    const struct levels *levels = &chart->model->result->levels[0];
    if (point->dram_source != SOURCE_COUNTERS || levels->count < 2)
        return 0;
    return (double)levels->level[levels->count - 2].effective_bytes;
}

/* Chooses the sizes of the line: the measured sizes, powers of two, or evenly spaced sizes. Returns their number. */
static size_t chart_by_size_choose_sizes(const struct series *series, const struct theory *theory, bool measured,
                                         double *out) {
    const double first = (double)series->entries[0].point.size,
                 last = (double)series->entries[series->count - 1].point.size;
    size_t count = 0;
    if (measured || !theory->flop || first == last)
        for (; count < series->count && count < SERIES_MODEL_SIZES; count++)
            out[count] = (double)series->entries[count].point.size;
    else if (theory->powers)
        for (double n = first; n <= last && count < SERIES_MODEL_SIZES; n *= 2)
            out[count++] = n;
    else
        for (; count < SERIES_MODEL_SIZES; count++)
            out[count] = first * pow(last / first, (double)count / (SERIES_MODEL_SIZES - 1));
    return count;
}

/* The entry of this size; NULL: there is none. */
static const struct entry *chart_by_size_entry_of(const struct series *series, double n) {
    for (size_t i = 0; i < series->count; i++)
        if ((double)series->entries[i].point.size == n)
            return &series->entries[i];
    return NULL;
}

/* Adds a row to the legend, unless it is there already. */
static void chart_by_size_add_row(struct series_chart *chart, const struct theory_quantity *quantity,
                                  const struct theory_point *point) {
    char place[64], text[SERIES_LABEL_BYTES];
    quantity->write_place(point, place);
    snprintf(text, sizeof text, "%s (%s), %s", point->theory->bound ? quantity->bound : "by theory",
             point->theory->source, place);
    for (size_t i = 0; i < chart->text_count; i++)
        if (strcmp(chart->texts[i], text) == 0)
            return;
    char *row = chart->texts[chart->text_count++];
    memcpy(row, text, sizeof text);
    series_add_key(chart, LOOK, row);
}

static void add_series(struct series_chart *chart, const struct series *series, const struct theory *theory,
                       const struct theory_quantity *quantity) {
    double n[SERIES_MODEL_SIZES], x[SERIES_MODEL_SIZES], y[SERIES_MODEL_SIZES];
    const struct app_point *first = &series->entries[0].point;
    const struct theory_case of = theory_case_of(theory, first, cache_bytes_of(chart, first));
    const bool measured = quantity->measured_flop || !theory->flop;
    const size_t count = chart_by_size_choose_sizes(series, theory, measured, n);
    struct theory_point point = {.theory = theory, .warm = first->data == STATE_WARM};
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = chart_by_size_entry_of(series, n[i]);
        point.at = theory_case_at(&of, n[i]);
        point.origin = entry ? &entry->point : first;
        point.flop = measured ? point.origin->flop.median : theory->flop(n[i]);
        x[i] = chart->options->working_set ? theory->elements(n[i]) * of.element_bytes : n[i];
        y[i] = quantity->value(&point);
        y[i] = isfinite(y[i]) && y[i] > 0 ? y[i] : (double)NAN;
        any |= !isnan(y[i]);
    }
    series_add_line(chart, series, x, y, count, LOOK);
    if (any)
        chart_by_size_add_row(chart, quantity, &point);
}

/* Adds a line for each series that has a theory, from its first to its last size, and rows in the legend for their
 * sources. */
static void theory_add(struct series_chart *chart, const struct theory_quantity *quantity) {
    for (size_t i = 0; i < chart->count; i++) {
        const struct series *series = &chart->series[i];
        const struct theory *theory = theory_of(&series->entries[0].point);
        if (theory)
            add_series(chart, series, theory, quantity);
    }
}

/* Intensity by theory, over the bytes requested by the core or over the least bytes that DRAM moves; n is 0 if
 * unknown. */
static struct statistics theory(const struct app_point *point, bool dram) {
    double bytes = dram ? point->compulsory_read_bytes + point->compulsory_write_bytes
                        : point->analytic_load_bytes + point->analytic_store_bytes;
    bool known = bytes > 0 && point->analytic_flop > 0;
    return known ? app_once(point->analytic_flop / bytes) : (struct statistics){0};
}

/* Warm data that fits the caches moves no bytes. That is a known value. */
static void tell_none(const struct series *series) {
    for (size_t k = 0; k < series->count; k++) {
        struct entry *entry = &series->entries[k];
        if (entry->fate == NOT_KNOWN && entry->point.dram_source != SOURCE_UNKNOWN &&
            app_dram_bytes(&entry->point) == 0)
            entry->fate = NO_SUCH_BYTES;
    }
}

/* Returns whether any theory is known. */
static bool chart_by_size_add_curves(struct series_chart *chart, struct statistics *values, bool dram, bool beside) {
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

/* The source of the DRAM bytes that are drawn: "simulated". */
static const char *chart_by_size_source_of(const struct series_chart *chart) {
    const char *source = NULL;
    for (size_t i = 0; i < chart->point_count; i++)
        source = chart_dram_source(source, &chart->entries[i].point);
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
    bool theory_known = chart_by_size_add_curves(&chart, values, dram, false);
    if (both) {
        theory_known |= chart_by_size_add_curves(&chart, values, true, true);
        snprintf(dram_key, sizeof dram_key, "outlined: by DRAM bytes (%s)", chart_by_size_source_of(&chart));
        series_add_key(&chart, (struct series_look){.dash = PLOT_DOTTED, .hollow = true}, dram_key);
    }
    if (theory_known)
        series_add_key(&chart, (struct series_look){.dash = PLOT_DASHED, .theory = true},
                       both   ? "by theory: loaded and stored; the least that DRAM moves"
                       : dram ? "by theory, over the least bytes that DRAM moves"
                              : "by theory");
    if (dram || both)
        theory_add(&chart,
                   &(struct theory_quantity){intensity_of, write_caches, "at most, by theory", options->pseudo_flop});
    free(values);
    snprintf(title, sizeof title,
             dram   ? "Operational intensity  [flop per byte between caches and memory, %s]"
             : both ? "Intensity  [flop per byte; outlined, per DRAM byte]"
                    : "Intensity  [flop per byte loaded or stored]",
             dram ? chart_by_size_source_of(&chart) : "");
    return series_end(&chart,
                      &(struct series_words){.what = "intensity",
                                             .y_title = title,
                                             .y_unit = PLOT_UNIT_FRACTION,
                                             .footer = "Medians; boxes reach from quartile to quartile, whiskers to "
                                                       "the extremes. Exact values have none."},
                      path, err);
}

/* The simulated TLB whose misses are page walks; HIERARCHY_TLBS: none. */
static unsigned chart_by_size_last_of(const struct point_levels *levels) {
    for (unsigned i = HIERARCHY_TLBS; i-- > 0;)
        if (levels->links > 0 && levels->tlb_entries[i] > 0)
            return i;
    return HIERARCHY_TLBS;
}

static struct statistics misses_of(const struct app_point *point, bool first) {
    const unsigned tlb = first ? 0 : chart_by_size_last_of(&point->levels);
    if (!first && point->tlb_misses.n > 0)
        return point->tlb_misses;
    return tlb < HIERARCHY_TLBS && point->levels.tlb_misses[tlb] > 0 ? app_once(point->levels.tlb_misses[tlb])
                                                                     : (struct statistics){0};
}

static bool has_none(const struct app_point *point, bool first) {
    const unsigned tlb = first ? 0 : chart_by_size_last_of(&point->levels);
    return (first || point->tlb_misses.n == 0) && tlb < HIERARCHY_TLBS && point->levels.tlb_entries[tlb] > 0 &&
           point->levels.tlb_misses[tlb] == 0;
}

static double entries_of(const struct theory_point *point, bool first) {
    const unsigned tlb = first ? 0 : chart_by_size_last_of(&point->origin->levels);
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
                                             .footer = first ? "One run, simulated."
                                                             : "One run: counted by the CPU if it can, "
                                                               "else simulated in pages of 4 KiB."},
                      path, err);
}

static struct statistics flop_ratio(const struct app_point *point) {
    return chart_quotient(point->flop, app_once(point->analytic_flop));
}

static struct statistics chart_by_size_core_ratio(const struct app_point *point) {
    return chart_quotient(chart_point_bytes(point, BYTES_CORE),
                          app_once(point->analytic_load_bytes + point->analytic_store_bytes));
}

static struct statistics chart_by_size_dram_ratio(const struct app_point *point) {
    return chart_quotient(chart_point_bytes(point, BYTES_DRAM),
                          app_once(point->compulsory_read_bytes + point->compulsory_write_bytes));
}

static const struct ratio_quantity {
    const char *name, *key;
    struct statistics (*ratio)(const struct app_point *point);
    struct series_look look;
} QUANTITIES[] = {
    {"flop", "flop", flop_ratio, {.dash = PLOT_SOLID}},
    {"core", "bytes loaded and stored", chart_by_size_core_ratio, {.dash = PLOT_DASHED}},
    {"dram",
     "outlined: DRAM bytes over the least for cold data",
     chart_by_size_dram_ratio,
     {.dash = PLOT_DOTTED, .hollow = true}},
};
enum { QUANTITY_COUNT = sizeof QUANTITIES / sizeof QUANTITIES[0] };

/* Ratios of DRAM traffic are so large that those of counts would not be visible beside them. */
static bool chart_by_size_is_wanted(const struct ratio_quantity *quantity, const struct chart_options *options) {
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
                values[k] = chart_by_size_is_wanted(quantity, options) ? quantity->ratio(&series->entries[k].point)
                                                                       : (struct statistics){0};
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
                                             .footer = "Medians; boxes reach from quartile to quartile, whiskers to "
                                                       "the extremes. Exact values have none."},
                      path, err);
}

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
                                             .footer = "Medians; boxes reach from quartile to quartile, whiskers to "
                                                       "the extremes of sizes measured several times."},
                      path, err);
}

enum kind { OF_TIME, OF_PERFORMANCE, OF_SPREAD };

static struct statistics chart_by_size_value_of(const struct app_point *point, double clock_hz, enum kind kind) {
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

/* The longest time is the lowest rate. */
static struct boxed boxed_of(struct series_chart *chart, const struct app_point *point, enum kind kind) {
    const double clock_hz = series_clock_hz(chart, point);
    struct boxed boxed = {.value = chart_by_size_value_of(point, clock_hz, kind)};
    const struct median_interval s = app_median_interval(point);
    if (!(s.high > 0) || !(boxed.value.median > 0))
        return boxed;
    const double low = s.low / point->seconds.median, high = s.high / point->seconds.median;
    const bool rate = kind == OF_PERFORMANCE;
    boxed.median.low = boxed.value.median * (rate ? 1 / high : low);
    boxed.median.high = boxed.value.median * (rate ? 1 / low : high);
    return boxed;
}

static const double SEEN = 0.005; /* of the axis: a narrower box would be a line, so it rather touches its neighbour */

/* The room of one size: the least distance between two sizes of one series, as a share of the axis. Sizes of
 * different series may be nearly equal, such as a million and 2²⁰. */
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
                                    "100 cases (bootstrap). A size measured once is a line."},
                      path, err);
}
