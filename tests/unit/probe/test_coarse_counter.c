/* SPDX-License-Identifier: BSD-3-Clause
 * The clock on simulated cores whose counter of time is coarse: of 24 MHz on Apple's cores, 25 on Altra, 100 on A64FX.
 * Time passes only by what probe/clock.c does, so the numbers are the same in every run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "probe/arch.h"

static struct {
    double now_ns, counter_hz, core_hz;
    double slower[3]; /* how much longer each chain takes than its cycles at this clock */
} core;

static uint64_t coarse_tick(void) {
    enum { READING_NS = 17 };
    core.now_ns += READING_NS;
    return (uint64_t)floor(core.now_ns * 1e-9 * core.counter_hz);
}

static int simulated_time(clockid_t id, struct timespec *out) {
    enum { READING_NS = 23, NS = 1000000000 };
    (void)id;
    core.now_ns += READING_NS;
    *out = (struct timespec){(time_t)(core.now_ns / NS), (long)fmod(core.now_ns, NS)};
    return 0;
}

#define arch_tick     coarse_tick
#define clock_gettime simulated_time
#include "probe/clock.c"

static void run(double cycles) {
    core.now_ns += cycles / core.core_hz * 1e9;
}
static void run_first(uint64_t pieces) {
    run((double)pieces * CLOCK_PIECE_CYCLES * core.slower[0]);
}
static void run_second(uint64_t pieces) {
    run((double)pieces * CLOCK_PIECE_CYCLES * core.slower[1]);
}
static void run_third(uint64_t pieces) {
    run((double)pieces * CLOCK_PIECE_CYCLES * core.slower[2]);
}
static void run_noops(uint64_t pieces) {
    run((double)pieces * CLOCK_PIECE_NOOPS / 8);
}
void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces) = {run_first, run_second, run_third};
void (*const clock_noops)(uint64_t pieces) = run_noops;
bool clock_counter_is_invariant(void) {
    return true;
}

static struct clock opened(double counter_hz, double core_hz) {
    struct clock clock;
    struct error err;
    core.counter_hz = counter_hz;
    core.core_hz = core_hz;
    if (!clock_open(&clock, &err))
        fail_msg("%s", err.text);
    return clock;
}

/* Two chains agree, as adds and selects do; the third is slower, as additions of floats are on an A64FX. */
static void every_counter_shows_the_clock(void **state) {
    (void)state;
    static const double COUNTERS_HZ[] = {19.2e6, 24e6, 25e6, 54e6, 100e6, 121.875e6, 1e9},
                        CORES_HZ[] = {1e9, 1.8e9, 2.6e9, 3.3e9, 4.5e9};
    memcpy(core.slower, (double[]){1, 4.5, 1}, sizeof core.slower);
    for (size_t i = 0; i < sizeof COUNTERS_HZ / sizeof COUNTERS_HZ[0]; i++)
        for (size_t j = 0; j < sizeof CORES_HZ / sizeof CORES_HZ[0]; j++) {
            const struct clock clock = opened(COUNTERS_HZ[i], CORES_HZ[j]);
            assert_true(clock.uses_tsc && !clock.uncertain && clock.doubt[0] == '\0');
            assert_true(fabs(clock.tick_hz / COUNTERS_HZ[i] - 1) < 1e-4);
            assert_true(clock.within < 0.007);
            assert_true(fabs(clock.noops_per_cycle / 8 - 1) < 0.01);
            if (fabs(clock.rest_hz / CORES_HZ[j] - 1) > 0.004)
                fail_msg("%g Hz by a counter of %g Hz: %g Hz", CORES_HZ[j], COUNTERS_HZ[i], clock.rest_hz);
            for (int r = 0; r < 100; r++) { /* each counts: the two fastest slices agree */
                const struct clock_reading reading = clock_read(&clock);
                assert_true(reading.spread <= CLOCK_AGREES);
                assert_true(fabs(reading.hz / CORES_HZ[j] - 1) < clock.within + CLOCK_AGREES);
            }
        }
}

static void chains_that_disagree_are_doubted(void **state) {
    (void)state;
    memcpy(core.slower, (double[]){1, 2.5, 1.5}, sizeof core.slower);
    const struct clock clock = opened(25e6, 3e9);
    assert_true(clock.uncertain && fabs(clock.rest_hz / 3e9 - 1) < 0.01);
    assert_non_null(strstr(clock.doubt, ARCH_LAST_CHAIN));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_counter_shows_the_clock),
        cmocka_unit_test(chains_that_disagree_are_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
