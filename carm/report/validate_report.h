/* SPDX-License-Identifier: BSD-3-Clause
 * Validation as text and JSON: points against the model (`carmine validate`), and counted workloads against theory
 * (`carmine workload --validate`, like table IV of Ofenbeck et al., "Applying the Roofline Model"). */
#pragma once

#include <jansson.h>
#include <stdio.h>

#include "bench/programs/workload.h"
#include "carm/model/validate.h"
#include "carm/text/columns.h"
#include "screen.h"

enum workload_quantity { QUANTITY_FLOP, QUANTITY_BYTES, QUANTITY_READ, QUANTITY_WRITTEN, QUANTITY_DRAM, QUANTITIES };

/* One workload over its sizes: measured / expected. */
struct workload_validation {
    char name[64];
    size_t size_count;
    uint64_t least_size, largest_size;
    double median[QUANTITIES], farthest[QUANTITIES]; /* from 1; NaN: no theory, or not measured */
    enum app_source dram_source;
    bool judged; /* theory covers its flop or bytes */
    bool passed; /* and they are within WORKLOAD_BOUND, or within the known difference of a library */
};

/* From one workload's points, at least one. Pure. */
struct workload_validation workload_validation_make(const struct workload_outcome *outcomes, size_t count);

void workload_validation_print(const struct workload_validation *rows, size_t count, FILE *out);

/* Prints a line about the first size at which the flop() of a user's own file differs from the executed flop; nothing
 * if none does. */
void workload_validation_print_claim(const char *file, const struct workload_outcome *outcomes, size_t count,
                                     FILE *out);

json_t *workload_validation_json(const struct workload_validation *rows, size_t count);

/* The columns of a point, for tables, JSON and the page. */
void report_validation_columns(struct column_walk *to, const struct validation_point *point);

/* Prints a table of points, one of levels, and the meaning of occurring warnings and port limits. Nothing without
 * points. */
void validation_print(const struct validation_point *points, size_t count, FILE *out);

/* "the ridge of L1, 1 thread: 25.0 % off in the median, -25.3 % at 1/4 flop/B (avx2.f64.1fma1ld)"; a side with points.
 */
void validation_name_worst(const struct validation_side_summary *side, char *out, size_t size);

/* One screen: how many levels agree with the model, and each level. At least one point; as CSV, too. */
void validation_answer_print(const struct validation_point *points, size_t count, const struct screen *screen);
void validation_csv(const struct validation_point *points, size_t count, FILE *out);

/* The points as a list of JSON objects; with their levels' summaries, schema "carmine.validation/2". The caller
 * releases them. */
json_t *validation_points_json(const struct validation_point *points, size_t count);
json_t *validation_json(const struct validation_point *points, size_t count);
