/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points, and validated workloads, as text and JSON. */
#include "validate_report.h"
#include "report.h"
#include "report_thresholds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/store/fields.h"
#include "carm/store/shape.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/need.h"
#include "render/page/units.h"

/* "1", "4 P": the threads, and their kind of core if there are several. */
static void validate_report_write_place(const struct validation_point *point, char *out, size_t size) {
    snprintf(out, size, "%u%s%s", point->threads, *point->core_kind ? " " : "", point->core_kind);
}

void report_validation_columns(struct column_walk *to, const struct validation_point *point) {
    char place[sizeof point->core_kind + 16], intensity[UNITS_BYTES];
    const char *bound = validation_is_compute_bound(point) ? "compute" : point->level;
    const double limit = point->port_limit_per_cycle;
    validate_report_write_place(point, place, sizeof place);
    units_fraction(intensity, sizeof intensity, point->flop_per_byte);
    column(to, cell_text(point->level), .title = "level", .heading = "", .key = "level", .text = {STAYS}, .csv = 3,
           .json = 3, .raw_json = true, .page = IN_TITLE);
    column(to, cell_text(place), .title = "threads", .text = {STAYS});
    column(to, cell_amount(true, point->threads), .key = "threads", .csv = 4, .json = 4);
    column(to, cell_text(point->kernel), .title = "kernel", .key = "name", .text = {STAYS}, .csv = 1, .json = 1,
           .raw_json = true, .page = IN_TITLE);
    column(to, cell_text(point->variant), .key = "variant", .csv = 2, .json = 2, .raw_json = true);
    column(to, cell_amount(true, (double)point->working_set_bytes), .key = "working_set_bytes", .csv = 5, .json = 5);
    column(to, cell_read(cell_number(true, point->flop_per_byte), intensity), .title = "intensity", .heading = "flop/B",
           .key = "flop_per_byte", .format = COLUMN_NUMBER, .unit = "flop/B", .text = {STAYS}, .csv = 6, .json = 6,
           .page = ON_PAGE);
    column(to, cell_number(true, point->flop_per_s), .title = "measured", .key = "flop_per_s", .format = COLUMN_SI,
           .unit = "flop/s", .text = {STAYS}, .csv = 7, .json = 7, .page = LEADS);
    column(to, cell_number(true, validation_model(point)), .title = "model", .key = "model_flop_per_s",
           .format = COLUMN_SI, .unit = "flop/s", .text = {STAYS}, .csv = 8, .json = 8, .page = ON_PAGE);
    column(to, cell_number(true, validation_deviation(point)), .title = "deviation", .key = "deviation",
           .format = COLUMN_CHANGE, .digits = 1, .text = {STAYS}, .csv = 9, .json = 9, .page = ON_PAGE);
    column(to, cell_positive(point->per_cycle), .title = "flop/cycle", .key = "per_cycle", .format = COLUMN_PER_CYCLE,
           .text = {STAYS}, .csv = 11, .json = 11);
    column(to, cell_number(point->per_cycle > 0, point->clock_hz), .title = "clock", .format = COLUMN_CLOCK,
           .text = {STAYS});
    column(to, cell_positive(point->clock_hz), .key = "clock_hz", .csv = 12, .json = 12);
    column(to, cell_text(bound), .title = "bound by", .key = "bound_by", .text = {STAYS}, .csv = 10, .json = 10,
           .raw_json = true);
    column(to, cell_positive(validation_is_port_limited(point) ? limit : 0), .title = "port limit",
           .format = COLUMN_PER_CYCLE, .text = {STAYS});
    column(to, cell_text(point->peak_kernel), .key = "peak", .csv = 13, .json = 13, .raw_json = true);
    column(to, cell_number(true, point->peak_flop_per_s), .key = "peak_flop_per_s", .csv = 14, .json = 14);
    column(to, cell_text(point->bandwidth_kernel), .key = "bandwidth", .csv = 15, .json = 15, .raw_json = true);
    column(to, cell_number(true, point->bandwidth_bytes_per_s), .key = "bandwidth_bytes_per_s", .csv = 16, .json = 16);
    column(to, cell_positive(limit), .key = "port_limit_per_cycle", .csv = 17, .json = 17);
    column(to, cell_number(true, point->spread), .key = "spread", .csv = 18, .json = 18);
    column(to, cell_doubts(point->doubts), .title = "warnings", .key = "doubts", .format = COLUMN_DOUBTS,
           .text = {STAYS}, .csv = 19, .json = 19, .page = ON_PAGE);
    column(to, cell_text(point->core_kind), .key = "core_kind", .csv = 20, .json = 20, .optional = true);
    column(to, cell_text(validation_side_names[validation_side_of(point)]), .key = "side", .csv = 21, .json = 21);
}

