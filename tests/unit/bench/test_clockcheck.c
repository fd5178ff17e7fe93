/* SPDX-License-Identifier: BSD-3-Clause
 * The clock's history as figures: medians, disagreement, turbo steps, throttling; and the interleaved chains take the
 * designed number of cycles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "bench/kernels/clockcheck.h"
#include "bench/kernels/sample.h"
#include "asm/interleaved_chain.h"
#include "probe/error.h"
#include "probe/isa.h"
#include "probe/machine.h"

enum { POINTS = 400 };

/* A history of two alternating loads; the second one's clock is from the table. */
static void fill(struct clock_history *history, struct clock_point *points, const double *hz, size_t count) {
    *history = (struct clock_history){
        .count = 2 * count, .points = points, .load_count = 2, .loads = {{.name = "at rest"}, {.name = "load"}}};
    for (size_t i = 0; i < count; i++) {
        points[2 * i] = (struct clock_point){.at_s = 0.001 * (double)i, .load = 0, .slices_hz = 3e9};
        points[2 * i + 1] =
            (struct clock_point){.at_s = 0.001 * (double)i, .load = 1, .slices_hz = hz[i], .woven_hz = hz[i]};
    }
}

static void a_steady_clock(void **state) {
    (void)state;
    struct clock_point points[2 * POINTS];
    struct clock_history history;
    double hz[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        hz[i] = 2.8e9;
    fill(&history, points, hz, POINTS);
    clockcheck_summarise(&history);
    assert_true(fabs(history.loads[0].slices_hz - 3e9) < 1);
    assert_true(history.loads[0].woven_hz == 0);
    assert_true(fabs(history.loads[1].slices_hz - 2.8e9) < 1 && fabs(history.loads[1].woven_hz - 2.8e9) < 1);
    assert_int_equal(history.loads[1].count, POINTS);
    assert_int_equal(history.loads[1].step_count, 1);
    assert_true(fabs(history.loads[1].steps_hz[0] - 2.8e9) < 1);
    assert_true(history.loads[1].disagreement < 1e-9);
    assert_false(history.loads[1].throttled);
}

static void steps_and_outliers(void **state) {
    (void)state;
    struct clock_point points[2 * POINTS];
    struct clock_history history;
    double hz[POINTS];
    for (size_t i = 0; i < POINTS; i++) /* two alternating steps, and one point in a hundred off both */
        hz[i] = i % 100 == 0 ? 1e9 : i % 2 ? 3.6e9 : 3.7e9;
    fill(&history, points, hz, POINTS);
    clockcheck_summarise(&history);
    const struct clock_load *load = &history.loads[1];
    assert_int_equal(load->step_count, 2);
    assert_true(fabs(load->steps_hz[0] - 3.6e9) < 1e6 && fabs(load->steps_hz[1] - 3.7e9) < 1e6);
    assert_true(load->min_hz > 3.5e9 && load->max_hz < 3.8e9);
    assert_false(load->throttled);
}

static void throttling(void **state) {
    (void)state;
    struct clock_point points[2 * POINTS];
    struct clock_history history;
    double hz[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        hz[i] = 3.5e9 - (double)i * 1e6;
    fill(&history, points, hz, POINTS);
    clockcheck_summarise(&history);
    assert_true(history.loads[1].throttled);
    assert_false(history.loads[0].throttled);
}

/* A clock that is read after the load and is not the load's clock: the purpose of the check. */
static void a_hidden_clock(void **state) {
    (void)state;
    struct clock_point points[2 * POINTS];
    struct clock_history history;
    double hz[POINTS];
    for (size_t i = 0; i < POINTS; i++)
        hz[i] = i % 2 ? 3.0e9 : 3.4e9;
    fill(&history, points, hz, POINTS);
    for (size_t i = 0; i < POINTS; i++)
        points[2 * i + 1].woven_hz = 0.93 * hz[i];
    points[1].slices_hz = 0; /* slices that disagree are not compared */
    clockcheck_summarise(&history);
    assert_true(fabs(history.loads[1].disagreement - 0.07) < 1e-9);
    assert_int_equal(history.loads[1].count, POINTS - 1);
}

static void nothing_to_summarise(void **state) {
    (void)state;
    struct clock_history history = {.load_count = 1, .loads = {{.name = "at rest"}}};
    clockcheck_summarise(&history);
    assert_int_equal(history.loads[0].count, 0);
    assert_true(history.loads[0].slices_hz == 0 && history.loads[0].disagreement == 0);
}

/* The interleaved loop's time against an add chain's, which takes one cycle per add: within 20 %, because other
 * programs run, too. */
static void interleaved_work_takes_its_chain(void **state) {
    (void)state;
    struct clock clock;
    struct error err;
    struct machine machine;
    assert_true(machine_load(&machine, NULL, &err) && clock_open(&clock, &err));
    for (size_t i = 0; i < interleaved_chain_count; i++) {
        if (!machine_has(&machine, interleaved_chain_table[i].needs))
            continue;
        double cycles[200];
        for (int round = 0; round < 200; round++) {
            uint64_t start = clock_tick(&clock);
            interleaved_chain_table[i].run(100);
            uint64_t end = clock_tick(&clock);
            cycles[round] = clock_seconds(&clock, start, end) * clock_read(&clock).hz;
        }
        double median = sample_statistics(cycles, 200).median; /* single readings of the clock may be off */
        assert_true(median > 0.9 * 100 * interleaved_chain_table[i].chain_cycles);
    }
    machine_free(&machine);
}

/* However short the time of each. */
static void each_load_has_its_turn(void **state) {
    (void)state;
    struct clock clock;
    struct error err;
    struct machine machine;
    struct clock_history history;
    assert_true(machine_load(&machine, NULL, &err) && clock_open(&clock, &err));
    assert_true(clockcheck_run(&history, &machine, &clock, 0.01, NULL, &err));
    assert_true(history.load_count > 1);
    for (unsigned load = 0; load < history.load_count; load++) {
        size_t points = 0;
        for (size_t i = 0; i < history.count; i++)
            points += history.points[i].load == load;
        assert_true(points > 0);
    }
    clockcheck_free(&history);
    machine_free(&machine);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_steady_clock),
        cmocka_unit_test(steps_and_outliers),
        cmocka_unit_test(throttling),
        cmocka_unit_test(a_hidden_clock),
        cmocka_unit_test(nothing_to_summarise),
        cmocka_unit_test(interleaved_work_takes_its_chain),
        cmocka_unit_test(each_load_has_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
