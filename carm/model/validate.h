/* SPDX-License-Identifier: BSD-3-Clause
 * The model against kernels of known intensity: measured values, min(π, I·β), and their difference. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "bench/kernels/sample.h"
#include "probe/uarch.h"

/* Samples in the order of measuring → points, in that order; `out` has room for `count`. A mixed kernel gives no point
 * if it is blank, or if no unblank roof of its ISA, operation, pattern, level and threads was measured before or after
 * it (interrupted). `uarch` may be NULL. */
size_t validation_compare(const struct sample *samples, size_t count, const struct uarch *uarch,
                          struct validation_point *out);

/* min(π, I·β) in flop/s and in flop/cycle (0 if the core's clock does not pace the level), and (measured − model) /
 * model. */
double validation_model(const struct validation_point *point);
double validation_model_per_cycle(const struct validation_point *point);
double validation_deviation(const struct validation_point *point);
bool validation_is_compute_bound(const struct validation_point *point);

/* Whether the documented limit of the mix is more than 1 % below the model: min(π, I·β) is then too simple. */
bool validation_is_port_limited(const struct validation_point *point);

/* The points that their documented limits keep below the model: their number, the one whose limit is the lowest share
 * of the model, and the median of |deviation| from these limits. */
struct validation_limited {
    size_t count;
    const struct validation_point *lowest; /* NULL: none */
    double median;
};
struct validation_limited validation_limited_points(const struct validation_point *points, size_t count);

/* The part of the roofline, by the intensity over that of the ridge point, I·β/π: below a half the bandwidth bounds,
 * above two the ceiling. Between them the model is an upper bound: it demands both at their full rates at once. */
enum validation_side { VALIDATION_MEMORY_SIDE, VALIDATION_RIDGE, VALIDATION_COMPUTE_SIDE, VALIDATION_SIDES };
enum validation_side validation_side_of(const struct validation_point *point);
extern const char *const validation_side_names[VALIDATION_SIDES];

/* One side of a level with one number of threads, core kind, ISA, type and pattern (one peak and one bandwidth). */
struct validation_side_summary {
    size_t count;
    double median;                        /* of |deviation| */
    const struct validation_point *worst; /* NULL: no points */
};
struct validation_summary {
    const struct validation_point *first;
    size_t count;
    struct validation_side_summary sides[VALIDATION_SIDES];
};
enum { VALIDATION_MAX_SERIES = 256 }; /* printed at most */
/* In the points' order; writes at most `max`. */
size_t validation_summarise(const struct validation_point *points, size_t count, struct validation_summary *out,
                            size_t max);

/* The side with the largest median of these summaries, at least one. */
const struct validation_side_summary *validation_worst_side(const struct validation_summary *summaries, size_t count);

/* The point farthest from the model. */
const struct validation_point *validation_worst_point(const struct validation_summary *summary);

/* One sample of each peak and bandwidth among `samples`: of repeated ones the one with the median value. `out` has room
 * for `count`; returns how many. */
size_t validation_roofs(const struct sample *samples, size_t count, struct sample *out);

/* How many mixed kernels among `wanted`, in the plan's order, have no sample among `taken`; and their levels, as an
 * option takes them: "L3,DRAM". */
size_t validation_left_out(const struct sample *wanted, size_t wanted_count, const struct sample *taken,
                           size_t taken_count, char *levels, size_t size);

/* Adds points to a list (realloc'ed); they replace those of the same kernel, level, threads and core kind. */
void validation_merge(struct validation_point **list, size_t *list_count, const struct validation_point *points,
                      size_t count);
