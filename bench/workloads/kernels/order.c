/* SPDX-License-Identifier: BSD-3-Clause
 * The example in the introduction of Steinmann's thesis: M_ij = 3 j² M_ij on a matrix of n rows and 4 columns, row
 * by row and column by column. The second order computes 3 j² less often, and is slower. Included by variant.c. */
#include "variant.h"

enum { COLUMNS = 4 };

static uint64_t order_elements(const struct task *task) {
    return task->n * COLUMNS;
}

/* The empty asm keeps the compiler from changing the studied order. */
static void rows_run(const struct lane *lane, void *const *arrays) {
    real *m = arrays[0];
    for (uint64_t i = lane->first, end = lane->end; i < end; i++)
        for (int j = 0; j < COLUMNS; j++) {
            m[i * COLUMNS + (unsigned)j] *= (real)(3 * j * j);
            __asm__ volatile("");
        }
}

static void columns_run(const struct lane *lane, void *const *arrays) {
    real *m = arrays[0];
    for (int j = 0; j < COLUMNS; j++) {
        const real factor = (real)(3 * j * j);
        for (uint64_t i = lane->first, end = lane->end; i < end; i++) {
            m[i * COLUMNS + (unsigned)j] *= factor;
            __asm__ volatile("");
        }
    }
}

/* Zeros remain zeros after any number of runs. */
static double order_value(const struct task *task, unsigned array, uint64_t index) {
    (void)array;
    return task->repeated ? 0 : 1 + (double)(index % 13) / 16;
}
static double order_expected(const struct task *task, uint64_t index) {
    uint64_t j = index % COLUMNS;
    return (double)(3 * j * j) * order_value(task, 0, index);
}

static void order_work(const struct task *task, struct work *out) {
    uint64_t elements = order_elements(task);
    *out = (struct work){.flop = elements,
                         .load_bytes = elements * sizeof(real),
                         .store_bytes = elements * sizeof(real),
                         .bytes_exact = true};
}

#define ORDER_ROW                                                                                                      \
    .size = "rows of 4 columns", .arrays = {{"M", order_elements, UPDATED, 0}}, .work = order_work,                    \
    .value = order_value, .expected = order_expected, .tolerance = 1

static const struct workload order_rows = {
    .name = "order-rows", .summary = "M_ij = 3 j² M_ij, row by row", ORDER_ROW, .run = rows_run};
static const struct workload order_columns = {
    .name = "order-columns", .summary = "M_ij = 3 j² M_ij, column by column", ORDER_ROW, .run = columns_run};
