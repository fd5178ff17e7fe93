/* SPDX-License-Identifier: BSD-3-Clause
 * Changes in made-up series: noise has none, and planted changes are found at their place. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carm/soak/series.h"

enum { MOST = 6000 };
static const double PI = 3.14159265358979323846, LEAST = 1; /* 1 % of a median of 100 */
static double at_s[MOST], values[MOST];
static uint64_t random_state;

static double uniform(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void) {
    return sqrt(-2 * log(uniform())) * cos(2 * PI * uniform());
}

/* Heavier tails: one in twenty values is disturbed, and lower by up to ten standard deviations. */
static double disturbed(void) {
    return uniform() < 0.05 ? -10 * uniform() : normal();
}

/* Two states, like a core whose neighbour is sometimes busy. */
static double two_states(void) {
    return (uniform() < 0.3 ? -6 : 0) + 0.3 * normal();
}

/* Up and down every 25 rounds: a change that reverts is scatter. */
static double waves(void) {
    static size_t round;
    return 3 * sin(2 * PI * (double)round++ / 25) + 0.5 * normal();
}

static double last_of_wandering;
static double wandering(void) {
    last_of_wandering = 0.8 * last_of_wandering + 0.6 * normal();
    return last_of_wandering;
}

/* Repetitions of kernels on a busy host (tests/noise), in percent, drawn at random. */
static double recorded[20000];
static size_t recorded_count;
static double of_busy_host(void) {
    return recorded[(size_t)(uniform() * (double)recorded_count)];
}

static int read_recorded(void **state) {
    (void)state;
    FILE *file = fopen("tests/noise/busy_host.txt", "r");
    char line[256];
    double kernel = 0, beyond;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "visit %*s %*s %*s %*s %*s %lf", &kernel) != 1 && kernel > 0 && recorded_count < 20000 &&
            sscanf(line, "%lf", &beyond) == 1)
            recorded[recorded_count++] = 100 * (kernel / (kernel + beyond) - 1);
    return !file || fclose(file) != 0 || recorded_count < 1000;
}

/* A round every 5 s about 100, with this noise. */
static struct timeline noise(size_t count, double (*of)(void), double deviation, uint64_t seed) {
    random_state = seed;
    last_of_wandering = 0;
    for (size_t i = 0; i < count; i++) {
        at_s[i] = 5 * (double)i + uniform();
        values[i] = 100 + deviation * of();
    }
    return (struct timeline){count, at_s, values};
}

static size_t alarms(size_t series_count, size_t count, double (*of)(void), double deviation) {
    size_t steps = 0, drifts = 0, any = 0;
    for (size_t s = 0; s < series_count; s++) {
        const struct timeline series = noise(count, of, deviation, 1000 * s + 17);
        const struct series_changes changes = series_changes_find(&series, 0);
        steps += changes.step_count > 0;
        drifts += changes.drifts;
        any += changes.step_count > 0 || changes.drifts;
    }
    if (any)
        print_message("%zu values: of %zu series: steps in %zu, drift in %zu\n", count, series_count, steps, drifts);
    return any;
}

/* Noise of any size: `least` is 0. */
static void noise_does_not_change(void **state) {
    (void)state;
    static const struct {
        size_t series, count;
        double (*of)(void);
        size_t most; /* alarms */
    } NOISES[] = {
        {1000, 16, normal, 1},     {1000, 30, normal, 1},       {1000, 120, normal, 1},   {1000, 100, disturbed, 1},
        {1000, 60, two_states, 1}, {1000, 60, of_busy_host, 1}, {300, 120, wandering, 6}, {20, 1500, normal, 0},
        {20, 1500, two_states, 0}, {20, 600, waves, 0},         {20, 1500, wandering, 1}, {5, MOST, of_busy_host, 0},
    };
    size_t bad = 0;
    for (size_t i = 0; i < sizeof NOISES / sizeof NOISES[0]; i++)
        bad += alarms(NOISES[i].series, NOISES[i].count, NOISES[i].of, 1) > NOISES[i].most;
    assert_int_equal(bad, 0);
}

static void assert_step(const struct series_changes *changes, size_t i, size_t at, size_t count, double size) {
    const double within_s = 15 + 10 * (double)(count / 360);
    assert_true(changes->step_count > i);
    assert_true(fabs(changes->steps[i].at_s - 5 * (double)at) <= within_s);
    assert_true(fabs(changes->steps[i].to - changes->steps[i].from - size) < 0.35 * fabs(size) + 0.3);
}

