/* SPDX-License-Identifier: BSD-3-Clause
 * Validation of workloads (see workload_validate.h). */
#include "workload_validate.h"
#include "report_points.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carm/store/fields.h"
#include "carm/text/table.h"
#include "probe/need.h"

const double WORKLOAD_BOUND = 0.005;

/* Workloads that do other work than the formula says, by how much at most, and why. */
static const struct other_work {
    const char *name;
    double bound;
    const char *why;
} OTHER_WORK[] = {
    {"dgemm-openblas", 0.015,
     "OpenBLAS scales AB and C in steps of their own, and rounds small matrices up to its blocks; the paper's table IV "
     "says 1.01 of such a library"},
    {"fft-fftw", 0, "its plan decides what it does; there is no formula"},
    {"fft-fftw-scalar", 0, "its plan decides what it does; there is no formula"},
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
                "▲ flop() of %s says %.0f at size %" PRIu64 ", and %.0f were executed%s; points are of what was "
                "executed\n",
                file, point->analytic_flop, point->size, point->flop.median,
                point->flop.median == 0 ? ": compilers leave out what nothing comes of" : "");
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
    fprintf(
        out,
        "\nMeasured / expected: the median over the sizes, and the farthest from 1.\n"
        "W: flop, and asked: bytes that the core loads and stores, are counted exactly, instruction by instruction; "
        "within %.3f of 1 they are as theory says.\n",
        WORKLOAD_BOUND);
    if (dram == SOURCE_UNKNOWN)
        fprintf(out, "Q, the DRAM traffic, is not measured: the memory controllers' counters can't be read here; "
                     "--levels simulates the caches.\n");
    else
        fprintf(out, "Q: DRAM traffic of cold data, %s; what theory says is the least that there must be.\n",
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
