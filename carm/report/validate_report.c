/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points, and validated workloads, as text and JSON. */
#include "validate_report.h"
#include "report.h"
#include "report_points.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/store/fields.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "render/page/units.h"

/* "1", "4 P": the threads, and their kind of core if there are several. */
static void write_place(const struct validation_point *point, char *out, size_t size) {
    snprintf(out, size, "%u%s%s", point->threads, *point->core_kind ? " " : "", point->core_kind);
}

static void add_point(struct table *table, const struct validation_point *point) {
    char text[UNITS_BYTES], doubts[TABLE_CELL_BYTES];
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "%s", point->level);
    write_place(point, row[1], TABLE_CELL_BYTES);
    table_set(row, 2, "%s", point->kernel);
    table_set(row, 3, "%s", units_fraction(text, sizeof text, point->flop_per_byte));
    table_set(row, 4, "%s", units_si(text, sizeof text, point->flop_per_s, "flop/s"));
    table_set(row, 5, "%s", units_si(text, sizeof text, validation_model(point), "flop/s"));
    table_set(row, 6, "%+.1f %%", 100 * validation_deviation(point));
    if (point->per_cycle > 0) {
        table_set(row, 7, "%.*f", point->per_cycle < 10 ? 2 : 1, point->per_cycle);
        table_set(row, 8, "%.2f GHz", point->clock_hz / 1e9);
    }
    table_set(row, 9, "%s", validation_is_compute_bound(point) ? "compute" : point->level);
    if (validation_is_port_limited(point))
        table_set(row, 10, "%.*f", point->port_limit_per_cycle < 10 ? 2 : 1, point->port_limit_per_cycle);
    table_set(row, 11, "%s", doubt_names(point->doubts, doubts, sizeof doubts));
}

static void add_summary(struct table *table, const struct validation_summary *summary) {
    char text[UNITS_BYTES];
    const struct validation_point *first = summary->first, *worst = summary->worst;
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, 0, "%s", first->level);
    write_place(first, row[1], TABLE_CELL_BYTES);
    table_set(row, 2, "%s", first->peak_kernel);
    table_set(row, 3, "%s", first->bandwidth_kernel);
    table_set(row, 4, "%zu", summary->count);
    table_set(row, 5, "%.1f %%", 100 * summary->median);
    table_set(row, 6, "%+.1f %%", 100 * validation_deviation(worst));
    table_set(row, 7, "at %s flop/B", units_fraction(text, sizeof text, worst->flop_per_byte));
}

static void print_notes(const struct validation_point *points, size_t count, FILE *out) {
    size_t limited = 0;
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < count; i++) {
        limited += validation_is_port_limited(&points[i]);
        doubts_join(&doubts, points[i].doubts);
    }
    if (limited)
        fprintf(out,
                "\nPort limit, in flop/cycle: documented ports or issue width keep %zu point%s below min(π, I·β).\n",
                limited, limited == 1 ? "" : "s");
    report_doubts_print(doubts, out);
}

void validation_print(const struct validation_point *points, size_t count, FILE *out) {
    static const char *const POINT_NAMES[] = {"",         "threads",  "kernel",     "flop/B",
                                              "measured", "model",    "deviation",  "flop/cycle",
                                              "clock",    "bound by", "port limit", "warnings"};
    static const char *const LEVEL_NAMES[] = {
        "", "threads", "peak", "bandwidth", "points", "median deviation", "worst deviation", ""};
    if (count == 0)
        return;
    struct table table = table_begin("lllrrrrrrlrl");
    table_head(&table, POINT_NAMES, sizeof POINT_NAMES / sizeof POINT_NAMES[0]);
    for (size_t i = 0; i < count; i++)
        add_point(&table, &points[i]);
    table_print(&table, out);
    fputc('\n', out);
    struct validation_summary summaries[VALIDATION_MAX_SERIES];
    size_t series = validation_summarise(points, count, summaries, VALIDATION_MAX_SERIES);
    table = table_begin("llllrrrl");
    table_head(&table, LEVEL_NAMES, sizeof LEVEL_NAMES / sizeof LEVEL_NAMES[0]);
    for (size_t i = 0; i < series; i++)
        add_summary(&table, &summaries[i]);
    table_print(&table, out);
    print_notes(points, count, out);
}