static struct cell side_cell(const struct validation_side_summary *side) {
    return cell_number(side->count > 0, side->median);
}

/* One level: how far its points are from the model on each side. */
static void summary_columns(struct column_walk *to, const struct validation_summary *summary) {
    char place[sizeof summary->first->core_kind + 16], fraction[UNITS_BYTES], where[UNITS_BYTES + 16];
    const struct validation_point *first = summary->first, *worst = validation_worst_point(summary);
    const struct validation_side_summary *sides = summary->sides;
    validate_report_write_place(first, place, sizeof place);
    snprintf(where, sizeof where, "at %s flop/B", units_fraction(fraction, sizeof fraction, worst->flop_per_byte));
    column(to, cell_text(first->level), .title = "", .key = "level", .text = {STAYS}, .json = 1, .raw_json = true);
    column(to, cell_text(place), .title = "threads", .text = {STAYS});
    column(to, cell_amount(true, first->threads), .key = "threads", .json = 2);
    column(to, cell_text(first->peak_kernel), .title = "peak", .key = "peak", .text = {2}, .json = 3, .raw_json = true);
    column(to, cell_text(first->bandwidth_kernel), .title = "bandwidth", .key = "bandwidth", .text = {1}, .json = 4,
           .raw_json = true);
    column(to, cell_amount(true, (double)summary->count), .title = "points", .key = "points", .format = COLUMN_WHOLE,
           .text = {3}, .json = 5);
    column(to, side_cell(&sides[VALIDATION_MEMORY_SIDE]), .title = "memory side", .key = "memory_side_deviation",
           .format = COLUMN_PERCENT, .digits = 1, .text = {STAYS}, .json = 6);
    column(to, side_cell(&sides[VALIDATION_RIDGE]), .title = "ridge", .key = "ridge_deviation",
           .format = COLUMN_PERCENT, .digits = 1, .text = {STAYS}, .json = 6);
    column(to, side_cell(&sides[VALIDATION_COMPUTE_SIDE]), .title = "compute side", .key = "compute_side_deviation",
           .format = COLUMN_PERCENT, .digits = 1, .text = {STAYS}, .json = 6);
    column(to, cell_number(true, validation_deviation(worst)), .title = "worst point", .key = "worst_deviation",
           .format = COLUMN_CHANGE, .digits = 1, .text = {STAYS}, .json = 7);
    column(to, cell_text(where), .title = "", .text = {STAYS});
    column(to, cell_number(true, worst->flop_per_byte), .key = "worst_flop_per_byte", .json = 7);
    column(to, cell_text(first->core_kind), .key = "core_kind", .json = 8, .optional = true);
}

static const char *const SIDES = "medians of |deviation|: memory side, intensity below half of the ridge point's, π/β; "
                                 "ridge, up to twice it; compute side, above";

/* "2 points cannot reach the model: …"; "" if all can. */
static char *validate_report_write_limited(const struct validation_point *points, size_t count, char *out,
                                           size_t size) {
    const struct validation_limited limited = validation_limited_points(points, count);
    char intensity[UNITS_BYTES];
    if (limited.count == 0)
        return strcpy(out, "");
    units_fraction(intensity, sizeof intensity, limited.lowest->flop_per_byte);
    snprintf(
        out, size,
        "%zu point%s cannot reach min(π, I·β): the documented ports, and the instructions renamed per cycle, allow "
        "%.1f of its %.1f flop/cycle at %s flop/B (%s). From such limits %s %.1f %% off in the median",
        limited.count, limited.count == 1 ? "" : "s", limited.lowest->port_limit_per_cycle,
        validation_model_per_cycle(limited.lowest), intensity, limited.lowest->kernel,
        limited.count == 1 ? "it is" : "they are", 100 * limited.median);
    return out;
}

