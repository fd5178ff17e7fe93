/* SPDX-License-Identifier: BSD-3-Clause
 * BLAS level 3, as Steinmann's thesis studies its optimisation: C ← C + AB by a triple loop, and by a six-fold loop
 * blocked for the caches and for registers, without and with scalar replacement. Included by variant.c. */
#include "variant.h"

static void dgemm_triple_run(const struct lane *lane, void *const *arrays) {
    const uint64_t n = lane->task->n;
    const real *a = arrays[0], *b = arrays[1];
    real *c = arrays[2];
    for (uint64_t i = lane->first; i < lane->end; i++)
        for (uint64_t j = 0; j < n; j++) {
            real sum = c[i * n + j];
            for (uint64_t k = 0; k < n; k++) {
                sum += a[i * n + k] * b[k * n + j];
                __asm__ volatile(""); /* keeps compilers from reordering the loops */
            }
            c[i * n + j] = sum;
        }
}

/* Register blocks: the thesis' M_U = N_U = K_U. */
enum { UNIT = 2 };

static inline uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The three outer loops, over blocks; `inner` multiplies two blocks. */
#define BLOCK_LOOPS(inner)                                                                                             \
    const uint64_t n = lane->task->n, block = lane->task->block;                                                       \
    const real *a = arrays[0], *b = arrays[1];                                                                         \
    real *c = arrays[2];                                                                                               \
    for (uint64_t i = lane->first; i < lane->end; i += block)                                                          \
        for (uint64_t j = 0; j < n; j += block)                                                                        \
            for (uint64_t k = 0; k < n; k += block)                                                                    \
                inner(a + i * n + k, b + k * n + j, c + i * n + j, n, least(block, lane->end - i),                     \
                      least(block, n - j), least(block, n - k));

static inline __attribute__((always_inline)) void unit_product(const real *a, const real *b, real *c, uint64_t n,
                                                               uint64_t rows, uint64_t columns, uint64_t depth) {
    for (uint64_t k = 0; k < depth; k++)
        for (uint64_t i = 0; i < rows; i++)
            for (uint64_t j = 0; j < columns; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

/* As written in the thesis: the compiler has to assume that every store to C may change A and B. */
static void block_product(const real *a, const real *b, real *c, uint64_t n, uint64_t rows, uint64_t columns,
                          uint64_t depth) {
    for (uint64_t i = 0; i < rows; i += UNIT)
        for (uint64_t j = 0; j < columns; j += UNIT)
            for (uint64_t k = 0; k < depth; k += UNIT) {
                const real *a_unit = a + i * n + k, *b_unit = b + k * n + j;
                real *c_unit = c + i * n + j;
                if (i + UNIT <= rows && j + UNIT <= columns && k + UNIT <= depth)
                    unit_product(a_unit, b_unit, c_unit, n, UNIT, UNIT, UNIT);
                else
                    unit_product(a_unit, b_unit, c_unit, n, least(UNIT, rows - i), least(UNIT, columns - j),
                                 least(UNIT, depth - k));
            }
}

/* Scalar replacement: a unit of C stays in registers for the whole depth of the block. The thesis uses `restrict`
 * pointers for this, which not every compiler exploits. */
static void unit_in_registers(const real *a, const real *b, real *c, uint64_t n, uint64_t depth) {
    real c00 = c[0], c01 = c[1], c10 = c[n], c11 = c[n + 1];
    for (uint64_t k = 0; k < depth; k++) {
        const real a0 = a[k], a1 = a[n + k], b0 = b[k * n], b1 = b[k * n + 1];
        c00 += a0 * b0;
        c01 += a0 * b1;
        c10 += a1 * b0;
        c11 += a1 * b1;
    }
    c[0] = c00, c[1] = c01, c[n] = c10, c[n + 1] = c11;
}
static void element_in_register(const real *a, const real *b, real *c, uint64_t n, uint64_t depth) {
    real sum = *c;
    for (uint64_t k = 0; k < depth; k++)
        sum += a[k] * b[k * n];
    *c = sum;
}

static void block_product_replaced(const real *a, const real *b, real *c, uint64_t n, uint64_t rows, uint64_t columns,
                                   uint64_t depth) {
    for (uint64_t i = 0; i < rows; i += UNIT)
        for (uint64_t j = 0; j < columns; j += UNIT)
            if (i + UNIT <= rows && j + UNIT <= columns)
                unit_in_registers(a + i * n, b + j, c + i * n + j, n, depth);
            else
                for (uint64_t r = i; r < least(i + UNIT, rows); r++)
                    for (uint64_t s = j; s < least(j + UNIT, columns); s++)
                        element_in_register(a + r * n, b + s, c + r * n + s, n, depth);
}

static void dgemm_blocked_run(const struct lane *lane, void *const *arrays) {
    BLOCK_LOOPS(block_product)
}
static void dgemm_replaced_run(const struct lane *lane, void *const *arrays) {
    BLOCK_LOOPS(block_product_replaced)
}

static void dgemm_triple_work(const struct task *task, struct work *out) {
    uint64_t square = task->n * task->n, cube = square * task->n;
    *out = (struct work){.flop = 2 * cube,
                         .load_bytes = (2 * cube + square) * sizeof(real),
                         .store_bytes = square * sizeof(real),
                         .bytes_exact = true};
}
static void dgemm_blocked_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = 2 * task->n * task->n * task->n};
}

