/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels of a given operational intensity, 1/16 and 8 flop per byte, each as multiplications alone and as
 * multiply-adds (FMA instructions if the instruction set has them; the flop are the same). Intermediate values stay
 * in registers: tests/unit/bench/test_workloads.c decodes the loops. f64 only: f32 has twice the intensity. Included
 * by variant.c. */
#include "variant.h"

static void sixteenth_run(const struct lane *lane, void *const *arrays) {
    real *a = arrays[0];
    MAP(lane->first, lane->end, AT(a) = AT(a) * AT(a));
}

static void sixteenth_fma_run(const struct lane *lane, void *const *arrays) {
    real *a = arrays[0];
    const real *b = arrays[1], *c = arrays[2];
    MAP(lane->first, lane->end, AT(a) = AT(a) * AT(b) + AT(c));
}

/* A chain of dependent operations for each element; enough elements at a time that no operation waits. */
enum { CHAINS_AT_ONCE = VECTOR_REGISTERS == 32 ? 8 : 7, CHAIN_MULTIPLICATIONS = 128, CHAIN_FMAS = 64 };
#define TIMES_16(statement)                                                                                            \
    statement statement statement statement statement statement statement statement statement statement statement      \
        statement statement statement statement statement
#define TIMES_64(statement)  TIMES_16(statement) TIMES_16(statement) TIMES_16(statement) TIMES_16(statement)
#define TIMES_128(statement) TIMES_64(statement) TIMES_64(statement)

/* `step` is applied to values[i], from starts[i], for each i. */
#define CHAIN_LOOP(type, per_step, at_once, steps)                                                                     \
    for (; at + (at_once) * (per_step) <= end; at += (at_once) * (per_step)) {                                         \
        type starts[at_once], values[at_once];                                                                         \
        for (int i = 0; i < (at_once); i++)                                                                            \
            values[i] = starts[i] = *(type *)(a + at + i * (per_step));                                                \
        steps(at_once) for (int i = 0; i < (at_once); i++) * (type *)(a + at + i * (per_step)) = values[i];            \
    }
#define CHAIN(steps)                                                                                                   \
    const uint64_t end = lane->end;                                                                                    \
    uint64_t at = lane->first;                                                                                         \
    CHAIN_LOOP(vector, LANES, CHAINS_AT_ONCE, steps)                                                                   \
    CHAIN_LOOP(vector, LANES, 1, steps)                                                                                \
    CHAIN_LOOP(real, 1, 1, steps)

/* IN_REGISTER keeps the compiler from computing one chain after the other. */
#define STEP(at_once, expression)                                                                                      \
    for (int i = 0; i < (at_once); i++) {                                                                              \
        values[i] = expression;                                                                                        \
        IN_REGISTER(values[i]);                                                                                        \
    }
#define MULTIPLICATIONS(at_once) TIMES_128(STEP(at_once, values[i] * starts[i]))
#define MULTIPLY_ADDS(at_once)   TIMES_64(STEP(at_once, values[i] * values[i] + values[i]))

static void eight_run(const struct lane *lane, void *const *arrays) {
    real *a = arrays[0];
    CHAIN(MULTIPLICATIONS)
}

static void eight_fma_run(const struct lane *lane, void *const *arrays) {
    real *a = arrays[0];
    CHAIN(MULTIPLY_ADDS)
}

/* Only 1 and -1 keep their powers' size over many runs; the check uses values near them. */
static double power_value(const struct task *task, unsigned array, uint64_t index) {
    (void)array;
    double sign = index % 3 == 0 ? -1 : 1;
    return task->repeated ? sign : sign * (1 + 0.001 * (double)(index % 7));
}
/* x² + x, repeated, slowly approaches zero from below: -1/k after k times. */
static double below_zero(const struct task *task, unsigned array, uint64_t index) {
    (void)task, (void)array;
    return -0.2 - 0.1 * (double)(index % 7);
}
/* a b + c approaches c / (1 - b). */
static double contracting_value(const struct task *task, unsigned array, uint64_t index) {
    (void)task;
    return array == 1 ? 0.25 + 0.05 * (double)(index % 7) : 0.5 + 0.1 * (double)(index % 11);
}

static double sixteenth_expected(const struct task *task, uint64_t i) {
    double a = workload_value(task, 0, i);
    return a * a;
}
static double sixteenth_fma_expected(const struct task *task, uint64_t i) {
    return workload_value(task, 0, i) * workload_value(task, 1, i) + workload_value(task, 2, i);
}
static double eight_expected(const struct task *task, uint64_t i) {
    return pow(workload_value(task, 0, i), CHAIN_MULTIPLICATIONS + 1);
}
static double eight_fma_expected(const struct task *task, uint64_t i) {
    double a = workload_value(task, 0, i);
    for (int k = 0; k < CHAIN_FMAS; k++)
        a = a * a + a;
    return a;
}

static const struct workload intensity_sixteenth = {
    .name = "intensity-1/16",
    .summary = "a = a a: 1/16 flop/byte",
    .size = "elements of each array",
    .arrays = {{"a", size_n, UPDATED, 0}},
    .each = {.flop = 1, .loads = 1, .stores = 1},
    .value = power_value,
    .run = sixteenth_run,
    .expected = sixteenth_expected,
    .tolerance = 2,
};
static const struct workload intensity_sixteenth_fma = {
    .name = "intensity-1/16-fma",
    .summary = "a = a b + c: 1/16 flop/byte",
    .size = "elements of each array",
    .arrays = {{"a", size_n, UPDATED, 0}, {"b", size_n, READ, 0}, {"c", size_n, READ, 0}},
    .each = {.flop = 2, .loads = 3, .stores = 1},
    .value = contracting_value,
    .run = sixteenth_fma_run,
    .expected = sixteenth_fma_expected,
    .tolerance = 2,
};
static const struct workload intensity_eight = {
    .name = "intensity-8",
    .summary = "a = a^129 by 128 multiplications: 8 flop/byte",
    .size = "elements of each array",
    .arrays = {{"a", size_n, UPDATED, 0}},
    .each = {.flop = CHAIN_MULTIPLICATIONS, .loads = 1, .stores = 1},
    .value = power_value,
    .run = eight_run,
    .expected = eight_expected,
    .tolerance = 200,
};
static const struct workload intensity_eight_fma = {
    .name = "intensity-8-fma",
    .summary = "a = a a + a, 64 times: 8 flop/byte",
    .size = "elements of each array",
    .arrays = {{"a", size_n, UPDATED, 0}},
    .each = {.flop = 2 * CHAIN_FMAS, .loads = 1, .stores = 1},
    .value = below_zero,
    .run = eight_fma_run,
    .expected = eight_fma_expected,
    .tolerance = 200,
};
