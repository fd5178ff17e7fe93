/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth over the distance of prefetches (see search.h). Distances are at equal steps, because they begin
 * with 0, which a logarithmic axis cannot show. */
#include "search.h"

#include <math.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/chart/chart_parts.h"
#include "carm/model/describe.h"
#include "carm/text/csv.h"
#include "carm/text/or_null.h"
#include "carm/text/table.h"
#include "render/page/palette.h"
#include "render/page/plot.h"
#include "render/page/units.h"

/* Prefetches by distance as text, JSON and CSV. */

/* The unit of printed values, and the factor from a value to it. */
struct distances_unit {
    const char *name; /* "byte/cycle" of one core; "GB/s" if the clock is unknown */
    double factor;
};

static struct distances_unit distances_unit(const struct distances_view *view) {
    const struct sample *none = &view->distances->proper[0];
    const double merit = estimate_merit(none, view->paced);
    if (none->per_cycle > 0 && merit > 0)
        return (struct distances_unit){"byte/cycle", none->per_cycle / merit};
    return (struct distances_unit){"GB/s", 1e-9};
}

/* "512 B", "4 KiB", "0". */
static const char *distances_text(char *out, size_t size, unsigned bytes) {
    if (bytes == 0)
        snprintf(out, size, "0");
    else
        units_binary(out, size, bytes);
    return out;
}

/* "+3.1 %". */
static const char *distances_percent(char *out, size_t size, double ratio) {
    snprintf(out, size, "%+.1f %%", 100 * (ratio - 1));
    return out;
}

static int decimals(double value) {
    return value >= 10 ? 1 : 2;
}

static bool is_best(const struct distances *distances, unsigned hint, unsigned d) {
    return distances->best.hint == hint && distances->best.distance_bytes == distances_bytes[d];
}

static void print_cells(const struct distances_view *view, FILE *out) {
    const struct distances *distances = view->distances;
    const struct distances_unit unit = distances_unit(view);
    const char *heading[1 + 2 * PREFETCH_HINTS] = {"distance"};
    char text[32];
    unsigned columns = 1;
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++) {
        heading[columns++] = prefetch_instruction(hint);
        heading[columns++] = "against none";
    }
    struct table table = table_begin("rrrrr");
    table_head(&table, heading, columns);
    char(*row)[TABLE_CELL_BYTES] = table_row(&table);
    table_set(row, 0, "none");
    table_set(row, 1, "%.*f", decimals(distances->without * unit.factor), distances->without * unit.factor);
    for (unsigned d = 0; d < DISTANCES_COUNT; d++) {
        row = table_row(&table);
        table_set(row, 0, "%s", distances_text(text, sizeof text, distances_bytes[d]));
        for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++) {
            const double value = distances->values[hint][d] * unit.factor;
            table_set(row, 2 * hint - 1, "%s%.*f", is_best(distances, hint, d) ? "*" : "", decimals(value), value);
            table_set(row, 2 * hint, "%s", distances_percent(text, sizeof text, distances->gains[hint][d].median));
        }
    }
    table_print(&table, out);
}

static void print_doubts(struct doubts doubts, FILE *out) {
    for (unsigned d = 0; d < DOUBT_COUNT; d++)
        if (doubts_has(doubts, d))
            fprintf(out, "%s: %s; %s\n", doubt_table[d].name, doubt_table[d].cause, doubt_table[d].remedy);
}

void distances_print(const struct distances_view *view, FILE *out) {
    const struct distances *distances = view->distances;
    const struct statistics *pairs = &distances->pairs;
    const unsigned threads = distances->proper[0].threads;
    char text[32], low[32], high[32];
    fprintf(out, "%s %ux%u in %s, %s%s, %u thread%s, %s each; prefetches are not counted as bytes\n\n", view->name,
            view->width, view->unroll, view->level, distances_unit(view).name,
            distances_unit(view).factor == 1e-9 ? "" : " of one core", threads, threads == 1 ? "" : "s",
            units_binary(text, sizeof text, (double)view->working_set_bytes));
    print_cells(view, out);
    fprintf(out, "\nbest      %s %s ahead: ", prefetch_instruction(distances->best.hint),
            distances_text(text, sizeof text, distances->best.distance_bytes));
    fprintf(out, "%s against none in %u pairs of its own, half of them %s to %s\n",
            distances_percent(text, sizeof text, pairs->median), pairs->n,
            distances_percent(low, sizeof low, pairs->q1), distances_percent(high, sizeof high, pairs->q3));
    fprintf(out, "so        %s\n",
            distances_helps(distances)
                ? "it is faster in three of four pairs or more: prefetching helps here"
                : "it is not faster in three of four pairs: software prefetching does not help here");
    fprintf(out, "shape     %u stream%s of %u line%s%s\n", view->width, view->width == 1 ? "" : "s", view->unroll,
            view->unroll == 1 ? "" : "s",
            view->searched ? ", the best without prefetch; --prefetch=4x8 takes another" : ", as requested");
    fprintf(out, "rounds    %u, each with every prefetch and none, %.1f s\n", distances->rounds, view->elapsed_s);
    print_doubts(doubts_union(distances->proper[0].doubts, distances->proper[1].doubts), out);
}

