/* SPDX-License-Identifier: BSD-3-Clause
 * A map as a heat map. */
#include "chart_unroll_map.h"

#include <math.h>

#include "bench/kernels/doubt.h"
#include "carm/model/describe.h"
#include "render/page/plot.h"
#include "render/page/units.h"

/* The map's cells, as the picture borrows them. */
struct map_cells {
    char row_text[SEARCH_MAX_SIDE][12], column_text[SEARCH_MAX_SIDE][12];
    const char *rows[SEARCH_MAX_SIDE], *columns[SEARCH_MAX_SIDE];
    double values[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    double low, high; /* of what is measured */
    bool empty;       /* some blocks do not fill the buffer */
};

static void fill(struct map_cells *cells, const struct unroll_map *map) {
    const struct unroll_search *search = &map->search;
    *cells = (struct map_cells){.low = INFINITY};
    for (unsigned r = 0; r < search->rows; r++) {
        snprintf(cells->row_text[r], sizeof cells->row_text[r], "%u", map->widths[r]);
        cells->rows[r] = cells->row_text[r];
        for (unsigned c = 0; c < search->columns; c++) {
            double value = search->values[r][c];
            cells->values[r * search->columns + c] = search->possible[r][c] ? value : INFINITY;
            cells->empty |= !search->possible[r][c];
            cells->low = fmin(cells->low, value); /* NaN loses */
            cells->high = fmax(cells->high, value);
        }
    }
    for (unsigned c = 0; c < search->columns; c++) {
        snprintf(cells->column_text[c], sizeof cells->column_text[c], "%u", map->unrolls[c]);
        cells->columns[c] = cells->column_text[c];
    }
}

static struct plot_heat heat_of(const struct map_cells *cells, const struct unroll_map *map) {
    return (struct plot_heat){.rows = map->search.rows,
                              .columns = map->search.columns,
                              .row_names = cells->rows,
                              .column_names = cells->columns,
                              .values = cells->values,
                              .low = cells->low < cells->high ? cells->low : cells->high * 0.99,
                              .high = cells->high,
                              .decimals = unroll_map_decimals(map),
                              .title = unroll_map_unit(map),
                              .marked = true,
                              .marked_row = map->row,
                              .marked_column = map->column};
}

static void write_title(const struct unroll_map_view *view, char *out, size_t size) {
    char cpu[160];
    snprintf(out, size, "%s · %s%s%s", describe_cpu(view->result, cpu, sizeof cpu), view->name,
             view->level[0] ? " in " : "", view->level);
}

/* The best, how few accumulators or streams come near it, and how many instructions are in flight there. */
static void write_subtitle(const struct unroll_map_view *view, char *out, size_t out_size) {
    const struct unroll_map *map = view->map;
    const unsigned enough = map->widths[map->enough_row];
    char documented[64] = "", latency_text[200] = "", size[32], walked[64] = "";
    double latency, starts;
    if (view->level[0])
        snprintf(walked, sizeof walked, " · %s walked over",
                 units_binary(size, sizeof size, (double)map->working_set_bytes));
    if (view->documented_per_cycle > 0)
        snprintf(documented, sizeof documented, " of %.4g documented", view->documented_per_cycle);
    if (unroll_map_latency(map, &latency, &starts))
        snprintf(latency_text, sizeof latency_text, " · latency %.1f cycles × %.1f a cycle = %.0f in flight", latency,
                 starts, latency * starts);
    snprintf(out, out_size, "Best (outlined): %s, %.1f %s%s · %u %s%s reach%s 99 %% of it%s%s", map->winner.variant,
             map->winner.per_cycle, unroll_map_unit(map), documented, enough,
             map->kind == KERNEL_COMPUTE ? "accumulator" : "stream", enough == 1 ? "" : "s", enough == 1 ? "es" : "",
             latency_text, walked);
}

static void write_footer(const struct unroll_map_view *view, bool empty, char *out, size_t size) {
    const struct unroll_map *map = view->map;
    char conditions[400];
    describe_conditions(view->result, conditions, sizeof conditions);
    snprintf(out, size, "%u thread%s · %s%s%s", map->winner.threads, map->winner.threads == 1 ? "" : "s", conditions,
             map->complete ? "" : " · hatched: not measured",
             empty ? " · empty: such blocks do not fill the buffer" : "");
}

bool chart_unroll_map(const struct unroll_map_view *view, const char *path, struct error *err) {
    const struct unroll_map *map = view->map;
    const bool compute = map->kind == KERNEL_COMPUTE;
    char title[256], subtitle[512], footer[512], doubts[300];
    struct map_cells cells;
    fill(&cells, map);
    write_title(view, title, sizeof title);
    write_subtitle(view, subtitle, sizeof subtitle);
    write_footer(view, cells.empty, footer, sizeof footer);
    doubt_names(map->winner.doubts, doubts, sizeof doubts);
    const char *notes[] = {doubts};
    const struct plot_heat heat = heat_of(&cells, map);
    struct plot plot = {.title = title,
                        .subtitle = subtitle,
                        .note_count = doubts_any(map->winner.doubts),
                        .notes = notes,
                        .x = {.title = compute ? "Unroll: visits of each accumulator in one iteration"
                                               : "Unroll: lines of each stream in one iteration"},
                        .y = {.title = compute ? "Accumulators (DLP)" : "Streams"},
                        .heat = &heat,
                        .footer = footer};
    struct plot_error plot_err;
    return plot_write(&plot, path, 0, 0, &plot_err) || error_set(err, "%s", plot_err.text);
}
