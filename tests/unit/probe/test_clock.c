/* SPDX-License-Identifier: BSD-3-Clause
 * A reading of the clock from its slices, and what clock_open() reports about the clock of any host. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/clock.h"
#include "tests/support/emulated.h"
#include "tests/support/fixtures.h"

static void the_fastest_slice_is_the_clock(void **state) {
    (void)state;
    static const struct {
        unsigned count;
        double slices_hz[CLOCK_SLICES], hz, spread;
    } rows[] = {
        {3, {2e9, 2e9, 2e9}, 2e9, 0},
        {3, {1.5e9, 1.99e9, 2e9}, 2e9, 0.005}, /* the first one is cold */
        {3, {2e9, 1.99e9, 1.5e9}, 2e9, 0.005},
        {3, {1.99e9, 2e9, 1.5e9}, 2e9, 0.005},
        {3, {2e9, 0.1e9, 2e9}, 2e9, 0},    /* interrupted in the middle */
        {3, {1e9, 2e9, 1.5e9}, 2e9, 0.25}, /* nothing confirms the fastest */
        {2, {1.9e9, 2e9, 9e9}, 2e9, 0.05}, /* only the first two count */
        {1, {2e9, 2e9, 2e9}, 2e9, 1},      /* a single slice agrees with no other */
        {3, {2e9, -3e9, -1e9}, 2e9, 1},    /* a tick that jumped */
        {3, {0, 0, 0}, 0, 0},              /* and no infinity */
        {0, {2e9, 2e9, 2e9}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct clock_reading reading = clock_reading_of(rows[i].slices_hz, rows[i].count);
        if (reading.hz != rows[i].hz || fabs(reading.spread - rows[i].spread) > 1e-12)
            fail_msg("row %zu: %g Hz, spread %g", i, reading.hz, reading.spread);
    }
}

/* Bounds that hold by construction on any host, however busy. */
static void what_is_known_of_the_clock(void **state) {
    (void)state;
    struct clock clock;
    struct error err;
    if (!clock_open(&clock, &err))
        fail_msg("%s", err.text);
    assert_true(clock.tick_hz > 1e6 && clock.tick_hz < 1e11);
    assert_true(clock.uses_tsc || clock.tick_hz == 1e9);
    assert_true(clock.step_ticks >= 1);
    assert_true(clock.overhead_ticks >= 0);       /* 0: far less than a step */
    assert_in_range(clock.slice_pieces, 8, 2400); /* 100 µs of a core of 6 GHz */
    assert_true(clock.within > 0 && clock.within < 0.5);
    assert_true(isfinite(clock.rest_hz) && clock.rest_hz > 0);
    for (unsigned c = 0; c < CLOCK_SLICES; c++)
        assert_true(isfinite(clock.chain_hz[c]) && clock.chain_hz[c] > 0);
    if (clock.uncertain && clock.uses_tsc) {
        char readings[64];
        snprintf(readings, sizeof readings, "%.3f, %.3f and %.3f GHz", clock.chain_hz[0] / 1e9, clock.chain_hz[1] / 1e9,
                 clock.chain_hz[2] / 1e9);
        assert_contains(clock.doubt, "clock uncertain");
        assert_contains(clock.doubt, readings);
    } else {
        assert_true((clock.doubt[0] == 0) == clock.uses_tsc);
    }
}

static void readings_are_numbers(void **state) {
    (void)state;
    struct clock clock;
    struct error err;
    if (!clock_open(&clock, &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < 100; i++) {
        const struct clock_reading reading = clock_read(&clock);
        assert_true(isfinite(reading.hz) && reading.hz > 0);
        assert_true(reading.spread >= 0 && reading.spread <= 1);
        if (!emulated())                                                              /* which leaves no-ops out */
            assert_true(reading.noops_per_cycle > 0 && reading.noops_per_cycle < 16); /* no core renames as many */
    }
    const uint64_t start = clock_tick(&clock), end = clock_tick(&clock);
    assert_true(end >= start);
    assert_near(clock_seconds(&clock, 1000, 1000 + (uint64_t)clock.tick_hz),
                (double)(uint64_t)clock.tick_hz / clock.tick_hz);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_slice_is_the_clock),
        cmocka_unit_test(what_is_known_of_the_clock),
        cmocka_unit_test(readings_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