static json_t *ratios_json(const struct statistics *ratios) {
    return json_pack("{s:i,s:f,s:f,s:f}", "n", (int)ratios->n, "q1", ratios->q1, "median", ratios->median, "q3",
                     ratios->q3);
}

static json_t *cells_json(const struct distances *distances, double factor) {
    json_t *cells = json_array();
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++)
        for (unsigned d = 0; d < DISTANCES_COUNT; d++)
            json_array_append_new(cells, json_pack("{s:s,s:i,s:f,s:o}", "prefetch", prefetch_instruction(hint),
                                                   "distance_bytes", (int)distances_bytes[d], "value",
                                                   distances->values[hint][d] * factor, "against_none",
                                                   ratios_json(&distances->gains[hint][d])));
    return cells;
}

void distances_csv(const struct distances_view *view, FILE *out) {
    const struct distances_unit unit = distances_unit(view);
    const bool rate = unit.factor == 1e-9;
    json_t *rows = json_array(), *cells = cells_json(view->distances, rate ? 1 : unit.factor), *cell;
    size_t i;
    json_array_insert_new(cells, 0,
                          json_pack("{s:s,s:i,s:f}", "prefetch", "none", "distance_bytes", 0, "value",
                                    view->distances->without * (rate ? 1 : unit.factor)));
    json_array_foreach(cells, i, cell) {
        json_t *row = json_pack("{s:s,s:s,s:i,s:i,s:i,s:s}", "name", view->name, "level", view->level, "threads",
                                (int)view->distances->proper[0].threads, "streams", (int)view->width, "unroll",
                                (int)view->unroll, "unit", rate ? "bytes_per_s" : "bytes_per_cycle");
        json_object_update(row, cell);
        json_array_append_new(rows, row);
    }
    json_decref(cells);
    csv_print_rows(rows, out);
}

json_t *distances_json(const struct distances_view *view) {
    const struct distances *distances = view->distances;
    const struct distances_unit unit = distances_unit(view);
    json_t *doubts = doubts_json(doubts_union(distances->proper[0].doubts, distances->proper[1].doubts));
    json_t *best = json_pack("{s:s,s:i,s:o,s:b}", "prefetch", prefetch_instruction(distances->best.hint),
                             "distance_bytes", (int)distances->best.distance_bytes, "pairs",
                             ratios_json(&distances->pairs), "helps", distances_helps(distances));
    return json_pack("{s:s,s:s,s:s,s:i,s:s,s:i,s:i,s:b,s:I,s:i,s:f,s:f,s:o,s:o,s:o}", "schema", "carmine.prefetch/1",
                     "name", view->name, "level", view->level, "threads", (int)distances->proper[0].threads, "unit",
                     unit.factor == 1e-9 ? "gigabytes_per_s" : "bytes_per_cycle", "streams", (int)view->width, "unroll",
                     (int)view->unroll, "searched", view->searched, "working_set_bytes",
                     (json_int_t)view->working_set_bytes, "rounds", (int)distances->rounds, "elapsed_s",
                     view->elapsed_s, "without", distances->without * unit.factor, "cells",
                     cells_json(distances, unit.factor), "best", best, "doubts", doubts);
}

enum { CURVES = PREFETCH_HINTS - 1, LABEL_BYTES = 96, NAME_BYTES = 16 };
static const double MARGIN = 0.12, LEAST_SPAN = 0.1; /* of the shown range; of the value without prefetch */
static const double BAND_ALPHA = 0.15;

/* Data that the picture borrows. */
struct distances_curves {
    double x[DISTANCES_COUNT], y[CURVES][DISTANCES_COUNT], low[CURVES][DISTANCES_COUNT], high[CURVES][DISTANCES_COUNT];
    char name_text[DISTANCES_COUNT][NAME_BYTES], labels[CURVES][LABEL_BYTES], none_label[LABEL_BYTES];
    const char *names[DISTANCES_COUNT];
    double none;
    struct plot_line lines[CURVES];
    struct plot_band bands[CURVES];
    struct plot_mark mark;
    struct plot_axis y_axis;
};

