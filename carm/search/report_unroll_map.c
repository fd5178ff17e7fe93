/* SPDX-License-Identifier: BSD-3-Clause
 * A map as text and as JSON (see search.h). */
#include "search.h"

#include <math.h>
#include <string.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/number_thresholds.h"
#include "carm/store/shape.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "probe/text.h"
#include "render/page/units.h"

const char *unroll_map_unit(const struct unroll_map *map) {
    return map->kind == KERNEL_COMPUTE ? "flop/cycle" : "byte/cycle";
}

int unroll_map_decimals(const struct unroll_map *map) {
    return map->winner.per_cycle >= 10 ? 1 : 2;
}

bool unroll_map_latency(const struct unroll_map *map, double *latency_cycles, double *per_cycle) {
    const struct cost *cost = &map->winner_cost;
    const unsigned counts[] = {cost->mix.add, cost->mix.mul, cost->mix.fma};
    unsigned sorts = 0, instructions = 0;
    for (size_t i = 0; i < 3; i++) {
        sorts += counts[i] > 0;
        instructions += counts[i];
    }
    double one = unroll_map_row_best(map, 0);
    if (sorts != 1 || one <= 0)
        return false;
    double flop_per_instruction = (double)cost->flop / instructions;
    *latency_cycles = flop_per_instruction / one;
    *per_cycle = map->winner.per_cycle / flop_per_instruction;
    return true;
}

static void print_cells(const struct unroll_map *map, FILE *out) {
    const struct unroll_search *search = &map->search;
    int decimals = unroll_map_decimals(map), width = map->winner.per_cycle >= 100 ? 5 : 4;
    fprintf(out, "%7s", map->kind == KERNEL_COMPUTE ? "DLP" : "streams");
    for (unsigned c = 0; c < search->columns; c++)
        fprintf(out, " %*u", width, map->unrolls[c]);
    fprintf(out, "  UNROLL\n");
    for (unsigned r = 0; r < search->rows; r++) {
        char line[SEARCH_MAX_SIDE * 16] = "";
        size_t used = 0;
        for (unsigned c = 0; c < search->columns; c++) {
            double value = search->values[r][c];
            char cell[16] = "";
            if (!isnan(value))
                snprintf(cell, sizeof cell, "%.*f", decimals, value);
            else if (search->possible[r][c])
                snprintf(cell, sizeof cell, "-");
            bool winner = r == map->row && c == map->column;
            text_append(line, sizeof line, "%c%*s", winner ? '*' : ' ', width, cell);
            used = cell[0] ? strlen(line) : used;
        }
        fprintf(out, "%7u%.*s\n", map->widths[r], (int)used, line);
    }
}

static void print_doubts(struct doubts doubts, FILE *out) {
    for (unsigned d = 0; d < DOUBT_COUNT; d++)
        if (doubts_has(doubts, d))
            fprintf(out, "%s: %s; %s\n", doubt_table[d].name, doubt_table[d].cause, doubt_table[d].remedy);
}

static const char *plural(unsigned count) {
    return count == 1 ? "" : "s";
}

void unroll_map_print(const struct unroll_map_view *view, FILE *out) {
    const struct unroll_map *map = view->map;
    const struct sample *winner = &map->winner, *reference = &map->reference;
    const char *unit = unroll_map_unit(map);
    double latency, starts;
    char text[32];
    fprintf(out, "%s%s%s, %s of one core, %u thread%s", view->name, view->level[0] ? " in " : "", view->level, unit,
            winner->threads, plural(winner->threads));
    if (view->level[0])
        fprintf(out, ", %s each", units_binary(text, sizeof text, (double)map->working_set_bytes));
    fprintf(out, "\n\n");
    print_cells(map, out);
    fprintf(out, "\nbest      %s: %.2f %s at %s", winner->variant, winner->per_cycle, unit,
            units_si(text, sizeof text, winner->clock_hz, "Hz"));
    if (view->documented_per_cycle > 0)
        fprintf(out, ", %.1f %% of the documented %.4g", 100 * winner->per_cycle / view->documented_per_cycle,
                view->documented_per_cycle);
    fprintf(out, "\nenough    %ux%u is within %.0f %% of it, with the fewest %s\n", map->widths[map->enough_row],
            map->unrolls[map->enough_column], 100 * number_thresholds.shape_enough.value,
            map->kind == KERNEL_COMPUTE ? "accumulators" : "streams");
    if (unroll_map_latency(map, &latency, &starts))
        fprintf(out,
                "because   one accumulator shows a latency of %.2f cycles, the best starts %.2f instructions a cycle: "
                "%.1f must be in flight\n",
                latency, starts, latency * starts);
    if (reference->per_cycle > 0)
        fprintf(out, "program   has %s: %.2f %s; the best is %+.1f %% against it, and `run` uses the better one\n",
                reference->variant, reference->per_cycle, unit, 100 * (winner->per_cycle / reference->per_cycle - 1));
    if (winner->per_cycle < (1 - number_thresholds.shape_enough.value) * reference->per_cycle)
        fprintf(out, "          no cell here is as fast as the program's own kernel: use that\n");
    fprintf(out, "cells     %u measured%s, %.1f s\n", map->search.known,
            map->complete  ? ", all of them"
            : map->settled ? "; the time ran out, but all neighbours of the best are measured"
                           : "; the time ran out before all neighbours of the best were measured: raise --budget",
            view->elapsed_s);
    print_doubts(winner->doubts, out);
}

static const char *unit_key(const struct unroll_map *map) {
    return map->kind == KERNEL_COMPUTE ? "flop_per_cycle" : "bytes_per_cycle";
}