static void validate_report_print_notes(const struct validation_point *points, size_t count, FILE *out) {
    char limited[512];
    struct doubts doubts = NO_DOUBTS;
    for (size_t i = 0; i < count; i++)
        doubts_join(&doubts, points[i].doubts);
    fprintf(out, "\nSides: %s.\n", SIDES);
    if (*validate_report_write_limited(points, count, limited, sizeof limited))
        fprintf(out, "\nPort limit, in flop/cycle: %s.\n", limited);
    report_doubts_print(doubts, out);
}

static void validate_report_print_points(const struct validation_point *points, size_t count, FILE *out) {
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < count; i++) {
        columns_row(&to);
        report_validation_columns(&to, &points[i]);
    }
    columns_print(&to, out);
}

static void validate_report_print_levels(const struct validation_summary *summaries, size_t series, FILE *out) {
    struct column_walk to = columns_table(0);
    for (size_t i = 0; i < series; i++) {
        columns_row(&to);
        summary_columns(&to, &summaries[i]);
    }
    columns_print(&to, out);
}

void validation_print(const struct validation_point *points, size_t count, FILE *out) {
    struct validation_summary summaries[VALIDATION_MAX_SERIES];
    const size_t series = validation_summarise(points, count, summaries, VALIDATION_MAX_SERIES);
    if (count == 0)
        return;
    validate_report_print_points(points, count, out);
    fputc('\n', out);
    validate_report_print_levels(summaries, series, out);
    validate_report_print_notes(points, count, out);
}

void validation_name_worst(const struct validation_side_summary *side, char *out, size_t size) {
    const struct validation_point *point = side->worst;
    char place[sizeof point->core_kind + 16], intensity[UNITS_BYTES], change[UNITS_BYTES];
    validate_report_write_place(point, place, sizeof place);
    units_fraction(intensity, sizeof intensity, point->flop_per_byte);
    units_change(change, sizeof change, validation_deviation(point), 1);
    snprintf(out, size, "the %s of %s, %s thread%s: %.1f %% off in the median, %s at %s flop/B (%s)",
             validation_side_names[validation_side_of(point)], point->level, place, point->threads == 1 ? "" : "s",
             100 * side->median, change, intensity, point->kernel);
}

/* "3 of 4 levels agree with the model within 2 % on both sides and at the ridge; worst is the ridge of …". */
static void validate_report_print_headline(const struct validation_summary *summaries, size_t series,
                                           const struct screen *screen) {
    const double close_enough = report_thresholds.model_agrees.value;
    char text[640], worst_text[256];
    const struct validation_side_summary *worst = validation_worst_side(summaries, series);
    size_t close = 0;
    for (size_t i = 0; i < series; i++)
        close += validation_worst_side(&summaries[i], 1)->median <= close_enough;
    validation_name_worst(worst, worst_text, sizeof worst_text);
    snprintf(text, sizeof text,
             "%zu of %zu levels agree with the model within %.0f %% on both sides and at the ridge; worst is %s%s",
             close, series, 100 * close_enough, worst_text,
             worst->median > close_enough && validation_side_of(worst->worst) == VALIDATION_RIDGE
                 ? ". At the ridge the model is an upper bound: it assumes that memory accesses and arithmetic overlap "
                   "completely"
                 : "");
    screen_say(screen, text, "   ");
}

void validation_answer_print(const struct validation_point *points, size_t count, const struct screen *screen) {
    char names[512], limited[512];
    struct doubts doubts = NO_DOUBTS;
    struct validation_summary summaries[VALIDATION_MAX_SERIES];
    const size_t series = validation_summarise(points, count, summaries, VALIDATION_MAX_SERIES);
    validate_report_print_headline(summaries, series, screen);
    fputc('\n', screen->out);
    validate_report_print_levels(summaries, series, screen->out);
    fputc('\n', screen->out);
    screen_note(screen, "Sides", "%s", SIDES);
    if (*validate_report_write_limited(points, count, limited, sizeof limited))
        screen_note(screen, "Limit", "%s", limited);
    for (size_t i = 0; i < count; i++)
        doubts_join(&doubts, points[i].doubts);
    if (doubts_any(doubts))
        screen_note(screen, "Warning", "%s (why: --all)", doubt_names(doubts, names, sizeof names));
    screen_note(screen, "Rows", "all %zu points: --all", count);
}

