/* SPDX-License-Identifier: BSD-3-Clause
 * Tables of workloads (see report_workload.h). */
#include "report_workload.h"

#include <math.h>
#include <string.h>

#include "bench/sample/doubt.h"
#include "render/page/units.h"
#include "report.h"
#include "report_app.h"
#include "carm/text/table.h"
#include "carm/model/verdict_words.h"
#include "report_doubts.h"

double report_workload_flop_ratio(const struct app_point *point) {
    if (point->flop_source == SOURCE_UNKNOWN || (point->analytic_flop == 0 && point->flop.median > 0))
        return NAN;
    return point->analytic_flop > 0 ? point->flop.median / point->analytic_flop : 1;
}

double report_workload_bytes_ratio(const struct app_point *point) {
    double analytic_bytes = point->analytic_load_bytes + point->analytic_store_bytes;
    return point->bytes_source == SOURCE_UNKNOWN || !(analytic_bytes > 0) ? (double)NAN
                                                                          : app_core_bytes(point) / analytic_bytes;
}

/* Nothing is compulsory of data that may be in the caches already. */
static double dram_ratio(const struct app_point *point, double measured, double compulsory) {
    bool known = point->dram_source != SOURCE_UNKNOWN && point->data == STATE_COLD && compulsory > 0;
    return known ? measured / compulsory : (double)NAN;
}

double report_workload_read_ratio(const struct app_point *point) {
    return dram_ratio(point, point->dram_read_bytes.median, point->compulsory_read_bytes);
}

double report_workload_write_ratio(const struct app_point *point) {
    return dram_ratio(point, point->dram_write_bytes.median, point->compulsory_write_bytes);
}

double report_workload_dram_ratio(const struct app_point *point) {
    return dram_ratio(point, app_dram_bytes(point), point->compulsory_read_bytes + point->compulsory_write_bytes);
}

static void set_ratio(char (*row)[TABLE_CELL_BYTES], size_t column, double value) {
    if (!isnan(value))
        table_set(row, column, "%.*f", value < 0.995 || value > 1.005 ? 2 : 3, value);
}

enum workload_column {
    SIZE,
    WORKING_SET,
    TIME,
    QUARTILES,
    INTERVAL,
    RATE,
    PER_CYCLE,
    FLOP,
    FLOP_RATIO,
    BYTES,
    BYTES_RATIO,
    INTENSITY,
    BOUND_BY,
    ROOF_RATIO,
    NEXT,
    DRAM,
    DRAM_RATIO,
    DRAM_INTENSITY,
    TLB_MISSES,
    DOUBTS,
    COLUMNS,
};
static const char *const HEADINGS[COLUMNS] = {
    [SIZE] = "size",
    [WORKING_SET] = "data",
    [TIME] = "time",
    [QUARTILES] = "quartiles",
    [INTERVAL] = "median, 95 %",
    [RATE] = "reached",
    [PER_CYCLE] = "per cycle",
    [FLOP] = "flop",
    [FLOP_RATIO] = "/ W",
    [BYTES] = "asked",
    [BYTES_RATIO] = "/ analytic",
    [INTENSITY] = "flop/B",
    [BOUND_BY] = "bound by",
    [ROOF_RATIO] = "of",
    [NEXT] = "next",
    [DRAM] = "DRAM",
    [DRAM_RATIO] = "/ Q",
    [DRAM_INTENSITY] = "flop/DRAM B",
    [TLB_MISSES] = "TLB misses",
    [DOUBTS] = "doubts",
};

/* Rates are of flop, or of bytes where there are none. */
static void set_rate(char (*row)[TABLE_CELL_BYTES], const struct app_point *point, const struct verdict *verdict) {
    char text[UNITS_BYTES];
    bool flop = point->flop.median > 0;
    double rate = flop ? app_flop_per_s(point) : app_core_bytes(point) / point->seconds.median;
    const bool bytes = verdict->bytes_roof && !verdict->nearest && verdict->why != VERDICT_WAITS;
    const char *bound_by = bytes                 ? verdict->bytes_roof->sample->level
                           : verdict->bytes_roof ? "unknown"
                                                 : verdict_bound_cell(verdict);
    table_set(row, RATE, "%s", units_si(text, sizeof text, rate, flop ? "flop/s" : "B/s"));
    if (point->clock_hz > 0)
        table_set(row, PER_CYCLE, "%s %s", units_digits(text, sizeof text, rate / point->clock_hz, 3),
                  flop ? "flop" : "B");
    table_set(row, BOUND_BY, "%s", bound_by);
    table_set(row, ROOF_RATIO, "%s", verdict_reached_cell(verdict, text, sizeof text));
    table_set(row, NEXT, "%s", verdict_next_cell(verdict, text, sizeof text));
}