json_t *validation_points_json(const struct validation_point *points, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct validation_point *point = &points[i];
        json_t *object = json_pack(
            "{s:s,s:s,s:s,s:i,s:I,s:f,s:f,s:f,s:f,s:s,s:o,s:o,s:s,s:f,s:s,s:f,s:o,s:f,s:o}", "name", point->kernel,
            "variant", point->variant, "level", point->level, "threads", (int)point->threads, "working_set_bytes",
            (json_int_t)point->working_set_bytes, "flop_per_byte", point->flop_per_byte, "flop_per_s",
            point->flop_per_s, "model_flop_per_s", validation_model(point), "deviation", validation_deviation(point),
            "bound_by", validation_is_compute_bound(point) ? "compute" : point->level, "per_cycle",
            positive_or_null(point->per_cycle), "clock_hz", positive_or_null(point->clock_hz), "peak",
            point->peak_kernel, "peak_flop_per_s", point->peak_flop_per_s, "bandwidth", point->bandwidth_kernel,
            "bandwidth_bytes_per_s", point->bandwidth_bytes_per_s, "port_limit_per_cycle",
            positive_or_null(point->port_limit_per_cycle), "spread", point->spread, "doubts",
            doubts_json(point->doubts));
        if (point->core_kind[0])
            json_object_set_new(object, "core_kind", json_string(point->core_kind));
        json_array_append_new(list, object);
    }
    return list;
}

json_t *validation_levels_json(const struct validation_point *points, size_t count) {
    struct validation_summary summaries[VALIDATION_MAX_SERIES];
    size_t series = validation_summarise(points, count, summaries, VALIDATION_MAX_SERIES);
    json_t *list = json_array();
    for (size_t i = 0; i < series; i++) {
        const struct validation_point *first = summaries[i].first;
        json_t *object = json_pack(
            "{s:s,s:i,s:s,s:s,s:I,s:f,s:f}", "level", first->level, "threads", (int)first->threads, "peak",
            first->peak_kernel, "bandwidth", first->bandwidth_kernel, "points", (json_int_t)summaries[i].count,
            "median_deviation", summaries[i].median, "worst_deviation", validation_deviation(summaries[i].worst));
        if (first->core_kind[0])
            json_object_set_new(object, "core_kind", json_string(first->core_kind));
        json_array_append_new(list, object);
    }
    return list;
}

/* Validation of workloads. */

/* For exact counts: 1.00 ± this. */
static const double WORKLOAD_BOUND = 0.005;

/* Workloads whose work differs from the formula, the largest difference, and the reason. */
static const struct other_work {
    const char *name;
    double bound;
    const char *why;
} OTHER_WORK[] = {
    {"dgemm-openblas", 0.015,
     "OpenBLAS scales AB and C in separate steps, and rounds small matrices up to its blocks; the paper's table IV has "
     "1.01 for such a library"},
    {"fft-fftw", 0, "its plan determines its work; there is no formula"},
    {"fft-fftw-scalar", 0, "its plan determines its work; there is no formula"},
};

static double (*const RATIOS[QUANTITIES])(const struct app_point *point) = {
    [QUANTITY_FLOP] = report_workload_flop_ratio, [QUANTITY_BYTES] = report_workload_bytes_ratio,
    [QUANTITY_READ] = report_workload_read_ratio, [QUANTITY_WRITTEN] = report_workload_write_ratio,
    [QUANTITY_DRAM] = report_workload_dram_ratio,
};

static const struct other_work *find_other(const char *name) {
    for (size_t i = 0; i < sizeof OTHER_WORK / sizeof OTHER_WORK[0]; i++)
        if (strcmp(OTHER_WORK[i].name, name) == 0)
            return &OTHER_WORK[i];
    return NULL;
}

struct workload_validation workload_validation_make(const struct workload_outcome *outcomes, size_t count) {
    struct workload_validation out = {.size_count = count, .passed = true};
    const struct app_point *first = &outcomes[0].point;
    snprintf(out.name, sizeof out.name, "%s", first->program);
    out.dram_source = first->dram_source;
    out.least_size = out.largest_size = first->size;
    double *ratios = need_calloc(count, sizeof *ratios);
    for (int q = 0; q < QUANTITIES; q++) {
        out.farthest[q] = NAN;
        for (size_t i = 0; i < count; i++) {
            const struct app_point *point = &outcomes[i].point;
            bool unexpected = q == QUANTITY_FLOP && outcomes[i].flop_known && point->analytic_flop == 0;
            ratios[i] = unexpected && point->flop.median > 0 ? (double)INFINITY : RATIOS[q](point);
            if (!(fabs(ratios[i] - 1) <= fabs(out.farthest[q] - 1)))
                out.farthest[q] = ratios[i];
            out.least_size = point->size < out.least_size ? point->size : out.least_size;
            out.largest_size = point->size > out.largest_size ? point->size : out.largest_size;
        }
        out.median[q] = isnan(out.farthest[q]) ? (double)NAN : sample_statistics(ratios, count).median;
    }
    free(ratios);
    const struct other_work *other = find_other(out.name);
    for (int q = QUANTITY_FLOP; q <= QUANTITY_BYTES; q++) {
        out.judged |= !isnan(out.farthest[q]);
        out.passed &= isnan(out.farthest[q]) || fabs(out.farthest[q] - 1) <= (other ? other->bound : WORKLOAD_BOUND);
    }
    return out;
}

