/* SPDX-License-Identifier: BSD-3-Clause
 * BLAS level 2: y ← αAx + βy with a square matrix, row by row. Included by variant.c. */
#include "variant.h"

static const double GEMV_ALPHA = 0.5, GEMV_BETA = 0.5;

/* Rows per pass: each vector of x serves all of them, and there are enough sums to hide their latency. */
enum { ROWS_AT_ONCE = 8 };

/* The sums start with the first products, not with zero: n multiplications, n - 1 additions and 3 more flop per row
 * make 2 n + 2. */
static inline __attribute__((always_inline)) void dgemv_rows(const real *a, const real *x, real *y, uint64_t n,
                                                             const int rows) {
    real sums[ROWS_AT_ONCE];
    uint64_t at = 0;
    if (n >= LANES) {
        vector wide[ROWS_AT_ONCE], x_part = vector_load(x);
        for (int r = 0; r < rows; r++)
            wide[r] = vector_load(a + (unsigned)r * n) * x_part;
        for (at = LANES; at + LANES <= n; at += LANES) {
            x_part = vector_load(x + at);
            for (int r = 0; r < rows; r++)
                wide[r] += vector_load(a + (unsigned)r * n + at) * x_part;
        }
        UNROLLED
        for (int r = 0; r < rows; r++)
            sums[r] = vector_sum(wide[r]);
    } else {
        for (int r = 0; r < rows; r++)
            sums[r] = a[(unsigned)r * n] * x[0];
        at = 1;
    }
    for (; at < n; at++)
        for (int r = 0; r < rows; r++)
            sums[r] += a[(unsigned)r * n + at] * x[at];
    for (int r = 0; r < rows; r++)
        y[r] = (real)GEMV_ALPHA * sums[r] + (real)GEMV_BETA * y[r];
}

static void dgemv_run(const struct lane *lane, void *const *arrays) {
    const uint64_t n = lane->task->n;
    const real *a = arrays[0], *x = arrays[1];
    real *y = arrays[2];
    uint64_t row = lane->first;
    for (; row + ROWS_AT_ONCE <= lane->end; row += ROWS_AT_ONCE)
        dgemv_rows(a + row * n, x, y + row, n, ROWS_AT_ONCE);
    for (; row < lane->end; row++)
        dgemv_rows(a + row * n, x, y + row, n, 1);
}

static void dgemv_flop(const struct task *task, struct work *out) {
    *out = (struct work){.flop = 2 * task->n * task->n + 2 * task->n};
}

static void dgemv_work(const struct task *task, struct work *out) {
    uint64_t n = task->n, passes_over_x = 0;
    for (unsigned t = 0; t < task->threads; t++) {
        struct lane lane = lane_of(task, t, n);
        uint64_t rows = lane.end - lane.first;
        passes_over_x += rows / ROWS_AT_ONCE + rows % ROWS_AT_ONCE;
    }
    dgemv_flop(task, out);
    out->load_bytes = (n * n + passes_over_x * n + n) * sizeof(real);
    out->store_bytes = n * sizeof(real);
    out->bytes_exact = true;
}

static double dgemv_check(const struct task *task, void *const *arrays) {
    const real *a = arrays[0], *x = arrays[1], *y = arrays[2];
    double worst = 0;
    for (uint64_t i = 0; i < task->n; i++) {
        double sum = 0;
        for (uint64_t j = 0; j < task->n; j++)
            sum += (double)a[i * task->n + j] * (double)x[j];
        double expected = GEMV_ALPHA * sum + GEMV_BETA * workload_value(task, 2, i);
        worst = worst_of(worst, fabs((double)y[i] - expected) / expected);
    }
    return worst;
}

#define DGEMV_ROW                                                                                                      \
    .size = "rows and columns",                                                                                        \
    .arrays = {{"A", size_n_squared, READ, 0}, {"x", size_n, READ, 0}, {"y", size_n, UPDATED, 0}},                     \
    .check = dgemv_check, .tolerance = 8, .sums = true

static const struct workload dgemv = {
    .name = "dgemv", .summary = "y ← αAx + βy", DGEMV_ROW, .work = dgemv_work, .run = dgemv_run};
