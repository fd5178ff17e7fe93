/* SPDX-License-Identifier: BSD-3-Clause
 * Clocks whose ticks are coarse, as Arm's counter of 24 or 25 MHz, on a simulated core: the step is found, the core
 * clock is right, what is timed is long enough, and what is too short has no number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "probe/arch.h"

/* The simulated machine: each reading of a clock, and each chain, takes its time. */
static double now_s, true_hz, counter_hz, counter_step_s, system_step_s;
static bool invariant;
static const double READING_S = 23e-9;

static double stepped(double step_s) {
    now_s += READING_S;
    return floor(now_s / step_s + 1e-9) * step_s;
}

static uint64_t told_tick(void) {
    return (uint64_t)(stepped(counter_step_s) * counter_hz + 0.5);
}

static int told_time(struct timespec *out) {
    const uint64_t ns = (uint64_t)(stepped(system_step_s) * 1e9 + 0.5);
    *out = (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    return 0;
}

#define arch_tick               told_tick
#define clock_gettime(of, time) told_time(time)
#include "probe/clock.c"
#undef arch_tick
#undef clock_gettime

static void run_chain(uint64_t pieces) {
    now_s += (double)(pieces * CLOCK_PIECE_CYCLES) / true_hz;
}

static void run_noops(uint64_t pieces) {
    now_s += (double)(pieces * CLOCK_PIECE_NOOPS) / 4 / true_hz;
}

void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces) = {run_chain, run_chain, run_chain};
void (*const clock_noops)(uint64_t pieces) = run_noops;

bool clock_counter_is_invariant(void) {
    return invariant;
}

/* The clock within programs: time is the system's. */
#include "bench/collect/collect.h"

static uint64_t told_ns(void) {
    return (uint64_t)(stepped(system_step_s) * 1e9 + 0.5);
}

#define clock_ns told_ns
#include "bench/collect/pace.c"
#undef clock_ns

#include "bench/kernels/sample.h"
#include "bench/kernels/together.h"
#include "bench/programs/regions.h"
#include "tests/support/fixtures.h"

static const struct row {
    const char *name;
    double counter_hz, counter_step_s, system_step_s; /* no counter: the system's clock */
    bool fine;                                        /* 20 µs are 200 steps or more */
} ROWS[] = {{"3 GHz", 3e9, 1 / 3e9, 1e-9, true},      {"steps of 10 ns", 3.2e9, 10e-9, 1e-9, true},
            {"100 MHz", 100e6, 10e-9, 1e-9, true},    {"25 MHz", 25e6, 40e-9, 1e-9, true},
            {"24 MHz", 24e6, 1 / 24e6, 1e-9, true},   {"1 GHz in steps of 40 ns", 1e9, 40e-9, 40e-9, true},
            {"the system's, 1 ns", 0, 1, 1e-9, true}, {"the system's, 40 ns", 0, 1, 40e-9, true},
            {"the system's, 1 µs", 0, 1, 1e-6, false}};
enum { COUNT = sizeof ROWS / sizeof *ROWS };

static double step_of(const struct row *row) {
    return row->counter_hz > 0 ? row->counter_step_s : row->system_step_s;
}

static struct clock opened(const struct row *row, double hz) {
    struct clock clock;
    struct error err;
    now_s = 1000, true_hz = hz;
    counter_hz = row->counter_hz > 0 ? row->counter_hz : 1e9,
    counter_step_s = row->counter_hz > 0 ? step_of(row) : 1e-9;
    system_step_s = row->system_step_s;
    invariant = row->counter_hz > 0;
    if (!clock_open(&clock, &err))
        fail_msg("%s: %s", row->name, err.text);
    return clock;
}

/* The core clock is right within what it claims, and within 0.5 % (1 % of steps of 1 µs): its slices last long enough.
 */
static void steps_and_core_clocks(void **state) {
    (void)state;
    for (const struct row *row = ROWS; row < ROWS + COUNT; row++)
        for (double hz = 1.2e9; hz < 5.5e9; hz *= 1.3) {
            const struct clock clock = opened(row, hz);
            const double step_s = clock_step_s(&clock), least_s = step_of(row) > 2e-9 ? step_of(row) : 0;
            if (fabs(step_s - least_s) > 0.03 * least_s + 2e-9)
                fail_msg("%s: a step of %g s", row->name, step_s);
            if (fabs(clock.rest_hz / hz - 1) > fmin(clock.within, row->fine ? 0.005 : 0.01))
                fail_msg("%s: %g Hz instead of %g, within %g", row->name, clock.rest_hz, hz, clock.within);
            assert_true(clock.within < (row->fine ? 0.006 : 0.013));
            assert_false(clock.uncertain);
            assert_string_equal(clock_tick_source(&clock), row->counter_hz > 0 ? "the " ARCH_COUNTER : "CLOCK_MONOTONIC_RAW");
        }
}