static json_t *cell_json(const struct unroll_map *map, unsigned row, unsigned column, double per_cycle) {
    return json_pack("{s:i,s:i,s:f}", "width", (int)map->widths[row], "unroll", (int)map->unrolls[column], "per_cycle",
                     per_cycle);
}

json_t *unroll_map_json(const struct unroll_map_view *view) {
    const struct unroll_map *map = view->map;
    const struct unroll_search *search = &map->search;
    json_t *rows = json_array(), *columns = json_array(), *values = json_array();
    for (unsigned c = 0; c < search->columns; c++)
        json_array_append_new(columns, json_integer(map->unrolls[c]));
    for (unsigned r = 0; r < search->rows; r++) {
        json_t *line = json_array();
        json_array_append_new(rows, json_integer(map->widths[r]));
        for (unsigned c = 0; c < search->columns; c++)
            json_array_append_new(line, number_or_null(search->values[r][c]));
        json_array_append_new(values, line);
    }
    json_t *winner = cell_json(map, map->row, map->column, map->winner.per_cycle);
    json_object_set_new(winner, "value", json_real(map->winner.value));
    json_object_set_new(winner, "clock_hz", json_real(map->winner.clock_hz));
    json_object_set_new(winner, "spread", json_real(map->winner.spread));
    json_object_set_new(winner, "doubts", doubts_json(map->winner.doubts));
    json_t *json = json_pack(
        "{s:s,s:s,s:s,s:i,s:s,s:s,s:b,s:b,s:f,s:o,s:o,s:o,s:o,s:o}", "schema", "carmine.surface/1", "name", view->name,
        "level", view->level, "threads", (int)map->winner.threads, "unit", unit_key(map), "width",
        map->kind == KERNEL_COMPUTE ? "accumulators" : "streams", "settled", map->settled, "complete", map->complete,
        "elapsed_s", view->elapsed_s, "widths", rows, "unrolls", columns, "values", values, "winner", winner, "enough",
        cell_json(map, map->enough_row, map->enough_column, search->values[map->enough_row][map->enough_column]));
    double latency = 0, starts;
    if (unroll_map_latency(map, &latency, &starts) || shape_wanted())
        shape_set_optional(json, "latency_cycles", json_real(latency));
    if (view->documented_per_cycle > 0)
        shape_set_optional(json, "documented_per_cycle", json_real(view->documented_per_cycle));
    if (view->level[0])
        shape_set_optional(json, "working_set_bytes", json_integer((json_int_t)map->working_set_bytes));
    if (map->reference.per_cycle > 0)
        shape_set_optional(json, "run",
                           json_pack("{s:s,s:f,s:f}", "variant", map->reference.variant, "per_cycle",
                                     map->reference.per_cycle, "winner_over_run",
                                     map->winner.per_cycle / map->reference.per_cycle));
    return json;
}

void unroll_map_list_print(const struct unroll_map_view *views, size_t count, FILE *out) {
    static const char *const heading[] = {"level", "kernel", "best",    "per cycle",   "documented",
                                          "of it", "enough", "latency", "against own", "warnings"};
    struct table table = table_begin("llrrrrrrrl");
    table_head(&table, heading, sizeof heading / sizeof *heading);
    for (size_t i = 0; i < count; i++) {
        const struct unroll_map_view *view = &views[i];
        const struct unroll_map *map = view->map;
        const struct sample *winner = &map->winner;
        double latency, starts;
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", view->level);
        table_set(row, 1, "%s", view->name);
        table_set(row, 2, "%s", winner->variant);
        table_set(row, 3, "%.3g %s", winner->per_cycle, map->kind == KERNEL_COMPUTE ? "flop" : "B");
        if (view->documented_per_cycle > 0) {
            table_set(row, 4, "%.4g", view->documented_per_cycle);
            table_set(row, 5, "%.0f %%", 100 * winner->per_cycle / view->documented_per_cycle);
        }
        table_set(row, 6, "%ux%u", map->widths[map->enough_row], map->unrolls[map->enough_column]);
        if (unroll_map_latency(map, &latency, &starts))
            table_set(row, 7, "%.1f cycles", latency);
        if (map->reference.per_cycle > 0)
            table_set(row, 8, "%+.1f %%", 100 * (winner->per_cycle / map->reference.per_cycle - 1));
        doubt_names(winner->doubts, row[9], sizeof row[9]);
    }
    table_print(&table, out);
}

json_t *unroll_map_list_json(const struct unroll_map_view *views, size_t count) {
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, unroll_map_json(&views[i]));
    return json_pack("{s:s,s:o}", "schema", "carmine.surfaces/1", "surfaces", list);
}

void unroll_map_csv(const struct unroll_map_view *views, size_t count, FILE *out) {
    json_t *rows = json_array();
    for (size_t i = 0; i < count; i++) {
        const struct unroll_map *map = views[i].map;
        for (unsigned r = 0; r < map->search.rows; r++)
            for (unsigned c = 0; c < map->search.columns; c++) {
                if (isnan(map->search.values[r][c]))
                    continue;
                json_array_append_new(rows, json_pack("{s:s,s:s,s:i,s:i,s:i,s:f,s:s}", "name", views[i].name, "level",
                                                      views[i].level, "threads", (int)map->winner.threads, "width",
                                                      (int)map->widths[r], "unroll", (int)map->unrolls[c], "per_cycle",
                                                      map->search.values[r][c], "unit", unit_key(map)));
            }
    }
    csv_print_rows(rows, out);
}