static void steps_are_found(void **state) {
    (void)state;
    static const struct {
        size_t count, at, end;
        double deviation, size;
    } STEPS[] = {
        {200, 90, 200, 0.5, -6},  {200, 20, 200, 1, 5},      {200, 185, 200, 0.5, -3},  {24, 12, 24, 0.5, -6},
        {720, 300, 340, 0.7, -5}, {4000, 2500, 4000, 1, -2}, {4000, 1000, 1100, 1, -6}, {60, 25, 33, 0.5, -10},
    };
    for (size_t s = 0; s < sizeof STEPS / sizeof STEPS[0]; s++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            const struct timeline series = noise(STEPS[s].count, normal, STEPS[s].deviation, seed);
            for (size_t i = STEPS[s].at; i < STEPS[s].end; i++)
                values[i] += STEPS[s].size;
            const struct series_changes changes = series_changes_find(&series, LEAST);
            assert_step(&changes, 0, STEPS[s].at, STEPS[s].count, STEPS[s].size);
            assert_int_equal(changes.step_count, STEPS[s].end < STEPS[s].count ? 2 : 1);
            if (STEPS[s].end < STEPS[s].count)
                assert_step(&changes, 1, STEPS[s].end, STEPS[s].count, -STEPS[s].size);
            assert_false(changes.drifts);
        }
}

/* 2 % in an hour, with noise of 0.5 %: no steps, and the interval contains it. */
static void drifts_are_found(void **state) {
    (void)state;
    unsigned held = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        const struct timeline series = noise(720, normal, 0.5, seed);
        for (size_t i = 0; i < series.count; i++)
            values[i] -= 2 * at_s[i] / 3600;
        const struct series_changes changes = series_changes_find(&series, LEAST);
        assert_true(changes.drifts);
        assert_int_equal(changes.step_count, 0);
        assert_true(fabs(3600 * changes.per_s + 2) < 0.3);
        assert_true(changes.per_s_low < changes.per_s && changes.per_s < changes.per_s_high);
        held += 3600 * changes.per_s_low < -2 && 3600 * changes.per_s_high > -2;
    }
    assert_in_range(held, 30, 40); /* 90 % */
}

static void steep_drifts_are_no_steps(void **state) {
    (void)state;
    const struct timeline series = noise(400, normal, 0.5, 3);
    for (size_t i = 0; i < series.count; i++)
        values[i] -= 30 * (double)i / 400;
    const struct series_changes changes = series_changes_find(&series, LEAST);
    assert_true(changes.drifts);
    assert_int_equal(changes.step_count, 0);
}

static void drift_beside_a_step(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const struct timeline series = noise(720, normal, 0.5, seed);
        for (size_t i = 0; i < series.count; i++)
            values[i] += 1.5 * at_s[i] / 3600 - (i >= 400 ? 8 : 0);
        const struct series_changes changes = series_changes_find(&series, LEAST);
        assert_int_equal(changes.step_count, 1);
        assert_true(fabs(changes.steps[0].at_s - 2000) <= 20);
        assert_true(changes.drifts);
        assert_true(fabs(3600 * changes.per_s - 1.5) < 0.4);
    }
}

static void what_is_small_or_single_is_passed_over(void **state) {
    (void)state;
    struct timeline series = noise(300, normal, 0.1, 5);
    for (size_t i = 100; i < series.count; i++)
        values[i] += 0.6;
    assert_int_equal(series_changes_find(&series, LEAST).step_count, 0);
    assert_int_equal(series_changes_find(&series, 0.3).step_count, 1);
    series = noise(300, normal, 0.5, 6);
    values[50] = values[51] = 40, values[200] = 500;
    const struct series_changes changes = series_changes_find(&series, LEAST);
    assert_true(changes.step_count == 0 && !changes.drifts);
    assert_true(changes.low == 40 && changes.high == 500);
    assert_true(fabs(changes.median - 100) < 0.3);
}

static void few_missing_and_equal_values(void **state) {
    (void)state;
    struct timeline series = noise(15, normal, 0.5, 5);
    assert_false(series_changes_find(&series, LEAST).judged);
    series = (struct timeline){0, at_s, values};
    assert_int_equal(series_changes_find(&series, LEAST).count, 0);
    series = noise(200, normal, 0.5, 5);
    for (size_t i = 0; i < series.count; i++)
        values[i] = i % 3 == 0 ? NAN : values[i] - (i >= 100 ? 5 : 0);
    const struct series_changes changes = series_changes_find(&series, LEAST);
    assert_int_equal(changes.count, 133);
    assert_int_equal(changes.step_count, 1);
    for (size_t i = 0; i < series.count; i++)
        values[i] = 7, at_s[i] = 3; /* all at the same time */
    const struct series_changes equal = series_changes_find(&series, 0);
    assert_true(equal.step_count == 0 && !equal.drifts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_does_not_change),
        cmocka_unit_test(steps_are_found),
        cmocka_unit_test(drifts_are_found),
        cmocka_unit_test(steep_drifts_are_no_steps),
        cmocka_unit_test(drift_beside_a_step),
        cmocka_unit_test(what_is_small_or_single_is_passed_over),
        cmocka_unit_test(few_missing_and_equal_values),
    };
    return cmocka_run_group_tests(tests, read_recorded, NULL);
}
