/* SPDX-License-Identifier: BSD-3-Clause
 * The tick source, and the core clock by chains of known latency (see clock.h). */
#include "clock.h"

#include <cpuid.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum {
    ADD_CHAIN_CYCLES = 3072,      /* one cycle each: about 1 µs at 3 GHz */
    MULTIPLY_CHAIN_LENGTH = 1024, /* 32-bit imul, three cycles each on every x86-64 core since 2008 (uops.info) */
    MULTIPLY_LATENCY_CYCLES = 3,
    ROUNDS = 101,
};

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t tsc(void) {
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

uint64_t clock_tick(const struct clock *clock) {
    return clock->uses_tsc ? tsc() : nanoseconds();
}

double clock_seconds(const struct clock *clock, uint64_t from_tick, uint64_t to_tick) {
    return (double)(to_tick - from_tick) / clock->tick_hz;
}

/* The chains are straight-line code: the mispredicted exit of a loop would cost 20 cycles of 3,072. The addend is a
 * register because newer cores execute `add reg, imm` at rename, in no time. */
#define ADD_CHAIN(count)                                                                                               \
    do {                                                                                                               \
        uint64_t sum = 1, addend = 1;                                                                                  \
        __asm__ volatile(".rept " #count "\n\tadd %1, %0\n\t.endr" : "+r"(sum) : "r"(addend) : "cc");                  \
    } while (0)

#define MULTIPLY_CHAIN(count)                                                                                          \
    do {                                                                                                               \
        uint32_t product = 1, factor = 3;                                                                              \
        __asm__ volatile(".rept " #count "\n\timul %1, %0\n\t.endr" : "+r"(product) : "r"(factor) : "cc");             \
    } while (0)

static uint64_t empty_ticks(const struct clock *clock) {
    uint64_t start = clock_tick(clock);
    return clock_tick(clock) - start;
}

static uint64_t add_chain_ticks(const struct clock *clock) {
    uint64_t start = clock_tick(clock);
    ADD_CHAIN(3072);
    return clock_tick(clock) - start;
}

static uint64_t multiply_chain_ticks(const struct clock *clock) {
    uint64_t start = clock_tick(clock);
    MULTIPLY_CHAIN(1024);
    return clock_tick(clock) - start;
}

static double chain_hz(const struct clock *clock, double ticks, double cycles) {
    return cycles * clock->tick_hz / (ticks - clock->overhead_ticks);
}

double clock_slice_hz(const struct clock *clock) {
    return chain_hz(clock, (double)add_chain_ticks(clock), ADD_CHAIN_CYCLES);
}

static int compare_u64(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static double median_ticks(const struct clock *clock, uint64_t (*measure)(const struct clock *)) {
    uint64_t ticks[ROUNDS];
    for (int i = 0; i < ROUNDS; i++)
        ticks[i] = measure(clock);
    qsort(ticks, ROUNDS, sizeof ticks[0], compare_u64);
    return (double)ticks[ROUNDS / 2];
}

/* Without invariance the TSC follows the core clock or stops in idle states. */
static bool tsc_is_invariant(void) {
    uint32_t a, b, c, d;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}

/* The TSC's rate against CLOCK_MONOTONIC_RAW over `span_ns`. */
static double tsc_hz(uint64_t span_ns) {
    uint64_t ns_start = nanoseconds(), tick_start = tsc(), ns_end;
    do
        ns_end = nanoseconds();
    while (ns_end - ns_start < span_ns);
    uint64_t tick_end = tsc();
    return (double)(tick_end - tick_start) * 1e9 / (double)(ns_end - ns_start);
}

static void choose_tick(struct clock *clock) {
    double first_hz = tsc_hz(5000000), second_hz = tsc_hz(10000000);
    clock->uses_tsc = tsc_is_invariant() && fabs(first_hz / second_hz - 1) < 1e-3;
    clock->tick_hz = clock->uses_tsc ? second_hz : 1e9;
    if (!clock->uses_tsc)
        snprintf(clock->doubt, sizeof clock->doubt,
                 "the TSC is not invariant or disagrees with the system's clock: time comes from CLOCK_MONOTONIC_RAW");
}

bool clock_open(struct clock *out, struct error *err) {
    *out = (struct clock){0};
    choose_tick(out);
    double gap = INFINITY;
    for (int attempt = 0; attempt < 5 && gap > 0.01; attempt++) {
        struct clock trial = *out;
        trial.overhead_ticks = median_ticks(&trial, empty_ticks);
        trial.rest_hz = chain_hz(&trial, median_ticks(&trial, add_chain_ticks), ADD_CHAIN_CYCLES);
        trial.multiply_hz = chain_hz(&trial, median_ticks(&trial, multiply_chain_ticks),
                                     MULTIPLY_CHAIN_LENGTH * MULTIPLY_LATENCY_CYCLES);
        double trial_gap = fabs(trial.rest_hz / trial.multiply_hz - 1);
        if (trial_gap < gap) {
            gap = trial_gap;
            *out = trial;
        }
    }
    if (gap > 0.03)
        return error_set(
            err,
            "the core clock cannot be read: a chain of adds says %.3f GHz, a chain of multiplies %.3f GHz; "
            "try again on a quieter machine",
            out->rest_hz / 1e9, out->multiply_hz / 1e9);
    if (gap > 0.01 && !out->doubt[0])
        snprintf(out->doubt, sizeof out->doubt, "two ways of reading the core clock differ by %.1f %%", 100 * gap);
    return true;
}
