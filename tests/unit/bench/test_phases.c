/* SPDX-License-Identifier: BSD-3-Clause
 * Phases of made-up programs: where what they do changes, through noise; phases of one kind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/programs/phases.h"

enum { MOST = 1000 };
static const double BIN_S = 0.01;

struct made_course {
    size_t count;
    uint64_t chance;
    struct phase_bin bins[MOST];
    size_t found;
    struct phase phases[MOST];
};

/* From 0 to 1, always the same ones. */
static double chance(struct made_course *course) {
    course->chance = course->chance * 6364136223846793005 + 1442695040888963407;
    return (double)(course->chance >> 11) / 9007199254740992.0;
}

/* `noise`: by which part rates vary. Without CPU time it sleeps. */
static void add(struct made_course *course, size_t bins, double cpu, double flop_per_s, double bytes_per_s,
                unsigned place, double noise) {
    for (size_t i = 0; i < bins; i++) {
        struct phase_bin *bin = &course->bins[course->count++];
        const double varied = 1 + noise * (2 * chance(course) - 1);
        *bin = (struct phase_bin){.cpu_s = cpu * BIN_S, .active_s = cpu * BIN_S};
        bin->flop = flop_per_s * bin->cpu_s * varied;
        bin->bytes = bytes_per_s * bin->cpu_s * varied;
        bin->instructions = 2e9 * bin->cpu_s;
        bin->mix[CLASS_MOVE] = bin->instructions;
        bin->places_s[place] = bin->cpu_s;
    }
}

static void find(struct made_course *course) {
    course->found = phases_find(course->bins, course->count, BIN_S, course->phases, MOST);
}

static void assert_border(const struct made_course *course, size_t phase, size_t first) {
    assert_true(phase < course->found);
    if (course->phases[phase].first != first)
        fail_msg("phase %zu begins at %zu instead of %zu", phase, course->phases[phase].first, first);
}

static struct made_course *begin(void) {
    struct made_course *course = calloc(1, sizeof *course);
    assert_non_null(course);
    return course;
}

static void compute_stream_sleep(void **state) {
    (void)state;
    struct made_course *course = begin();
    add(course, 30, 1, 8e9, 1e6, 0, 0.1);
    add(course, 30, 1, 1e9, 12e9, 1, 0.1);
    add(course, 30, 0, 0, 0, 2, 0);
    find(course);
    assert_int_equal(course->found, 3);
    assert_border(course, 1, 30);
    assert_border(course, 2, 60);
    assert_int_equal(course->phases[2].end, 90);
    assert_int_equal(course->phases[2].kind, 2);
    free(course);
}

/* Rates and sampled functions vary by chance. */
static void steady_programs_have_one(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct made_course *course = begin();
        course->chance = seed;
        for (unsigned i = 0; i < 100; i++) {
            add(course, 1, 0.3 + 0.7 * chance(course), 8e9 * chance(course), 1e9 * chance(course),
                (unsigned)(8 * chance(course)), 0);
            course->bins[i].mix[chance(course) < 0.5 ? CLASS_MOVE : CLASS_INTEGER] *= 2;
        }
        find(course);
        assert_int_equal(course->found, 1);
        free(course);
    }
    struct made_course *course = begin();
    add(course, 1, 1, 1, 1, 0, 0);
    find(course);
    assert_int_equal(course->found, 1);
    free(course);
}

