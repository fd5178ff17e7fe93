/* SPDX-License-Identifier: BSD-3-Clause
 * Roofs from samples, and what they permit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/model/model.h"
#include "tests/support/fixtures.h"

/* A small result by hand, with round values. */
static const struct row {
    const char *kernel, *level, *core_kind;
    enum sample_kind kind;
    unsigned threads;
    double value;
} ROWS[] = {
    {"avx512.f64.fma", "", "", SAMPLE_COMPUTE, 1, 80e9},     {"avx512.f32.fma", "", "", SAMPLE_COMPUTE, 1, 160e9},
    {"avx2.f64.fma", "", "", SAMPLE_COMPUTE, 1, 40e9},       {"avx2.f64.fmaadd", "", "", SAMPLE_COMPUTE, 1, 50e9},
    {"avx512.f64.fma", "", "", SAMPLE_COMPUTE, 4, 300e9},    {"avx512.load", "L1", "", SAMPLE_BANDWIDTH, 1, 380e9},
    {"avx512.2ld1st", "L1", "", SAMPLE_BANDWIDTH, 1, 500e9}, {"avx512.store", "L1", "", SAMPLE_BANDWIDTH, 1, 190e9},
    {"avx2.load", "L1", "", SAMPLE_BANDWIDTH, 1, 100e9},     {"avx512.random", "L1", "", SAMPLE_BANDWIDTH, 1, 900e9},
    {"avx512.load", "DRAM", "", SAMPLE_BANDWIDTH, 1, 17e9},  {"avx512.update", "DRAM", "", SAMPLE_BANDWIDTH, 1, 31e9},
    {"avx512.random", "DRAM", "", SAMPLE_BANDWIDTH, 1, 1e9}, {"avx512.random", "L2", "", SAMPLE_BANDWIDTH, 1, 30e9},
    {"chase", "DRAM", "", SAMPLE_LATENCY, 1, 90e-9},         {"avx512.load", "DRAM", "", SAMPLE_BANDWIDTH, 4, 60e9},
    {"avx2.f64.fma", "", "E", SAMPLE_COMPUTE, 4, 400e9},     {"scalar.i8.load", "L1", "", SAMPLE_BANDWIDTH, 1, 950e9},
};
enum { COUNT = sizeof ROWS / sizeof ROWS[0] };

static struct sample samples[COUNT];
static struct result result;
static struct model model;

static int build(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        samples[i] = (struct sample){.kind = ROWS[i].kind,
                                     .threads = ROWS[i].threads,
                                     .value = ROWS[i].value,
                                     .per_cycle = 30,
                                     .documented_per_cycle = i == 0 ? 32 : 0,
                                     .doubts = i % 2 ? DOUBTS(DOUBT_UNSTABLE) : NO_DOUBTS};
        strcpy(samples[i].kernel, ROWS[i].kernel);
        strcpy(samples[i].level, ROWS[i].level);
        strcpy(samples[i].core_kind, ROWS[i].core_kind);
    }
    result = (struct result){.sample_count = COUNT, .samples = samples};
    model = model_build(&result);
    return 0;
}

static int drop(void **state) {
    (void)state;
    model_free(&model);
    return 0;
}