/* A visit of 40 repetitions that truly last so long. */
static struct sample visited(const struct clock *clock, double seconds) {
    enum { REPETITIONS = 40 };
    struct repetition of[REPETITIONS];
    struct sample out = {.kind = SAMPLE_BANDWIDTH, .threads = 1};
    for (unsigned i = 0; i < REPETITIONS; i++) {
        now_s += 0.37e-6 * i; /* begins anywhere in a step */
        const uint64_t start = clock_tick(clock);
        now_s += seconds;
        const double taken_s = clock_seconds(clock, start, clock_tick(clock));
        const struct clock_reading reading = clock_read(clock);
        of[i] = (struct repetition){.seconds = taken_s,
                                    .team_s = taken_s,
                                    .clock_hz = reading.hz,
                                    .clock_spread = reading.spread,
                                    .noops_per_cycle = reading.noops_per_cycle};
    }
    sample_reduce(&out,
                  &(struct repetitions){.of = of,
                                        .count = REPETITIONS,
                                        .lanes = 1,
                                        .work = 1e6,
                                        .step_s = clock_step_s(clock),
                                        .clock_within = clock->within},
                  STATISTIC_UPPER_QUARTILE);
    return out;
}

static void visits_are_long_enough(void **state) {
    (void)state;
    for (const struct row *row = ROWS; row < ROWS + COUNT; row++) {
        const struct clock clock = opened(row, 2.6e9);
        const double short_s = clock_at_least_s(&clock, 50e-6); /* the shortest that a plan has */
        assert_true(row->fine ? short_s == 50e-6 : fabs(short_s - 500e-6) < 20e-6);
        const struct sample sample = visited(&clock, short_s);
        if (fabs(sample.value * (short_s + READING_S) / 1e6 - 1) > 0.003)
            fail_msg("%s: %g times the true rate", row->name, sample.value * short_s / 1e6);
        assert_false(doubts_has(sample.doubts, DOUBT_TOO_SHORT));
        assert_false(doubts_has(sample.doubts, DOUBT_CLOCK_UNKNOWN));
        assert_int_equal(doubts_has(visited(&clock, 150e-6).doubts, DOUBT_TOO_SHORT), !row->fine);
        assert_false(doubts_has(visited(&clock, 250e-6).doubts, DOUBT_TOO_SHORT));
        assert_true(doubts_has(visited(&clock, 19e-6).doubts, DOUBT_TOO_SHORT));
    }
}

/* A step is under 1 ns of a trip between neighbours, and 2 % of the shortest trip that pairs of CPUs have, 10 ns. */
static void trips_are_many_enough(void **state) {
    (void)state;
    for (const struct row *row = ROWS; row < ROWS + COUNT; row++) {
        const struct clock clock = opened(row, 2.6e9);
        const unsigned few = together_trips(&clock, 8, 10), many = together_trips(&clock, 150, 40);
        assert_true(step_of(row) / 2 / few < 0.7e-9);
        assert_true(step_of(row) / 2 / many < 0.14e-9);
        assert_true(few <= 9 || step_of(row) > 11e-9);
        assert_true(many <= 151 || step_of(row) > 41e-9);
    }
}

/* Nine of ten readings within a program agree with themselves, and their median is true. */
static void a_programs_clock(void **state) {
    (void)state;
    static const double STEPS_S[] = {1e-9, 10e-9, 40e-9, 1 / 24e6};
    true_hz = 2.6e9;
    for (size_t i = 0; i < sizeof STEPS_S / sizeof *STEPS_S; i++) {
        double hz[KEPT];
        size_t count = 0;
        system_step_s = STEPS_S[i];
        pace_forget();
        atomic_store(&found_times, 0);
        for (unsigned k = 0; k < KEPT; k++) {
            double slices_hz[CLOCK_SLICES];
            struct pace pace;
            now_s += 20.37e-3;
            pace_read();
            assert_true(pace_at(k, &pace));
            for (unsigned c = 0; c < CLOCK_SLICES; c++)
                slices_hz[c] = 1e9 * REGIONS_PACE_CYCLES / pace.ns[c];
            const struct clock_reading reading = clock_reading_of(slices_hz, CLOCK_SLICES);
            if (reading.spread <= 2 * CLOCK_AGREES)
                hz[count++] = reading.hz;
        }
        const double median_hz = sample_median(hz, count);
        if (count < KEPT * 9 / 10 || fabs(median_hz / true_hz - 1) > 0.002)
            fail_msg("steps of %g s: %zu of %d readings, %g Hz", STEPS_S[i], count, KEPT, median_hz);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_and_core_clocks),
        cmocka_unit_test(visits_are_long_enough),
        cmocka_unit_test(trips_are_many_enough),
        cmocka_unit_test(a_programs_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