/* The same code with other data, and other code with the same rates. */
static void each_feature_counts(void **state) {
    (void)state;
    static const struct {
        double cpu, flop, bytes;
        unsigned place;
        size_t found;
    } rows[] = {
        {1, 8e9, 1e9, 0, 1}, {1, 5e9, 0.6e9, 0, 2}, {1, 8e9, 0.5e9, 0, 2}, {1, 8e9, 1e9, 1, 2}, {0.5, 8e9, 1e9, 0, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made_course *course = begin();
        add(course, 50, 1, 8e9, 1e9, 0, 0.05);
        add(course, 50, rows[i].cpu, rows[i].flop, rows[i].bytes, rows[i].place, 0.05);
        find(course);
        assert_int_equal(course->found, rows[i].found);
        if (course->found == 2)
            assert_border(course, 1, 50);
        free(course);
    }
}

/* One bin in which another program disturbed it is no phase. */
static void short_disturbances(void **state) {
    (void)state;
    for (size_t around = 6; around < 100; around *= 3) {
        struct made_course *course = begin();
        add(course, around, 1, 8e9, 1e9, 0, 0.05);
        add(course, 1, 0.2, 8e9, 1e9, 0, 0);
        add(course, around, 1, 8e9, 1e9, 0, 0.05);
        find(course);
        assert_int_equal(course->found, 1);
        free(course);
    }
}

/* Waiting threads so seen, as shares of the last bins. */
static void wait_for(struct made_course *course, size_t bins, enum wait_kind kind, double threads) {
    for (size_t i = course->count - bins; i < course->count; i++)
        course->bins[i].waits_s[kind] = threads * BIN_S;
}

/* A thread waits for another thing, while nothing runs, or half of the time; others wait all the time. */
static void causes_of_waits_part_phases(void **state) {
    (void)state;
    static const struct {
        double cpu;
        enum wait_kind first, second;
        double threads; /* that wait for locks in both */
        size_t found;
    } rows[] = {{0, WAIT_SLEEP, WAIT_SLEEP, 0, 1},    {0, WAIT_SLEEP, WAIT_LOCKS, 0, 2},
                {0, WAIT_FILES, WAIT_SLEEP, 3, 2},    {0.5, WAIT_FILES, WAIT_SLEEP, 0, 2},
                {0, WAIT_CHILDREN, WAIT_PIPES, 1, 2}, {1, WAIT_FILES, WAIT_SLEEP, 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct made_course *course = begin();
        add(course, 100, rows[i].cpu, 8e9, 1e9, 0, 0);
        wait_for(course, 100, rows[i].first, 1 - rows[i].cpu / 2);
        add(course, 100, rows[i].cpu, 8e9, 1e9, 0, 0);
        wait_for(course, 100, rows[i].second, 1 - rows[i].cpu / 2);
        if (rows[i].threads > 0)
            wait_for(course, 200, WAIT_LOCKS, rows[i].threads);
        find(course);
        if (course->found != rows[i].found)
            fail_msg("row %zu has %zu phases", i, course->found);
        if (course->found == 2)
            assert_border(course, 1, 100);
        free(course);
    }
}

/* Looks by chance find a thread that now runs, now waits: each stands for two bins. */
static void waits_by_chance_are_no_phases(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct made_course *course = begin();
        course->chance = seed;
        for (unsigned i = 0; i < 100; i++) {
            add(course, 2, 0.5, 8e9, 1e9, 0, 0.1);
            wait_for(course, 2, chance(course) < 0.5 ? WAIT_PIPES : WAIT_EVENTS, chance(course) < 0.5);
        }
        find(course);
        assert_int_equal(course->found, 1);
        free(course);
    }
}

static void alike_phases_are_of_one_kind(void **state) {
    (void)state;
    struct made_course *course = begin();
    for (unsigned i = 0; i < 8; i++) {
        add(course, 30, 1, 8e9, 1e6, 0, 0.1);
        add(course, 30, 1, 1e9, 12e9, 1, 0.1);
    }
    find(course);
    assert_int_equal(course->found, 16);
    for (size_t i = 0; i < course->found; i++)
        assert_int_equal(course->phases[i].kind, i % 2);
    course->found = phases_find(course->bins, course->count, BIN_S, course->phases, 5);
    assert_true(course->found <= 5);
    free(course);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compute_stream_sleep),          cmocka_unit_test(steady_programs_have_one),
        cmocka_unit_test(each_feature_counts),           cmocka_unit_test(short_disturbances),
        cmocka_unit_test(alike_phases_are_of_one_kind),  cmocka_unit_test(causes_of_waits_part_phases),
        cmocka_unit_test(waits_by_chance_are_no_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
