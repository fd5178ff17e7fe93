/* SPDX-License-Identifier: BSD-3-Clause
 * Bandwidth or latency between memory nodes, as a table of cells: threads on one node, memory on another. */
#include "chart.h"
#include "chart_parts.h"

#include <math.h>
#include <string.h>

#include "probe/memory_kind.h"
#include "probe/error.h"
#include "render/page/plot.h"

enum { MAX_CELLS = MODEL_MATRIX_NODES * MODEL_MATRIX_NODES, NAME_BYTES = 32 };

/* Storage of the picture. */
struct cells {
    struct model_matrix matrix;
    double values[MAX_CELLS];
    char row_text[MODEL_MATRIX_NODES][NAME_BYTES], column_text[MODEL_MATRIX_NODES][NAME_BYTES];
    const char *rows[MODEL_MATRIX_NODES], *columns[MODEL_MATRIX_NODES];
    const struct sample *drawn[MAX_CELLS];
    size_t drawn_count;
    double highest;
};

/* The first node's row is at the top; a heat table counts its rows from the bottom. */
static void fill(struct cells *cells, double unit, bool per_cycle) {
    const struct model_matrix *matrix = &cells->matrix;
    for (size_t i = 0; i < matrix->rows; i++) {
        const size_t from_below = matrix->rows - 1 - i;
        snprintf(cells->row_text[from_below], NAME_BYTES, "node %u", matrix->row_node[i]);
        cells->rows[from_below] = cells->row_text[from_below];
        for (size_t j = 0; j < matrix->columns; j++) {
            const struct roof *roof = matrix->roof[i][j];
            const bool is_drawn = roof && (!per_cycle || roof->sample->per_cycle > 0);
            double *value = &cells->values[from_below * matrix->columns + j];
            *value = is_drawn ? chart_rate(roof->sample, per_cycle) / unit : NAN;
            if (is_drawn) {
                cells->highest = fmax(cells->highest, *value);
                cells->drawn[cells->drawn_count++] = roof->sample;
            }
        }
    }
    for (size_t j = 0; j < matrix->columns; j++) {
        const char *kind = matrix->column_kind[j] ? matrix->column_kind[j] : "";
        const bool ordinary = memory_kind_of(kind)->ordinary;
        snprintf(cells->column_text[j], NAME_BYTES, "node %u%s%s", matrix->column_node[j], ordinary ? "" : " ",
                 ordinary ? "" : kind);
        cells->columns[j] = cells->column_text[j];
    }
}

static bool draw(const struct model *model, const struct chart_options *options, enum sample_kind kind,
                 const char *path, struct error *err) {
    const bool latency = kind == SAMPLE_LATENCY;
    struct cells cells = {.highest = 0};
    if (!model_matrix(model, kind, &cells.matrix))
        return error_set(err,
                         "the result holds no %s from node to node; `carmine run` measures it where there are "
                         "several memory nodes",
                         latency ? "latency" : "bandwidth");
    const bool per_cycle = options->per_cycle;
    fill(&cells, per_cycle ? 1 : latency ? 1e-9 : 1e9, per_cycle);
    if (cells.drawn_count == 0)
        return error_set(err, "the core clock of these measurements is unknown, so nothing can be drawn per cycle");
    const struct plot_heat heat = {.rows = cells.matrix.rows,
                                   .columns = cells.matrix.columns,
                                   .row_names = cells.rows,
                                   .column_names = cells.columns,
                                   .values = cells.values,
                                   .low = 0,
                                   .high = cells.highest,
                                   .decimals = cells.highest < 100 ? 1 : 0,
                                   .title = per_cycle ? latency ? "Latency  [cycles]" : "Bandwidth  [B/cycle]"
                                            : latency ? "Latency  [ns]"
                                                      : "Bandwidth  [GB/s]"};
    char note_text[CHART_MAX_NOTES][CHART_NOTE_BYTES];
    const char *notes[CHART_MAX_NOTES];
    const struct plot plot = {
        .note_count = chart_notes(model->result, cells.drawn, cells.drawn_count, note_text, notes),
        .notes = notes,
        .x = {.title = "Memory on"},
        .y = {.title = "Threads on"},
        .heat = &heat,
        .footer = latency ? "Pointer chase: dependent loads by one thread of the row's node."
                          : "Loads by all cores of the row's node, one thread per core. Buffers are allocated on "
                            "the column's node; a note above reports pages elsewhere.",
    };
    return chart_write_titled(&plot, model->result,
                              latency ? "latency from node to node" : "bandwidth from node to node", options, path,
                              err);
}

bool chart_matrix(const struct model *model, const struct chart_options *options, const char *path, struct error *err) {
    return draw(model, options, SAMPLE_BANDWIDTH, path, err);
}

bool chart_matrix_latency(const struct model *model, const struct chart_options *options, const char *path,
                          struct error *err) {
    return draw(model, options, SAMPLE_LATENCY, path, err);
}