/* out ← m v, for an n × n matrix. */
static void matrix_times_vector(const real *m, const double *v, double *out, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        out[i] = 0;
        for (uint64_t j = 0; j < n; j++)
            out[i] += (double)m[i * n + j] * v[j];
    }
}

/* The error of C = α A B + β C₀. Small matrices are compared element by element; for large ones C v is compared with
 * A (B v), for a vector v without a pattern (Freivalds' check), which takes n² operations instead of n³. */
static double product_error(const struct task *task, void *const *arrays, double alpha, double beta) {
    enum { SMALL = 128 };
    const uint64_t n = task->n, columns = n <= SMALL ? n : 1;
    double *v = calloc(4 * n, sizeof *v), *bv = v + n, *abv = v + 2 * n, *cv = v + 3 * n, worst = 0;
    for (uint64_t column = 0; v && column < columns; column++) {
        for (uint64_t i = 0; i < n; i++)
            v[i] = n > SMALL ? workload_value(task, MAX_ARRAYS, i) : i == column;
        matrix_times_vector(arrays[1], v, bv, n);
        matrix_times_vector(arrays[0], bv, abv, n);
        matrix_times_vector(arrays[2], v, cv, n);
        for (uint64_t i = 0; i < n; i++) {
            double before = 0;
            if (n > SMALL)
                for (uint64_t j = 0; j < n; j++)
                    before += workload_value(task, 2, i * n + j) * v[j];
            else
                before = workload_value(task, 2, i * n + column);
            double expected = alpha * abv[i] + beta * before;
            worst = worst_of(worst, fabs(cv[i] - expected) / expected);
        }
    }
    free(v);
    return v ? worst : NAN;
}

static double dgemm_check(const struct task *task, void *const *arrays) {
    return product_error(task, arrays, 1, 1);
}

#define DGEMM_ROW                                                                                                      \
    .size = "rows and columns",                                                                                        \
    .arrays = {{"A", size_n_squared, READ, 0}, {"B", size_n_squared, READ, 0}, {"C", size_n_squared, UPDATED, 0}},     \
    .tolerance = 8, .sums = true
#define BLOCKED_ROW                                                                                                    \
    .block = "rows and columns of a block (N_B)", .block_default = 50, .alike_from = 100, .work = dgemm_blocked_work,  \
    .check = dgemm_check

static const struct workload dgemm_triple = {
    .name = "dgemm-triple",
    .summary = "C ← C + AB by a triple loop",
    DGEMM_ROW,
    .alike_from = 100,
    .work = dgemm_triple_work,
    .run = dgemm_triple_run,
    .check = dgemm_check,
};
static const struct workload dgemm_blocked = {
    .name = "dgemm-blocked",
    .summary = "C ← C + AB by six loops: blocks of N_B, units of 2",
    DGEMM_ROW,
    BLOCKED_ROW,
    .run = dgemm_blocked_run,
};
static const struct workload dgemm_replaced = {
    .name = "dgemm-scalar-replacement",
    .summary = "C ← C + AB by six loops, C's 2 × 2 in registers",
    DGEMM_ROW,
    BLOCKED_ROW,
    .run = dgemm_replaced_run,
};
