/* SPDX-License-Identifier: BSD-3-Clause
 * A map as a heat map. */
#include "chart_unroll_map.h"

#include <math.h>

#include "bench/sample/doubt.h"
#include "render/page/plot.h"
#include "render/page/units.h"
#include "carm/model/describe.h"
#include "carm/model/describe.h"

bool chart_unroll_map(const struct unroll_map_view *view, const char *path, struct error *err) {
    const struct unroll_map *map = view->map;
    const struct unroll_search *search = &map->search;
    char row_text[SEARCH_MAX_SIDE][12], column_text[SEARCH_MAX_SIDE][12];
    const char *rows[SEARCH_MAX_SIDE], *columns[SEARCH_MAX_SIDE];
    double values[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE], low = INFINITY, high = 0;
    bool empty = false;
    for (unsigned r = 0; r < search->rows; r++) {
        snprintf(row_text[r], sizeof row_text[r], "%u", map->widths[r]);
        rows[r] = row_text[r];
        for (unsigned c = 0; c < search->columns; c++) {
            double value = search->values[r][c];
            values[r * search->columns + c] = search->possible[r][c] ? value : INFINITY;
            empty = empty || !search->possible[r][c];
            low = fmin(low, value); /* NaN loses */
            high = fmax(high, value);
        }
    }
    for (unsigned c = 0; c < search->columns; c++) {
        snprintf(column_text[c], sizeof column_text[c], "%u", map->unrolls[c]);
        columns[c] = column_text[c];
    }
    const struct plot_heat heat = {.rows = search->rows,
                                   .columns = search->columns,
                                   .row_names = rows,
                                   .column_names = columns,
                                   .values = values,
                                   .low = low < high ? low : high * 0.99,
                                   .high = high,
                                   .decimals = unroll_map_decimals(map),
                                   .title = unroll_map_unit(map),
                                   .marked = true,
                                   .marked_row = map->row,
                                   .marked_column = map->column};
    char cpu[160], title[256], subtitle[512], footer[512], conditions[400], doubts[300],
        documented[64] = "", latency_text[200] = "", size[32], level[64] = "";
    double latency, starts;
    bool compute = map->kind == KERNEL_COMPUTE;
    unsigned enough = map->widths[map->enough_row];
    if (view->level[0])
        snprintf(level, sizeof level, " in %s", view->level);
    snprintf(title, sizeof title, "%s · %s%s", describe_cpu(view->result, cpu, sizeof cpu), view->name, level);
    if (view->level[0])
        snprintf(level, sizeof level, " · %s walked over",
                 units_binary(size, sizeof size, (double)map->working_set_bytes));
    if (view->documented_per_cycle > 0)
        snprintf(documented, sizeof documented, " of %.4g documented", view->documented_per_cycle);
    if (unroll_map_latency(map, &latency, &starts))
        snprintf(latency_text, sizeof latency_text, " · latency %.1f cycles × %.1f a cycle = %.0f in flight", latency,
                 starts, latency * starts);
    snprintf(subtitle, sizeof subtitle, "Best (outlined): %s, %.1f %s%s · %u %s%s reach%s 99 %% of it%s%s",
             map->winner.variant, map->winner.per_cycle, unroll_map_unit(map), documented, enough,
             compute ? "accumulator" : "stream", enough == 1 ? "" : "s", enough == 1 ? "es" : "", latency_text, level);
    describe_conditions(view->result, conditions, sizeof conditions);
    snprintf(footer, sizeof footer, "%u thread%s · %s%s%s", map->winner.threads, map->winner.threads == 1 ? "" : "s",
             conditions, map->complete ? "" : " · hatched: not measured",
             empty ? " · empty: such blocks do not fill the buffer" : "");
    doubt_names(map->winner.doubts, doubts, sizeof doubts);
    const char *notes[] = {doubts};
    struct plot plot = {.title = title,
                        .subtitle = subtitle,
                        .note_count = map->winner.doubts != 0,
                        .notes = notes,
                        .x = {.title = compute ? "Unroll: visits of each accumulator in one iteration"
                                               : "Unroll: lines of each stream in one iteration"},
                        .y = {.title = compute ? "Accumulators (DLP)" : "Streams"},
                        .heat = &heat,
                        .footer = footer};
    struct plot_error plot_err;
    return plot_write(&plot, path, 0, 0, &plot_err) || error_set(err, "%s", plot_err.text);
}
