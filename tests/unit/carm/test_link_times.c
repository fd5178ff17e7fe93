/* SPDX-License-Identifier: BSD-3-Clause
 * The time that each link would need alone: round numbers, and the forms of tests/golden/files/levels.json on a
 * measured machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/link_times.h"
#include "tests/support/fixtures.h"

/* One core of two caches: the measured rate of each pattern, in bytes that the core requests. */
static const struct sample ROWS[] = {
    {.kernel = "avx2.f64.fma", .value = 64e9},
    {.kernel = "scalar.f64.fma", .value = 8e9},
    {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .value = 200e9},
    {.kernel = "scalar.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .value = 50e9},
    {.kernel = "avx2.load", .level = "L2", .kind = SAMPLE_BANDWIDTH, .value = 100e9},
    {.kernel = "avx2.store", .level = "L2", .kind = SAMPLE_BANDWIDTH, .value = 40e9},
    {.kernel = "avx2.load", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .value = 20e9},
    {.kernel = "avx2.2ld1st", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .value = 15e9},
    {.kernel = "avx2.ntstore", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .value = 24e9},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };
static struct sample samples[ROW_COUNT];
static struct result result;
static struct model model;

static int build(void **state) {
    (void)state;
    memcpy(samples, ROWS, sizeof samples);
    for (size_t i = 0; i < ROW_COUNT; i++)
        samples[i].threads = 1;
    result = (struct result){.sample_count = ROW_COUNT, .samples = samples, .kind_count = 1};
    result.machine = (struct machine){.core_count = 1, .kind_count = 1};
    result.levels[0].count = 3;
    for (unsigned i = 0; i < 3; i++)
        strcpy(result.levels[0].level[i].name, (const char *const[]){"L1", "L2", "DRAM"}[i]);
    model = model_build(&result);
    return 0;
}

static int drop(void **state) {
    (void)state;
    model_free(&model);
    return 0;
}

/* A second of wide code that requests 100 GB and does 8 Gflop. */
static struct app_point program(void) {
    struct app_point point = {.threads = 1,
                              .seconds = {.n = 1, .median = 1},
                              .flop = {.n = 1, .median = 8e9},
                              .flop_source = SOURCE_COUNTED,
                              .load_bytes = {.n = 1, .median = 100e9},
                              .bytes_source = SOURCE_COUNTED,
                              .has_count = true};
    point.count.flop[COUNT_F64][COUNT_256] = point.count.fused_flop = 8000000000;
    point.levels.links = 3;
    point.levels.link[0] = (struct point_link){.load_bytes = 100e9};
    point.levels.link[1] = (struct point_link){.level = 1, .load_bytes = 50e9};
    point.levels.link[2] = (struct point_link){.level = 2, .load_bytes = 6e9};
    return point;
}

static void assert_link(const struct link_times *times, unsigned i, const char *name, const char *kernel,
                        double seconds) {
    assert_string_equal(times->link[i].name, name);
    assert_non_null(times->link[i].roof);
    assert_string_equal(times->link[i].roof->sample->kernel, kernel);
    assert_string_equal(times->link[i].roof->sample->level, times->link[i].level);
    assert_near(times->link[i].seconds, seconds);
}

static void each_link_by_its_own_roof(void **state) {
    (void)state;
    struct app_point point = program();
    struct link_times times = link_times_find(&model, &point);
    assert_int_equal(times.count, 3);
    assert_link(&times, 0, "core ⇄ L1", "avx2.load", 0.5);
    assert_link(&times, 1, "L1 ⇄ L2", "avx2.load", 0.5);
    assert_link(&times, 2, "L2 ⇄ DRAM", "avx2.load", 0.3);
    assert_near(times.ceiling_seconds, 8.0 / 64);
    assert_int_equal(times.longest, 0); /* among equal ones the innermost */
    assert_int_equal(times.second, 1);
    assert_near(times.link[2].flop_per_byte, 8.0 / 6);
    point.seconds.median = 2;
    times = link_times_find(&model, &point);
    assert_near(link_times_share(&times, times.longest), 0.25);
    assert_near(link_times_share(&times, LINK_TIMES_CEILING), 1.0 / 16);
}

/* Requested and transferred bytes of a pattern differ: a store fetches its line, and writes it back. */
static void traffic_against_traffic(void **state) {
    (void)state;
    struct app_point point = program();
    point.levels.link[1] = (struct point_link){.level = 1, .allocate_bytes = 20e9, .write_back_bytes = 20e9};
    point.levels.link[2] = (struct point_link){.level = 2, .load_bytes = 3e9, .write_back_bytes = 1e9};
    struct link_times times = link_times_find(&model, &point);
    assert_link(&times, 1, "L1 ⇄ L2", "avx2.store", 0.5);
    assert_link(&times, 2, "L2 ⇄ DRAM", "avx2.2ld1st", 0.2); /* 15e9 requested are 20e9 transferred */
    point.levels.link[2] = (struct point_link){.level = 2, .nontemporal_bytes = 12e9};
    times = link_times_find(&model, &point);
    assert_link(&times, 2, "L2 ⇄ DRAM", "avx2.ntstore", 0.5);
}

/* Cache lines evicted into an outer level count in the bytes, and the pattern's time includes them already. */
static void victims_take_no_time_of_their_own(void **state) {
    (void)state;
    struct app_point point = program();
    point.levels.link[1].victim_bytes = 50e9;
    const struct link_times times = link_times_find(&model, &point);
    assert_link(&times, 1, "L1 ⇄ L2", "avx2.load", 0.5);
    assert_near(times.link[1].bytes, 100e9);
    assert_near(times.link[1].allowed_bytes_per_s, 200e9);
    assert_near(times.link[1].bytes / times.link[1].allowed_bytes_per_s, times.link[1].seconds);
}

static void near_the_core_width_counts(void **state) {
    (void)state;
    struct app_point point = program();
    point.count.flop[COUNT_F64][COUNT_256] = 0, point.count.flop[COUNT_F64][COUNT_SCALAR] = 8000000000;
    point.seconds.median = 4;
    struct link_times times = link_times_find(&model, &point);
    assert_link(&times, 0, "core ⇄ L1", "scalar.load", 2);
    assert_string_equal(times.ceiling->sample->kernel, "scalar.f64.fma");
    point.seconds.median = 1; /* this requires loads wider than its arithmetic */
    times = link_times_find(&model, &point);
    assert_link(&times, 0, "core ⇄ L1", "avx2.load", 0.5);
}

static void what_is_not_known(void **state) {
    (void)state;
    struct app_point point = program();
    point.levels.links = 0;
    struct link_times times = link_times_find(&model, &point);
    assert_true(times.count == 0 && times.longest == LINK_TIMES_NONE);
    point = program();
    point.threads = 8; /* no roofs have this number of threads; links keep their names */
    result.machine.core_count = 64;
    times = link_times_find(&model, &point);
    result.machine.core_count = 1;
    assert_int_equal(times.count, 3);
    assert_string_equal(times.link[2].name, "L2 ⇄ DRAM");
    assert_true(times.link[2].roof == NULL && times.link[2].share == 0 && times.longest == LINK_TIMES_NONE);
    point = program();
    point.levels.links = 5; /* more levels than the result's machine has */
    times = link_times_find(&model, &point);
    assert_string_equal(times.link[3].name, "L3 ⇄ L4");
    assert_string_equal(times.link[4].name, "L4 ⇄ DRAM");
    assert_null(times.link[3].roof);
    point = program();
    point.flop = (struct statistics){0}, point.has_count = false;
    times = link_times_find(&model, &point);
    assert_true(times.ceiling == NULL && times.link[1].flop_per_byte == 0 && times.longest == 0);
}

/* Each form is bound as in theory. */
static void the_forms(void **state) {
    (void)state;
    static const struct {
        const char *name, *longest;
        double share;
    } FORMS[] = {{"forms/triad", "L3 ⇄ DRAM", 0.89},       {"forms/dgemm naive", "L2 ⇄ L3", 0.71},
                 {"forms/dgemm blocked", "ceiling", 0.74}, {"forms/stencil", "L3 ⇄ DRAM", 0.78},
                 {"forms/random", "L3 ⇄ DRAM", 0.13},      {"forms/sum in L1", "core ⇄ L1", 0.165}};
    struct result forms;
    struct error err;
    assert_true(results_read("tests/golden/files/levels.json", &forms, &err));
    struct model of_forms = model_build(&forms);
    for (size_t i = 0; i < sizeof FORMS / sizeof FORMS[0]; i++) {
        const struct app_point *point = &forms.points[i + 1];
        const struct link_times times = link_times_find(&of_forms, point);
        assert_string_equal(point->name, FORMS[i].name);
        assert_string_equal(times.longest >= 0 ? times.link[times.longest].name : "ceiling", FORMS[i].longest);
        if (fabs(link_times_share(&times, times.longest) - FORMS[i].share) > 0.006)
            fail_msg("%s: %g of its time", point->name, link_times_share(&times, times.longest));
    }
    model_free(&of_forms);
    results_free(&forms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_link_by_its_own_roof),
        cmocka_unit_test(traffic_against_traffic),
        cmocka_unit_test(victims_take_no_time_of_their_own),
        cmocka_unit_test(near_the_core_width_counts),
        cmocka_unit_test(what_is_not_known),
        cmocka_unit_test(the_forms),
    };
    return cmocka_run_group_tests(tests, build, drop);
}