static void add_row(struct table *table, const struct app_point *point, const struct verdict *verdict) {
    char text[TABLE_CELL_BYTES];
    char(*row)[TABLE_CELL_BYTES] = table_row(table);
    table_set(row, SIZE, "%llu", (unsigned long long)point->size);
    table_set(row, WORKING_SET, "%s", units_binary(text, UNITS_BYTES, (double)point->working_set_bytes));
    if (point->seconds.median > 0) {
        table_set(row, TIME, "%s", units_seconds(text, UNITS_BYTES, point->seconds.median));
        table_set(row, QUARTILES, "%s", report_quartiles_text(&point->seconds, text, UNITS_BYTES));
        table_set(row, INTERVAL, "%s", report_interval_text(point, text, UNITS_BYTES));
        set_rate(row, point, verdict);
    }
    table_set(row, FLOP, "%s", units_si(text, UNITS_BYTES, point->flop.median, "flop"));
    set_ratio(row, FLOP_RATIO, report_workload_flop_ratio(point));
    table_set(row, BYTES, "%s", units_si(text, UNITS_BYTES, app_core_bytes(point), "B"));
    set_ratio(row, BYTES_RATIO, report_workload_bytes_ratio(point));
    if (app_flop_per_byte(point) > 0)
        table_set(row, INTENSITY, "%s", units_number(text, UNITS_BYTES, app_flop_per_byte(point)));
    if (point->dram_source != SOURCE_UNKNOWN) {
        table_set(row, DRAM, "%s", units_si(text, UNITS_BYTES, app_dram_bytes(point), "B"));
        set_ratio(row, DRAM_RATIO, report_workload_dram_ratio(point));
        if (app_flop_per_dram_byte(point) > 0)
            table_set(row, DRAM_INTENSITY, "%s", units_number(text, UNITS_BYTES, app_flop_per_dram_byte(point)));
    }
    if (point->tlb_misses.n > 0)
        table_set(row, TLB_MISSES, "%s", units_si(text, UNITS_BYTES, point->tlb_misses.median, ""));
    table_set(row, DOUBTS, "%s", doubt_names(verdict->doubts, text, sizeof text));
}

void report_workload_print(const struct model *model, const struct app_point *points, size_t count, FILE *out) {
    struct table table = table_begin("rrrrrrrrrrrrlrlrrrrl");
    table.brief = true;
    struct doubts doubts = NO_DOUBTS;
    table_head(&table, HEADINGS, COLUMNS);
    for (size_t i = 0; i < count; i++) {
        const struct verdict verdict = verdict_find(model, &points[i]);
        add_row(&table, &points[i], &verdict);
        doubts_join(&doubts, verdict.doubts);
    }
    table_print(&table, out);
    report_doubts_print(doubts, out);
}

void report_workload_notes_print(const struct workload_request *request, const struct workload_outcome *outcomes,
                                 size_t count, FILE *out) {
    const struct workload_outcome *first = &outcomes[0];
    unsigned fewest_runs = first->runs, most_runs = first->runs, fewest = first->repeat;
    for (size_t i = 1; i < count; i++) {
        fewest_runs = outcomes[i].runs < fewest_runs ? outcomes[i].runs : fewest_runs;
        most_runs = outcomes[i].runs > most_runs ? outcomes[i].runs : most_runs;
        fewest = outcomes[i].repeat < fewest ? outcomes[i].repeat : fewest;
    }
    char least[40] = "";
    if (request->least_of > 1)
        snprintf(least, sizeof least, ", each the fastest of %u", request->least_of);
    if (request->own)
        fprintf(out, "\n%s by %s", request->own->file, request->own->compiler);
    else
        fprintf(out, "\n%s code%s%s", first->isa, *first->library ? ", " : "", first->library);
    fprintf(out, "; %u repetition%s%s, each of %u", first->wanted, first->wanted == 1 ? "" : "s", least, fewest_runs);
    fprintf(out, most_runs > fewest_runs ? " to %u runs\n" : most_runs > 1 ? " runs\n" : " run\n", most_runs);
    if (fewest < first->wanted)
        fprintf(out, "▲ down to %u repetition%s, since %u would take longer than %.0f s; --repeat %u does them\n",
                fewest, fewest == 1 ? "" : "s", first->wanted, request->budget_s, first->wanted);
    if (first->levels.hierarchy.level_count > 0)
        fprintf(out, "▲ simulated: %s%s%s\n", first->point.levels.caches, first->levels.note[0] ? "; " : "",
                first->levels.note);
}