void validation_csv(const struct validation_point *points, size_t count, FILE *out) {
    struct column_walk to = columns_csv_rows();
    for (size_t i = 0; i < count; i++) {
        report_validation_columns(&to, &points[i]);
        columns_end_csv(&to, out);
    }
}

json_t *validation_points_json(const struct validation_point *points, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        struct column_walk to = columns_json();
        report_validation_columns(&to, &points[i]);
        json_array_append_new(list, columns_end_json(&to));
    }
    return list;
}

static json_t *validation_levels_json(const struct validation_point *points, size_t count) {
    struct validation_summary summaries[VALIDATION_MAX_SERIES];
    const size_t series = validation_summarise(points, count, summaries, VALIDATION_MAX_SERIES);
    json_t *list = json_array();
    for (size_t i = 0; i < series; i++) {
        struct column_walk to = columns_json();
        summary_columns(&to, &summaries[i]);
        json_array_append_new(list, columns_end_json(&to));
    }
    return list;
}

json_t *validation_json(const struct validation_point *points, size_t count) {
    return json_pack("{s:s,s:o,s:o}", "schema", "carmine.validation/2", "points", validation_points_json(points, count),
                     "levels", validation_levels_json(points, count));
}

/* Validation of workloads. */

/* Workloads whose work differs from the formula, the largest difference (NULL: none), and the reason. */
static const struct other_work {
    const char *name;
    const struct threshold *bound;
    const char *why;
} OTHER_WORK[] = {
    {"dgemm-openblas", &report_thresholds.openblas_agrees,
     "OpenBLAS scales AB and C in separate steps, and rounds small matrices up to its blocks; the paper's table IV has "
     "1.01 for such a library"},
    {"fft-fftw", NULL, "its plan determines its work; there is no formula"},
    {"fft-fftw-scalar", NULL, "its plan determines its work; there is no formula"},
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
    const struct threshold *agrees = other ? other->bound : &report_thresholds.work_agrees;
    const double bound = agrees ? agrees->value : 0;
    for (int q = QUANTITY_FLOP; q <= QUANTITY_BYTES; q++) {
        out.judged |= !isnan(out.farthest[q]);
        out.passed &= isnan(out.farthest[q]) || fabs(out.farthest[q] - 1) <= bound;
    }
    return out;
}

void workload_validation_print_claim(const char *file, const struct workload_outcome *outcomes, size_t count,
                                     FILE *out) {
    for (size_t i = 0; i < count; i++) {
        const struct app_point *point = &outcomes[i].point;
        if (!outcomes[i].flop_known || fabs(point->flop.median - point->analytic_flop) <=
                                           report_thresholds.work_agrees.value * point->analytic_flop)
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
    [QUANTITY_BYTES] = {"bytes", "core_bytes"},
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
            "\nMeasured / expected: the median over the sizes, and the farthest from 1.\nW (flop) and the bytes that "
            "the core loads and stores are counted exactly, instruction by instruction; within %.3f of 1 they agree "
            "with theory.\n",
            report_thresholds.work_agrees.value);
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

json_t *workload_validation_json(const struct workload_validation *rows, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *row =
            json_pack("{s:s,s:i,s:I,s:I,s:s,s:o}", "workload", rows[i].name, "sizes", (int)rows[i].size_count,
                      "least_size", (json_int_t)rows[i].least_size, "largest_size", (json_int_t)rows[i].largest_size,
                      "as_theory_says", verdict_text(&rows[i]), "dram_source",
                      text_or_null(rows[i].dram_source == SOURCE_UNKNOWN ? "" : app_source_names[rows[i].dram_source]));
        for (int q = 0; q < QUANTITIES; q++)
            json_object_set_new(row, NAMES[q].key,
                                isnan(rows[i].median[q])
                                    ? json_null()
                                    : shape_nullable(json_pack("{s:f,s:f}", "median", rows[i].median[q], "farthest",
                                                               rows[i].farthest[q])));
        json_array_append_new(list, row);
    }
    return json_pack("{s:s,s:f,s:o}", "schema", "carmine.workload-validation/1", "bound",
                     report_thresholds.work_agrees.value, "workloads", list);
}
