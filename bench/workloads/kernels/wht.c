/* SPDX-License-Identifier: BSD-3-Clause
 * The Walsh-Hadamard transform, in place: log2 n stages of sums and differences. Included by variant.c. */
#include "variant.h"

/* The last three stages of eight elements run in registers. */
enum { WHT_LEAF = 8, WHT_LEAF_STAGES = 3 };

static unsigned stages(uint64_t n) {
    return (unsigned)__builtin_ctzll(n);
}

/* One stage for elements [from, to) of the first half of a block. */
static inline void wht_stage(real *low, real *high, uint64_t from, uint64_t to) {
    MAP(from, to, at_type x = AT(low); at_type y = AT(high); AT(low) = x + y; AT(high) = x - y);
}

static inline __attribute__((always_inline)) void wht_leaf(real *data) {
    real v[WHT_LEAF], w[WHT_LEAF];
    for (int i = 0; i < WHT_LEAF; i++)
        v[i] = data[i];
    for (int half = WHT_LEAF / 2; half > 0; half /= 2) {
        for (int i = 0; i < WHT_LEAF; i++)
            w[i] = i & half ? v[i - half] - v[i] : v[i] + v[i + half];
        for (int i = 0; i < WHT_LEAF; i++)
            v[i] = w[i];
    }
    for (int i = 0; i < WHT_LEAF; i++)
        data[i] = v[i];
}

/* Halves the block until it is small, so that a part that fits in a cache is finished there. */
static void wht_block(real *data, uint64_t n) {
    enum { LOOP = 2048 };
    uint64_t half = n / 2;
    if (n > LOOP) {
        wht_stage(data, data + half, 0, half);
        wht_block(data, half);
        wht_block(data + half, half);
        return;
    }
    for (; half >= WHT_LEAF; half /= 2)
        for (uint64_t at = 0; at < n; at += 2 * half)
            wht_stage(data + at, data + at + half, 0, half);
    for (uint64_t at = 0; at < n; at += WHT_LEAF)
        wht_leaf(data + at);
}

/* All threads share the first stages, until there is a block for each of them. */
static void wht_run(const struct lane *lane, void *const *arrays) {
    const uint64_t n = lane->task->n;
    const unsigned threads = lane->task->threads;
    real *data = arrays[0];
    uint64_t block = n;
    for (; n / block < threads && block > WHT_LEAF; block /= 2) {
        const uint64_t half = block / 2;
        const struct lane part = lane_of(lane->task, lane->thread, half);
        for (uint64_t at = 0; at < n; at += block)
            wht_stage(data + at, data + at + half, part.first, part.end);
        team_barrier();
    }
    for (uint64_t i = lane->thread; i < n / block; i += threads)
        wht_block(data + i * block, block);
    if (threads > 1)
        team_barrier(); /* all threads take part in the next run's first stage */
}

static void wht_work(const struct task *task, struct work *out) {
    uint64_t passes = stages(task->n) - WHT_LEAF_STAGES + 1;
    *out = (struct work){.flop = task->n * stages(task->n),
                         .load_bytes = passes * task->n * sizeof(real),
                         .store_bytes = passes * task->n * sizeof(real),
                         .bytes_exact = task->threads == 1};
}

/* Every transform multiplies the sum of squares by n: only zeros survive any number of runs. */
static double transform_value(const struct task *task, unsigned array, uint64_t index) {
    (void)array;
    return task->repeated ? 0 : 0.5 + (double)(index * 0x9e3779b97f4a7c15u >> 40) / (double)(1 << 24);
}

/* The error of a few elements (of all for small transforms) against the definition, and of the sum of squares. */
static double wht_check(const struct task *task, void *const *arrays) {
    enum { LOOKED_AT = 64, PART = 1 << 11 };
    const uint64_t n = task->n, step = n > LOOKED_AT ? n / LOOKED_AT + 1 : 1;
    const real *data = arrays[0];
    double before = 0, after = 0, worst = 0;
    for (uint64_t first = 0; first < n; first += PART) { /* one long sum would be less exact than the transform */
        double part_before = 0, part_after = 0;
        for (uint64_t i = first; i < first + PART && i < n; i++) {
            part_before += transform_value(task, 0, i) * transform_value(task, 0, i);
            part_after += (double)data[i] * (double)data[i];
        }
        before += part_before, after += part_after;
    }
    for (uint64_t k = 0; k < n; k += step) {
        double sum = 0;
        for (uint64_t i = 0; i < n; i++)
            sum += (__builtin_parityll(i & k) ? -1 : 1) * workload_value(task, 0, i);
        worst = worst_of(worst, fabs((double)data[k] - sum) / sqrt(before));
    }
    return worst_of(worst, fabs(after / ((double)n * before) - 1));
}

static const struct workload wht = {
    .name = "wht",
    .summary = "Walsh-Hadamard transform in place",
    .size = "elements, a power of two",
    .size_least = WHT_LEAF,
    .power_of_two = true,
    .arrays = {{"data", size_n, UPDATED, 0}},
    .work = wht_work,
    .value = transform_value,
    .run = wht_run,
    .check = wht_check,
    .tolerance = 16,
    .sums = true,
};
