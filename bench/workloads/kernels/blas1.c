/* SPDX-License-Identifier: BSD-3-Clause
 * BLAS level 1: y ← αx + y. Included by variant.c. */
#include "variant.h"

static const double ALPHA = 0.5;

static void daxpy_run(const struct lane *lane, void *const *arrays) {
    const real *x = arrays[0];
    real *y = arrays[1];
    MAP(lane->first, lane->end, AT(y) += (real)ALPHA * AT(x));
}

static double daxpy_expected(const struct task *task, uint64_t i) {
    return workload_value(task, 1, i) + ALPHA * workload_value(task, 0, i);
}

static const struct workload daxpy = {
    .name = "daxpy",
    .summary = "y ← αx + y",
    .size = "elements of each vector",
    .arrays = {{"x", size_n, READ, 0}, {"y", size_n, UPDATED, 0}},
    .each = {.flop = 2, .loads = 2, .stores = 1},
    .run = daxpy_run,
    .expected = daxpy_expected,
    .tolerance = 2,
};
