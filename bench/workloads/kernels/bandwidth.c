/* SPDX-License-Identifier: BSD-3-Clause
 * The kernels with which Steinmann's thesis validates its counters: ADD and MUL in registers, Read, Write,
 * WriteStream (past the caches) and Triad on memory. Included by variant.c. */
#include "variant.h"

/* More than latency × ports of any core; with 16 registers one remains for the constant. */
enum { ACCUMULATORS = 12, ACCUMULATOR_ELEMENTS = ACCUMULATORS * LANES };

static uint64_t accumulator_elements(const struct task *task) {
    return (uint64_t)task->threads * ACCUMULATOR_ELEMENTS;
}

/* The accumulators are loaded and stored once a run, perhaps through the stack, as the compiler chooses. */
static void arithmetic_work(const struct task *task, struct work *out) {
    *out = (struct work){.flop = task->n};
}

/* Alternates an operation and its inverse, so that any number of runs leaves normal numbers; `last` is an odd
 * operation at the end. */
#define ACCUMULATE(there, back, last)                                                                                  \
    real *own = (real *)arrays[0] + (size_t)lane->thread * ACCUMULATOR_ELEMENTS;                                       \
    uint64_t left = lane->end - lane->first;                                                                           \
    vector sums[ACCUMULATORS];                                                                                         \
    for (int i = 0; i < ACCUMULATORS; i++)                                                                             \
        sums[i] = vector_load(own + i * LANES);                                                                        \
    for (; left >= 2 * ACCUMULATOR_ELEMENTS; left -= 2 * ACCUMULATOR_ELEMENTS) {                                       \
        for (int i = 0; i < ACCUMULATORS; i++)                                                                         \
            sums[i] there;                                                                                             \
        for (int i = 0; i < ACCUMULATORS; i++)                                                                         \
            sums[i] back;                                                                                              \
    }                                                                                                                  \
    for (int i = 0; i < ACCUMULATORS; i++)                                                                             \
        *(vector *)(own + i * LANES) = sums[i];                                                                        \
    if (left == 0)                                                                                                     \
        return;                                                                                                        \
    real rest = own[0];                                                                                                \
    for (; left >= 2; left -= 2) {                                                                                     \
        rest there;                                                                                                    \
        rest back;                                                                                                     \
    }                                                                                                                  \
    if (left == 1)                                                                                                     \
        rest last;                                                                                                     \
    own[0] = rest;

static void add_register_run(const struct lane *lane, void *const *arrays) {
    ACCUMULATE(+= (real)1, -= (real)1, += (real)1)
}
/* Multiplications, but not by 2: compilers turn 2x into x + x. */
static void mul_register_run(const struct lane *lane, void *const *arrays) {
    ACCUMULATE(*= (real)4, *= (real)0.25, *= rest)
}

/* Each thread's first element takes the remaining operations; it is 1, so that its square is 1 too. */
static double register_value(const struct task *task, unsigned array, uint64_t index) {
    (void)task, (void)array;
    return index % ACCUMULATOR_ELEMENTS == 0 ? 1 : 1 + (double)(index % 97) / 128;
}
static double add_register_expected(const struct task *task, uint64_t index) {
    struct lane lane = lane_of(task, (unsigned)(index / ACCUMULATOR_ELEMENTS), task->n);
    bool odd = (lane.end - lane.first) % 2 == 1;
    return register_value(task, 0, index) + (odd && index % ACCUMULATOR_ELEMENTS == 0);
}
static double mul_register_expected(const struct task *task, uint64_t index) {
    return register_value(task, 0, index);
}

static const struct workload add_register = {
    .name = "add",
    .summary = "additions in registers",
    .size = "additions",
    .arrays = {{"accumulators", accumulator_elements, UPDATED, 0}},
    .work = arithmetic_work,
    .value = register_value,
    .run = add_register_run,
    .expected = add_register_expected,
    .tolerance = 2,
};
static const struct workload mul_register = {
    .name = "mul",
    .summary = "multiplications in registers",
    .size = "multiplications",
    .arrays = {{"accumulators", accumulator_elements, UPDATED, 0}},
    .work = arithmetic_work,
    .value = register_value,
    .run = mul_register_run,
    .expected = mul_register_expected,
    .tolerance = 2,
};

/* Read combines by XOR: no arithmetic that counts, and no fixed order. Each thread leaves a vector of 32-bit words. */
typedef uint32_t words __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
enum { WORDS = VECTOR_BYTES / 4, SHARE_ELEMENTS = VECTOR_BYTES / sizeof(real) };

static uint64_t read_shares(const struct task *task) {
    return (uint64_t)task->threads * SHARE_ELEMENTS;
}