static void names_are_split(void **state) {
    (void)state;
    static const struct {
        const char *kernel, *isa, *type, *op;
    } rows[] = {
        {"avx512.f64.fma", "avx512", "f64", "fma"},
        {"avx512.load", "avx512", "", "load"},
        {"chase", "", "", "chase"},
        {"avx2.f32.1fma16x2ld1st", "avx2", "f32", "1fma16x2ld1st"},
        {"", "", "", ""},
        {"...", "", ".", ""},
        {"an_isa_with_a_long_name.a_long_type.and_an_op", "an_isa_with_a_l", "a_long_", "and_an_op"},
        {"a_name_without_dots_that_is_quite_long_as_well_", "", "", "a_name_without_dots_tha"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample s = {.threads = 1, .value = 1};
        snprintf(s.kernel, sizeof s.kernel, "%s", rows[i].kernel);
        struct model one = model_build(&(struct result){.sample_count = 1, .samples = &s});
        assert_string_equal(one.roofs[0].isa, rows[i].isa);
        assert_string_equal(one.roofs[0].type, rows[i].type);
        assert_string_equal(one.roofs[0].op, rows[i].op);
        model_free(&one);
    }
}

static void roofs_follow_the_samples(void **state) {
    (void)state;
    assert_int_equal(model.count, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        assert_ptr_equal(model.roofs[i].sample, &samples[i]);
    assert_near(model.roofs[0].documented_ratio, 30.0 / 32);
    assert_true(model.roofs[1].documented_ratio == 0); /* no documented value: not 0 % */
    struct model empty = model_build(&(struct result){0});
    assert_int_equal(empty.count, 0);
    assert_null(model_peak(&empty, &(struct model_view){0}));
    unsigned none;
    assert_int_equal(model_threads(&empty, &none, 1), 0);
    model_free(&empty);
}

static void a_level_is_a_band(void **state) {
    (void)state;
    static const struct {
        struct model_view view;
        const char *level, *roof, *floor; /* roof NULL: none */
    } rows[] = {
        {{.threads = 1}, "L1", "avx512.2ld1st", "avx512.store"}, /* neither random lines nor other ISAs */
        {{.threads = 1}, "DRAM", "avx512.update", "avx512.load"},
        {{.threads = 4}, "DRAM", "avx512.load", "avx512.load"},
        {{0}, "DRAM", "avx512.load", "avx512.load"}, /* 60 of four threads; the floor is 17 of one */
        {{.threads = 1, .op = "load"}, "L1", "avx512.load", "avx512.store"},
        {{.threads = 1, .op = "load", .isa = "avx2"}, "L1", "avx2.load", "avx2.load"},
        {{.threads = 1, .isa = "avx2"}, "L1", "avx2.load", "avx2.load"},
        {{.threads = 1, .type = "f32"}, "L1", "avx512.2ld1st", "avx512.store"}, /* memory has no type */
        {{.threads = 1, .op = "axpy"}, "L1", NULL, NULL},
        {{.threads = 1, .op = "random"}, "L1", "avx512.random", "avx512.store"},  /* only by name */
        {{.threads = 1, .op = "random"}, "L2", "avx512.random", "avx512.random"}, /* without a pattern beside them */
        {{.threads = 1}, "L2", NULL, NULL},
        {{.threads = 1}, "", NULL, NULL},
        {{.threads = 2}, "L1", NULL, NULL},
        {{.threads = 1, .core_kind = "E"}, "L1", NULL, NULL},
        {{.threads = 1, .core_kind = ""}, "L1", "avx512.2ld1st", "avx512.store"},
        {{.threads = 1, .elements = "i8"}, "L1", "scalar.i8.load", "scalar.i8.load"}, /* only on request */
        {{.threads = 1, .elements = "i16"}, "L1", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct model_level band;
        bool found = model_level(&model, &rows[i].view, rows[i].level, &band);
        assert_int_equal(found, rows[i].roof != NULL);
        if (!found) {
            assert_true(band.roof == NULL && band.floor == NULL);
            continue;
        }
        assert_string_equal(band.roof->sample->kernel, rows[i].roof);
        assert_string_equal(band.floor->sample->kernel, rows[i].floor);
        assert_true(band.floor->sample->value <= band.roof->sample->value);
    }
}

static void peaks(void **state) {
    (void)state;
    static const struct {
        struct model_view view;
        double peak, highest; /* 0: none */
    } rows[] = {
        {{.threads = 1, .type = "f64"}, 80e9, 80e9},
        {{.threads = 1}, 160e9, 160e9},
        {{.threads = 1, .type = "f32"}, 160e9, 160e9},
        {{.threads = 1, .type = "f64", .isa = "avx2"}, 40e9, 50e9}, /* FMA, and FMA + ADD */
        {{.threads = 4, .type = "f64"}, 400e9, 400e9},
        {{.threads = 4, .type = "f64", .core_kind = ""}, 300e9, 300e9},
        {{.threads = 4, .type = "f32"}, 0, 0},
        {{.threads = 1, .isa = "sse"}, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct roof *peak = model_peak(&model, &rows[i].view), *highest = model_highest(&model, &rows[i].view);
        assert_int_equal(peak != NULL, rows[i].peak > 0);
        assert_int_equal(highest != NULL, rows[i].highest > 0);
        if (peak) {
            assert_near(peak->sample->value, rows[i].peak);
            assert_near(highest->sample->value, rows[i].highest);
        }
    }
}

static void ridge_and_attainable(void **state) {
    (void)state;
    const struct roof *peak = &model.roofs[0], *dram = &model.roofs[11];
    double ridge = model_ridge(peak, dram);
    assert_near(ridge, 80.0 / 31);
    assert_near(model_attainable(peak, dram->sample->value, ridge), 80e9);
    assert_near(model_attainable(peak, dram->sample->value, ridge / 2), 40e9);
    assert_near(model_attainable(peak, dram->sample->value, ridge * 100), 80e9);
    assert_near(model_attainable(peak, dram->sample->value, 0), 0);
}

static void thread_counts(void **state) {
    (void)state;
    unsigned counts[4] = {0};
    assert_int_equal(model_threads(&model, counts, 4), 2);
    assert_true(counts[0] == 1 && counts[1] == 4);
    unsigned one = 0;
    assert_int_equal(model_threads(&model, &one, 1), 1); /* at most as many as fit */
    assert_int_equal(one, 1);
}

/* On request, a data sheet's value is shown as the limit of the measured one. HBM was not measured, so its value stays
 * a roof. */
static void stated_roofs_are_limits(void **state) {
    (void)state;
    struct sample phi[] = {
        {.kernel = "ert.f64.peak", .kind = SAMPLE_COMPUTE, .threads = 272, .value = 2e12},
        {.kernel = "ert.update", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .threads = 272, .value = 8e10},
        {.kernel = "stated.f64.peak", .kind = SAMPLE_COMPUTE, .threads = 272, .value = 2.5e12},
        {.kernel = "stated.traffic", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .value = 1e11},
        {.kernel = "stated.f32.peak", .kind = SAMPLE_COMPUTE, .threads = 272, .value = 5e12},
    };
    struct result result_of_phi = {.samples = phi, .sample_count = 5};
    struct model built = model_build(&result_of_phi), limited = model_with_limits(&built);
    const struct model_view f64 = {.threads = 272, .type = "f64"}, f32 = {.threads = 272, .type = "f32"};
    assert_string_equal(model_peak(&built, &f64)->isa, "stated");
    assert_string_equal(model_peak(&limited, &f64)->isa, "ert");
    assert_near(limited.roofs[0].documented_ratio, 0.8);
    assert_near(limited.roofs[1].documented_ratio, 0.8);
    assert_true(built.roofs[0].documented_ratio == 0);
    assert_string_equal(model_peak(&limited, &f32)->isa, "stated");
    free(limited.roofs);
    model_free(&built);
}

/* A stated peak and STREAM with its threads are one roofline; if other roofs have numbers of threads, one without a
 * number stays out of their views. */
static void roofs_of_any_threads(void **state) {
    (void)state;
    struct sample stated[] = {
        {.kernel = "stated.f64.peak", .kind = SAMPLE_COMPUTE, .value = 1e11},
        {.kernel = "stream.triad", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .threads = 4, .value = 2e10},
        {.kernel = "stream.triad", .level = "HBM", .kind = SAMPLE_BANDWIDTH, .value = 9e10},
        {.kernel = "avx2.f64.fma", .kind = SAMPLE_COMPUTE, .threads = 1, .value = 3e10},
    };
    const struct model_view four = {.threads = 4, .type = "f64"}, one = {.threads = 1, .type = "f64"};
    struct result foreign = {.samples = stated, .sample_count = 3};
    struct model_view places[4];
    struct model_level memory;
    struct model built = model_build(&foreign);
    const struct roof *peak = model_peak(&built, &four);
    assert_non_null(peak);
    assert_true(model_level(&built, &four, "DRAM", &memory));
    assert_near(model_ridge(peak, memory.roof), 5);
    assert_true(model_level(&built, &one, "HBM", &memory)); /* there is no other roof of HBM */
    assert_false(model_level(&built, &one, "DRAM", &memory));
    assert_int_equal(model_places(&built, places, 4), 1);
    assert_int_equal(places[0].threads, 4);
    model_free(&built);

    foreign.sample_count = 4;
    built = model_build(&foreign);
    assert_near(model_peak(&built, &one)->sample->value, 3e10);
    assert_null(model_peak(&built, &four));
    model_free(&built);
}

static void doubts_are_counted(void **state) {
    (void)state;
    unsigned counts[DOUBT_COUNT];
    memset(counts, 0xff, sizeof counts);
    model_count_doubts(&result, counts);
    for (unsigned i = 0; i < DOUBT_COUNT; i++)
        assert_int_equal(counts[i], i == DOUBT_UNSTABLE ? COUNT / 2 : 0);
}

static void units(void **state) {
    (void)state;
    assert_string_equal(model_unit(SAMPLE_COMPUTE), "flop/s");
    assert_string_equal(model_unit(SAMPLE_BANDWIDTH), "B/s");
    assert_string_equal(model_unit(SAMPLE_LATENCY), "s");
    static const struct {
        const char *kernel, *unit, *name, *per_cycle;
        enum sample_kind kind;
    } rows[] = {
        {"avx512.i8.dot", "op/s", "op_per_s", "op/cycle", SAMPLE_COMPUTE},
        {"avx2.i64.shift", "op/s", "op_per_s", "op/cycle", SAMPLE_COMPUTE},
        {"scalar.i16.load", "B/s", "bytes_per_s", "B/cycle", SAMPLE_BANDWIDTH},
        {"amx.bf16.dot", "flop/s", "flop_per_s", "flop/cycle", SAMPLE_COMPUTE},
        {"avx512.f16.fma", "flop/s", "flop_per_s", "flop/cycle", SAMPLE_COMPUTE},
        {"avx512.load", "B/s", "bytes_per_s", "B/cycle", SAMPLE_BANDWIDTH},
        {"chase", "s", "s", "cycles", SAMPLE_LATENCY},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample sample = {.kind = rows[i].kind, .value = 1};
        snprintf(sample.kernel, sizeof sample.kernel, "%s", rows[i].kernel);
        struct model one = model_build(&(struct result){.samples = &sample, .sample_count = 1});
        assert_string_equal(model_roof_unit(&one.roofs[0]), rows[i].unit);
        assert_string_equal(model_roof_unit_name(&one.roofs[0]), rows[i].name);
        assert_string_equal(model_roof_unit_per_cycle(&one.roofs[0]), rows[i].per_cycle);
        model_free(&one);
    }
}

/* Three sizes in L1 and two in L2, which are too few; the memory's begin at twice the last cache. */
static void medians_over_sizes(void **state) {
    (void)state;
    struct curve_point points[] = {{.working_set_bytes = 4096, .value = 90, .per_cycle = 30},
                                   {.working_set_bytes = 16384, .value = 120, .per_cycle = 40},
                                   {.working_set_bytes = 32768, .value = 60, .per_cycle = 20},
                                   {.working_set_bytes = 65536, .value = 55, .per_cycle = 15},
                                   {.working_set_bytes = 131072, .value = 50},
                                   {.working_set_bytes = 300000, .value = 40},
                                   {.working_set_bytes = 600000, .value = 9},
                                   {.working_set_bytes = 1000000, .value = 7},
                                   {.working_set_bytes = 2000000, .value = 8}};
    struct curve curve = {.kernel = "avx2.load", .kind = SAMPLE_BANDWIDTH, .threads = 1, .count = 9, .points = points};
    struct result swept = {.kind_count = 1,
                           .levels = {{.count = 3,
                                       .level = {{.name = "L1", .effective_bytes = 32768},
                                                 {.name = "L2", .effective_bytes = 262144},
                                                 {.name = "DRAM"}}}},
                           .curve_count = 1,
                           .curves = &curve};
    struct model one = model_build(&swept);
    const struct model_view view = {.threads = 1, .op = MODEL_MEDIAN}, best = {.threads = 1},
                            two = {.threads = 2, .op = MODEL_MEDIAN};
    struct model_level level;
    assert_true(model_level(&one, &view, "L1", &level));
    assert_true(level.roof->sample->value == 90 && level.roof->sample->per_cycle == 30);
    assert_string_equal(level.roof->isa, "avx2");
    assert_false(model_level(&one, &view, "L2", &level));
    assert_true(model_level(&one, &view, "DRAM", &level) && level.roof->sample->value == 8);
    assert_false(model_level(&one, &best, "L1", &level)); /* only visible with a request for medians */
    assert_false(model_level(&one, &two, "L1", &level));
    model_free(&one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_split),
        cmocka_unit_test(medians_over_sizes),
        cmocka_unit_test(roofs_follow_the_samples),
        cmocka_unit_test(a_level_is_a_band),
        cmocka_unit_test(peaks),
        cmocka_unit_test(ridge_and_attainable),
        cmocka_unit_test(thread_counts),
        cmocka_unit_test(stated_roofs_are_limits),
        cmocka_unit_test(roofs_of_any_threads),
        cmocka_unit_test(doubts_are_counted),
        cmocka_unit_test(units),
    };
    return cmocka_run_group_tests(tests, build, drop);
}