static void add_curve(struct distances_curves *curves, const struct distances_view *view, unsigned hint) {
    const struct plot_color colors[] = {PALETTE_BLUE, PALETTE_VERMILLION};
    const struct distances *distances = view->distances;
    const unsigned at = hint - 1;
    for (unsigned d = 0; d < DISTANCES_COUNT; d++) {
        const struct statistics *gain = &distances->gains[hint][d];
        curves->y[at][d] = curves->none * gain->median;
        curves->low[at][d] = curves->none * gain->q1;
        curves->high[at][d] = curves->none * gain->q3;
        curves->y_axis.min = fmin(curves->y_axis.min, curves->low[at][d]);
        curves->y_axis.max = fmax(curves->y_axis.max, curves->high[at][d]);
    }
    struct plot_color shade = colors[at]; /* so that overlapping shades differ */
    shade.a *= BAND_ALPHA;
    snprintf(curves->labels[at], LABEL_BYTES, "%s", prefetch_instruction(hint));
    curves->lines[at] = (struct plot_line){.count = DISTANCES_COUNT,
                                           .x = curves->x,
                                           .y = curves->y[at],
                                           .color = colors[at],
                                           .width = 1.8,
                                           .dash = at == 0 ? PLOT_SOLID : PLOT_DASHED,
                                           .markers = true,
                                           .label = curves->labels[at],
                                           .label_place = PLOT_LABEL_LEGEND};
    curves->bands[at] = (struct plot_band){.count = DISTANCES_COUNT,
                                           .x = curves->x,
                                           .y_low = curves->low[at],
                                           .y_high = curves->high[at],
                                           .color = shade,
                                           .legend = at == 0 ? "shade around a line: half of the rounds" : NULL};
}

static void fill(struct distances_curves *curves, const struct distances_view *view) {
    const struct distances_unit unit = distances_unit(view);
    *curves = (struct distances_curves){.none = view->distances->without * unit.factor};
    curves->y_axis = (struct plot_axis){.min = curves->none * (1 - LEAST_SPAN), .max = curves->none * (1 + LEAST_SPAN)};
    for (unsigned d = 0; d < DISTANCES_COUNT; d++) {
        curves->x[d] = d;
        curves->names[d] = distances_text(curves->name_text[d], NAME_BYTES, distances_bytes[d]);
    }
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++)
        add_curve(curves, view, hint);
    const double margin = MARGIN * (curves->y_axis.max - curves->y_axis.min);
    curves->y_axis.min = fmax(0, curves->y_axis.min - margin);
    curves->y_axis.max += margin;
    snprintf(curves->none_label, LABEL_BYTES, "without prefetch: %.*f %s", curves->none >= 10 ? 1 : 2, curves->none,
             unit.name);
    curves->mark = (struct plot_mark){
        .at = curves->none, .color = PALETTE_BLACK, .dash = PLOT_DASH_DOTTED, .label = curves->none_label};
}

static void write_subtitle(const struct distances_view *view, char *out, size_t size) {
    const struct distances *distances = view->distances;
    char text[32], median[32], low[32], high[32];
    snprintf(
        out, size, "Best: %s %s ahead, %s against none in %u pairs of its own (half of them %s to %s): %s",
        prefetch_instruction(distances->best.hint), distances_text(text, sizeof text, distances->best.distance_bytes),
        distances_percent(median, sizeof median, distances->pairs.median), distances->pairs.n,
        distances_percent(low, sizeof low, distances->pairs.q1),
        distances_percent(high, sizeof high, distances->pairs.q3), distances_helps(distances) ? "it helps" : "no gain");
}

bool chart_distances(const struct distances_view *view, const char *path, struct error *err) {
    const unsigned threads = view->distances->proper[0].threads;
    const struct doubts doubtful = doubts_union(view->distances->proper[0].doubts, view->distances->proper[1].doubts);
    char cpu[160], title[320], subtitle[320], conditions[400], footer[560], doubts[300], y_title[64], text[32];
    struct distances_curves curves;
    fill(&curves, view);
    snprintf(title, sizeof title, "%s · %s %ux%u in %s with prefetches", describe_cpu(view->result, cpu, sizeof cpu),
             view->name, view->width, view->unroll, view->level);
    write_subtitle(view, subtitle, sizeof subtitle);
    describe_conditions(view->result, conditions, sizeof conditions);
    snprintf(footer, sizeof footer, "%u thread%s · %s · working set %s · bytes of loads and stores only", threads,
             threads == 1 ? "" : "s", conditions, units_binary(text, sizeof text, (double)view->working_set_bytes));
    snprintf(y_title, sizeof y_title, "Bandwidth  [%s]", distances_unit(view).name);
    curves.y_axis.title = y_title;
    doubt_names(doubtful, doubts, sizeof doubts);
    const char *notes[] = {doubts};
    const struct plot plot = {.title = title,
                              .subtitle = subtitle,
                              .note_count = doubts_any(doubtful),
                              .notes = notes,
                              .x = {.title = "Distance of the prefetch ahead of the access, in its own stream",
                                    .min = -0.4,
                                    .max = DISTANCES_COUNT - 0.6,
                                    .name_count = DISTANCES_COUNT,
                                    .names = curves.names},
                              .y = curves.y_axis,
                              .band_count = CURVES,
                              .bands = curves.bands,
                              .line_count = CURVES,
                              .lines = curves.lines,
                              .mark_count = 1,
                              .marks = &curves.mark,
                              .footer = footer};
    return chart_draw(&plot, path, 0, 0, err);
}
