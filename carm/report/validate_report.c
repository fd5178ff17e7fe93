/* SPDX-License-Identifier: BSD-3-Clause
 * Validation points as text (see validate_report.h). */
#include "validate_report.h"
#include "report.h"
#include "report_doubts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "render/page/units.h"

/* "1 thread", "4 P threads": where it matters. */
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
        fprintf(
            out,
            "\nPort limit: %zu point%s that the core's documented ports or its issue width keep below min(π, I·β), in "
            "flop/cycle.\n",
            limited, limited == 1 ? "" : "s");
    report_doubts_print(doubts, out);
}

void validation_print(const struct validation_point *points, size_t count, FILE *out) {
    static const char *const POINT_NAMES[] = {"",          "threads",    "kernel", "flop/B",   "measured",   "model",
                                              "deviation", "flop/cycle", "clock",  "bound by", "port limit", "doubts"};
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
