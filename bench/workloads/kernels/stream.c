/* SPDX-License-Identifier: BSD-3-Clause
 * The four kernels of STREAM (McCalpin): copy, scale, add, triad. They use ordinary stores, so a cache that
 * allocates on writes also reads the written lines; STREAM itself does not count that. Included by variant.c. */
#include "variant.h"

static const double SCALAR = 3;

static void copy_run(const struct lane *lane, void *const *arrays) {
    const real *a = arrays[0];
    real *c = arrays[1];
    MAP(lane->first, lane->end, AT(c) = AT(a));
}
static double copy_expected(const struct task *task, uint64_t i) {
    return workload_value(task, 0, i);
}

static void scale_run(const struct lane *lane, void *const *arrays) {
    const real *c = arrays[0];
    real *b = arrays[1];
    MAP(lane->first, lane->end, AT(b) = (real)SCALAR * AT(c));
}
static double scale_expected(const struct task *task, uint64_t i) {
    return SCALAR * workload_value(task, 0, i);
}

static void add_run(const struct lane *lane, void *const *arrays) {
    const real *a = arrays[0], *b = arrays[1];
    real *c = arrays[2];
    MAP(lane->first, lane->end, AT(c) = AT(a) + AT(b));
}
static double add_expected(const struct task *task, uint64_t i) {
    return workload_value(task, 0, i) + workload_value(task, 1, i);
}

static void triad_run(const struct lane *lane, void *const *arrays) {
    const real *b = arrays[0], *c = arrays[1];
    real *a = arrays[2];
    MAP(lane->first, lane->end, AT(a) = AT(b) + (real)SCALAR * AT(c));
}
static double triad_expected(const struct task *task, uint64_t i) {
    return workload_value(task, 0, i) + SCALAR * workload_value(task, 1, i);
}

#define STREAM_SIZE .size = "elements of each array", .tolerance = 2

static const struct workload stream_copy = {
    .name = "stream-copy",
    .summary = "c = a",
    STREAM_SIZE,
    .arrays = {{"a", size_n, READ, 0}, {"c", size_n, WRITTEN, 0}},
    .each = {.flop = 0, .loads = 1, .stores = 1},
    .run = copy_run,
    .expected = copy_expected,
};
static const struct workload stream_scale = {
    .name = "stream-scale",
    .summary = "b = q c",
    STREAM_SIZE,
    .arrays = {{"c", size_n, READ, 0}, {"b", size_n, WRITTEN, 0}},
    .each = {.flop = 1, .loads = 1, .stores = 1},
    .run = scale_run,
    .expected = scale_expected,
};
static const struct workload stream_add = {
    .name = "stream-add",
    .summary = "c = a + b",
    STREAM_SIZE,
    .arrays = {{"a", size_n, READ, 0}, {"b", size_n, READ, 0}, {"c", size_n, WRITTEN, 0}},
    .each = {.flop = 1, .loads = 2, .stores = 1},
    .run = add_run,
    .expected = add_expected,
};
static const struct workload stream_triad = {
    .name = "stream-triad",
    .summary = "a = b + q c",
    STREAM_SIZE,
    .arrays = {{"b", size_n, READ, 0}, {"c", size_n, READ, 0}, {"a", size_n, WRITTEN, 0}},
    .each = {.flop = 2, .loads = 2, .stores = 1},
    .run = triad_run,
    .expected = triad_expected,
};