static void read_run(const struct lane *lane, void *const *arrays) {
    enum { CHAINS = 4, ROUND = 2 * CHAINS };
    const uint32_t *from = (const uint32_t *)((const real *)arrays[0] + lane->first);
    const uint32_t *end = (const uint32_t *)((const real *)arrays[0] + lane->end);
    words sums[CHAINS] = {0};
    for (; from + ROUND * WORDS <= end; from += ROUND * WORDS)
        for (int i = 0; i < ROUND; i++)
            sums[i % CHAINS] ^= *(const words *)(from + i * WORDS);
    for (; from + WORDS <= end; from += WORDS)
        sums[0] ^= *(const words *)from;
    words sum = (sums[0] ^ sums[1]) ^ (sums[2] ^ sums[3]);
    for (; from < end; from++)
        sum[0] ^= *from;
    *(words *)((real *)arrays[1] + lane->thread * SHARE_ELEMENTS) = sum;
}

static void read_work(const struct task *task, struct work *out) {
    *out = (struct work){.load_bytes = task->n * sizeof(real),
                         .store_bytes = (uint64_t)task->threads * VECTOR_BYTES,
                         .bytes_exact = true};
}

/* The number of wrong bits of the XOR. */
static double read_check(const struct task *task, void *const *arrays) {
    uint32_t difference = 0;
    for (uint64_t i = 0; i < task->n; i++) {
        real value = (real)workload_value(task, 0, i);
        uint32_t parts[sizeof(real) / 4];
        memcpy(parts, &value, sizeof value);
        for (size_t p = 0; p < sizeof(real) / 4; p++)
            difference ^= parts[p];
    }
    const uint32_t *found = arrays[1];
    for (size_t i = 0; i < (size_t)task->threads * WORDS; i++)
        difference ^= found[i];
    return __builtin_popcount(difference);
}

static const struct workload memory_read = {
    .name = "read",
    .summary = "reads an array, combined by XOR",
    .size = "elements",
    .arrays = {{"a", size_n, READ, 0}, {"xor", read_shares, SCRATCH, 0}},
    .work = read_work,
    .run = read_run,
    .check = read_check,
    .tolerance = 0,
};

static const double WRITTEN_VALUE = 1.0 / 3;

static void write_run(const struct lane *lane, void *const *arrays) {
    real *a = arrays[0];
    MAP(lane->first, lane->end, AT(a) = (real)WRITTEN_VALUE - (at_type){0});
}

/* A lane starts on a cache line; its last few elements use ordinary stores. */
static void write_stream_run(const struct lane *lane, void *const *arrays) {
    enum { ROUND = VECTOR_BYTES < 64 ? 64 / VECTOR_BYTES : 1 };
    real *a = arrays[0];
    vector value = (real)WRITTEN_VALUE - (vector){0};
    IN_REGISTER(value); /* keeps the compiler from loading it as a constant each time */
    const uint64_t end = lane->end;
    uint64_t at = lane->first;
    for (; at + ROUND * LANES <= end; at += ROUND * LANES)
        for (int i = 0; i < ROUND; i++)
            VECTOR_STREAM(a + at + i * LANES, value);
    for (; at < end; at++) {
        a[at] = (real)WRITTEN_VALUE;
        __asm__ volatile("");
    }
    VECTOR_STREAM_END();
}

static double write_expected(const struct task *task, uint64_t index) {
    (void)task, (void)index;
    return WRITTEN_VALUE;
}

static const struct workload memory_write = {
    .name = "write",
    .summary = "overwrites an array",
    .size = "elements",
    .arrays = {{"a", size_n, WRITTEN, 0}},
    .each = {.flop = 0, .loads = 0, .stores = 1},
    .run = write_run,
    .expected = write_expected,
    .tolerance = 1,
};
static const struct workload memory_write_stream = {
    .name = "write-stream",
    .summary = "overwrites an array past the caches",
    .size = "elements",
    .arrays = {{"a", size_n, WRITTEN | PAST_CACHES, 0}},
    .each = {.flop = 0, .loads = 0, .stores = 1},
    .run = write_stream_run,
    .expected = write_expected,
    .tolerance = 1,
};

static const double TRIAD_FACTOR = 2.34;

static void thesis_triad_run(const struct lane *lane, void *const *arrays) {
    const real *b = arrays[0], *c = arrays[1];
    real *a = arrays[2];
    MAP(lane->first, lane->end, AT(a) = AT(b) + (real)TRIAD_FACTOR * AT(c));
}
static double thesis_triad_expected(const struct task *task, uint64_t i) {
    return workload_value(task, 0, i) + TRIAD_FACTOR * workload_value(task, 1, i);
}

static const struct workload thesis_triad = {
    .name = "triad",
    .summary = "a = b + 2.34 c",
    .size = "elements of each array",
    .arrays = {{"b", size_n, READ, 0}, {"c", size_n, READ, 0}, {"a", size_n, WRITTEN, 0}},
    .each = {.flop = 2, .loads = 2, .stores = 1},
    .run = thesis_triad_run,
    .expected = thesis_triad_expected,
    .tolerance = 2,
};