void workload_validation_print_claim(const char *file, const struct workload_outcome *outcomes, size_t count,
                                     FILE *out) {
    for (size_t i = 0; i < count; i++) {
        const struct app_point *point = &outcomes[i].point;
        if (!outcomes[i].flop_known ||
            fabs(point->flop.median - point->analytic_flop) <= WORKLOAD_BOUND * point->analytic_flop)
            continue;
        fprintf(out,
                "▲ flop() of %s says %.0f at size %" PRIu64
                ", and %.0f were executed%s; points use the executed flop\n",
                file, point->analytic_flop, point->size, point->flop.median,
                point->flop.median == 0 ? ": compilers remove unused results" : "");
        return;
    }
}

static const struct {
    const char *heading, *key;
} NAMES[QUANTITIES] = {
    [QUANTITY_FLOP] = {"W", "flop"},
    [QUANTITY_BYTES] = {"asked", "core_bytes"},
    [QUANTITY_READ] = {"Q_r", "dram_read_bytes"},
    [QUANTITY_WRITTEN] = {"Q_w", "dram_write_bytes"},
    [QUANTITY_DRAM] = {"Q", "dram_bytes"},
};

static const char *verdict_text(const struct workload_validation *row) {
    return !row->judged ? "says nothing" : row->passed ? "yes" : "no";
}

static void print_legend(const struct workload_validation *rows, size_t count, FILE *out) {
    enum app_source dram = SOURCE_UNKNOWN;
    for (size_t i = 0; i < count; i++)
        dram = rows[i].dram_source != SOURCE_UNKNOWN ? rows[i].dram_source : dram;
    fprintf(out,
            "\nMeasured / expected: the median over the sizes, and the farthest from 1.\nW (flop) and asked (bytes "
            "that the core loads and stores) are counted exactly, instruction by instruction; within %.3f of 1 they "
            "agree with theory.\n",
            WORKLOAD_BOUND);
    if (dram == SOURCE_UNKNOWN)
        fprintf(out, "Q, the DRAM traffic, is not measured: the memory controllers' counters can't be read here; "
                     "--levels simulates the caches.\n");
    else
        fprintf(out, "Q: DRAM traffic of cold data, %s; theory gives the minimum.\n",
                dram == SOURCE_SIMULATED ? "by simulated caches (docs/traffic.md)"
                                         : "by the memory controllers' counters");
    for (size_t i = 0; i < count; i++)
        if (find_other(rows[i].name))
            fprintf(out, "▲ %s: %s\n", rows[i].name, find_other(rows[i].name)->why);
}

void workload_validation_print(const struct workload_validation *rows, size_t count, FILE *out) {
    struct table table = table_begin("lrrrrrrrrrrl");
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    table_set(row, 0, "workload");
    for (int q = 0; q < QUANTITIES; q++)
        table_set(row, 1 + 2 * (size_t)q, "%s", NAMES[q].heading);
    table_set(row, 1 + 2 * QUANTITIES, "as theory says");
    for (size_t i = 0; i < count; i++) {
        row = table_row(&table);
        table_set(row, 0, "%s, %zu size%s, %" PRIu64 " to %" PRIu64, rows[i].name, rows[i].size_count,
                  rows[i].size_count == 1 ? "" : "s", rows[i].least_size, rows[i].largest_size);
        for (int q = 0; q < QUANTITIES; q++)
            if (!isnan(rows[i].median[q])) {
                table_set(row, 1 + 2 * (size_t)q, "%.3f", rows[i].median[q]);
                table_set(row, 2 + 2 * (size_t)q, "%.3f", rows[i].farthest[q]);
            }
        table_set(row, 1 + 2 * QUANTITIES, "%s", verdict_text(&rows[i]));
    }
    table_print(&table, out);
    print_legend(rows, count, out);
}

void workload_validation_print_json(const struct workload_validation *rows, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row =
            json_pack("{s:s,s:i,s:I,s:I,s:s,s:s?}", "workload", rows[i].name, "sizes", (int)rows[i].size_count,
                      "least_size", (json_int_t)rows[i].least_size, "largest_size", (json_int_t)rows[i].largest_size,
                      "as_theory_says", verdict_text(&rows[i]), "dram_source",
                      rows[i].dram_source == SOURCE_UNKNOWN ? NULL : app_source_names[rows[i].dram_source]);
        for (int q = 0; q < QUANTITIES; q++)
            json_object_set_new(row, NAMES[q].key,
                                isnan(rows[i].median[q]) ? json_null()
                                                         : json_pack("{s:f,s:f}", "median", rows[i].median[q],
                                                                     "farthest", rows[i].farthest[q]));
        json_array_append_new(list, row);
    }
    fields_print(json_pack("{s:s,s:f,s:o}", "schema", "carmine.workload-validation/1", "bound", WORKLOAD_BOUND,
                           "workloads", list));
}
