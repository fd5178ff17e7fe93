/* SPDX-License-Identifier: BSD-3-Clause
 * Which roofs are headline roofs, and the grade of a whole result. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/arithmetic.h"
#include "bench/kernels/estimate.h"
#include "tests/support/fixtures.h"

static struct sample roof(enum sample_kind kind, const char *kernel, const char *level, unsigned threads,
                          double value) {
    struct sample s = {.kind = kind, .threads = threads, .value = value, .low = value, .high = value};
    snprintf(s.kernel, sizeof s.kernel, "%s", kernel);
    snprintf(s.level, sizeof s.level, "%s", level);
    return s;
}

static void the_best_of_each(void **state) {
    (void)state;
    struct {
        struct sample sample;
        bool wanted;
    } rows[] = {
        {roof(SAMPLE_COMPUTE, "avx512.f64.fma", "", 1, 100), true},
        {roof(SAMPLE_COMPUTE, "avx512.f64.add", "", 1, 50), false},
        {roof(SAMPLE_COMPUTE, "avx512.f32.fma", "", 1, 90), true}, /* another type: f64's value does not matter */
        {roof(SAMPLE_COMPUTE, "avx2.f32.fma", "", 1, 80), false},
        {roof(SAMPLE_COMPUTE, "amx.i8.dot", "", 1, 999), true},
        {roof(SAMPLE_COMPUTE, "avx512.f64.fma", "", 2, 200), true}, /* another place */
        {roof(SAMPLE_COMPUTE, "no.such.kernel", "", 1, 1e9), false},
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L1", 1, 60), false},
        {roof(SAMPLE_BANDWIDTH, "avx512.2ld1st", "L1", 1, 70), true},
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L2", 1, 40), true},
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L2", 1, 400), false}, /* 4 KiB pages */
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L2", 1, 30), true},   /* of E cores */
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L2", 1, 20), true},   /* of node 1 */
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L2", 2, 50), true},   /* two threads on two cores */
        {roof(SAMPLE_BANDWIDTH, "avx512.load", "L2", 2, 45), true},   /* two threads on one core */
        {roof(SAMPLE_LATENCY, "chase", "L1", 1, 1e-9), true},
        {roof(SAMPLE_LATENCY, "chase", "L2", 1, 5e-9), true},
        {roof(SAMPLE_LATENCY, "chase", "L2", 1, 9e-9), false}, /* the lower one of two latencies */
    };
    enum { COUNT = sizeof rows / sizeof rows[0] };
    struct sample samples[COUNT];
    bool is_headline[COUNT];
    rows[10].sample.small_pages = true;
    snprintf(rows[11].sample.core_kind, sizeof rows[11].sample.core_kind, "E");
    rows[12].sample.node = 2;
    rows[14].sample.cores = 1;
    for (size_t i = 0; i < COUNT; i++)
        samples[i] = rows[i].sample;
    trust_headline(samples, COUNT, is_headline);
    for (size_t i = 0; i < COUNT; i++)
        if (is_headline[i] != rows[i].wanted)
            fail_msg("row %zu, %s %s, is %sa headline roof", i, samples[i].level, samples[i].kernel,
                     is_headline[i] ? "" : "not ");
}

/* Every kernel with which a machine is measured, by one core and by all. */
static void of_a_whole_plan(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(8, FIXTURE_AVX512), NULL);
    bool *is_headline = calloc(r.sample_count, sizeof *is_headline);
    unsigned counts[3] = {0};
    trust_headline(r.samples, r.sample_count, is_headline);
    for (size_t i = 0; i < r.sample_count; i++)
        counts[r.samples[i].kind] += is_headline[i];
    unsigned ceilings = 0; /* of f64 and f32, by one core and by all: FMA, and what is above it */
    for (unsigned at = 0; at < 4; at++) {
        double most[2] = {0};
        for (size_t i = 0; i < r.sample_count; i++) {
            const struct sample *sample = &r.samples[i];
            if (sample->kind == SAMPLE_COMPUTE && sample->threads == (at % 2 ? 8 : 1) &&
                strstr(sample->kernel, at / 2 ? ".f64." : ".f32."))
                most[arithmetic_is_peak(sample->kernel)] =
                    fmax(most[arithmetic_is_peak(sample->kernel)], sample->value);
        }
        ceilings += most[0] > 1.025 * most[1] ? 2 : 1;
    }
    assert_int_equal(counts[SAMPLE_COMPUTE], ceilings);
    assert_int_equal(counts[SAMPLE_BANDWIDTH], 8); /* L1, L2, L3, DRAM */
    assert_int_equal(counts[SAMPLE_LATENCY], 4);
    free(is_headline);
    results_free(&r);
}

enum { LEVELS = 10 };

/* This many roofs of levels, the first ones with this uncertainty, to one side or the other. */
static void fill(struct sample *samples, size_t uncertain, double by) {
    for (size_t i = 0; i < LEVELS; i++) {
        char level[8];
        snprintf(level, sizeof level, "L%zu", i);
        samples[i] = roof(SAMPLE_BANDWIDTH, "avx512.load", level, 1, 1e9);
        if (i < uncertain && i % 2)
            samples[i].low = 1e9 * (1 - by);
        else if (i < uncertain)
            samples[i].high = 1e9 * (1 + by);
    }
}

static void assert_trust(const struct sample *samples, size_t count, bool partial, const char *path,
                         const char *wanted) {
    char text[400];
    const struct trust trust = trust_grade(samples, count, partial);
    assert_string_equal(trust_text(&trust, path, text, sizeof text), wanted);
    assert_int_equal(trust.grade, wanted[0]);
}

/* A blank roof is the headline where it may be the highest: its documented limit is above the best, or unknown. */
static void a_blank_headline_is_uncertain(void **state) {
    (void)state;
    struct sample samples[] = {roof(SAMPLE_COMPUTE, "avx2.f64.add", "", 2, 1e9),
                               roof(SAMPLE_COMPUTE, "avx2.f64.addmul", "", 2, 0)};
    samples[0].per_cycle = 16;
    static const struct {
        double documented;
        const char *wanted;
    } rows[] = {
        {24, "D: 1 of 1 headline roof is uncertain by more than 5 %: f64 peak of 2 threads"},
        {0, "D: 1 of 1 headline roof is uncertain by more than 5 %: f64 peak of 2 threads"},
        {8, "A: the only headline roof is known to 1 %"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        samples[1].documented_per_cycle = rows[i].documented;
        assert_trust(samples, 2, false, NULL, rows[i].wanted);
        const struct sample turned[] = {samples[1], samples[0]};
        assert_trust(turned, 2, false, NULL, rows[i].wanted);
    }
}

/* Vendors count FMA. A higher ceiling of FMA and additions is a headline, too, a lower one of other operations is not.
 */
static void fma_is_the_headline(void **state) {
    (void)state;
    struct sample samples[] = {roof(SAMPLE_COMPUTE, "avx2.f64.fmaadd", "", 2, 3e9),
                               roof(SAMPLE_COMPUTE, "avx2.f64.fma", "", 2, 2e9)};
    assert_trust(samples, 2, false, NULL, "A: both headline roofs are known to 1 %");
    samples[0].value = 1e9, samples[0].high = 2e9;
    assert_trust(samples, 2, false, NULL, "A: the only headline roof is known to 1 %");
    samples[1].value = 0; /* blank */
    samples[0].high = samples[0].value;
    assert_trust(samples, 2, false, NULL,
                 "C: 1 of 2 headline roofs is uncertain by more than 5 %: f64 peak of 2 threads");
}

static void the_grade_by_its_rule(void **state) {
    (void)state;
    static const struct {
        size_t uncertain;
        double by;
        const char *wanted;
    } rows[] = {
        {0, 0, "A: all 10 headline roofs are known to 1 %"},
        {10, 0.01, "A: all 10 headline roofs are known to 1 %"},
        {10, 0.01005, "A: all 10 headline roofs are known to 1 %"}, /* equal to five digits */
        {1, 0.011, "B: all 10 headline roofs are known to 5 %, 9 of them to 1 %"},
        {9, 0.05, "B: all 10 headline roofs are known to 5 %, 1 of them to 1 %"},
        {10, 0.05, "B: all 10 headline roofs are known to 5 %"},
        {1, 0.051, "C: 1 of 10 headline roofs is uncertain by more than 5 %: L0 ±5 %"},
        {5, 0.051, "C: 5 of 10 headline roofs are uncertain by more than 5 %: L0 ±5 %, L1 ±5 %, L2 ±5 %, …"},
        {6, 0.051, "D: 6 of 10 headline roofs are uncertain by more than 5 %: L0 ±5 %, L1 ±5 %, L2 ±5 %, …"},
        {10, 0.5, "D: 10 of 10 headline roofs are uncertain by more than 5 %: L0 ±50 %, L1 ±50 %, L2 ±50 %, …"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample samples[LEVELS];
        fill(samples, rows[i].uncertain, rows[i].by);
        assert_trust(samples, LEVELS, false, NULL, rows[i].wanted);
    }
}

/* Roofs on which no answer rests may have any uncertainty. */
static void other_roofs_do_not_count(void **state) {
    (void)state;
    struct sample samples[LEVELS + 1];
    fill(samples, 0, 0);
    samples[LEVELS] = roof(SAMPLE_BANDWIDTH, "avx512.random", "L3", 1, 1e8);
    samples[LEVELS].high = 9e8;
    assert_trust(samples, LEVELS + 1, false, NULL, "A: all 10 headline roofs are known to 1 %");
    samples[LEVELS].value = 2e9; /* now it is the level's best */
    samples[LEVELS].low = 1e9;
    assert_trust(samples, LEVELS + 1, false, NULL, "C: 1 of 10 headline roofs is uncertain by more than 5 %: L3 ±50 %");
}

/* Worst first, each with its kind and its threads. */
static void which_roofs(void **state) {
    (void)state;
    struct sample samples[LEVELS];
    fill(samples, 0, 0);
    samples[0].threads = 2, samples[0].low = 0.89e9;
    samples[3].kind = SAMPLE_LATENCY, samples[3].high = 1.61e9;
    samples[7] = roof(SAMPLE_COMPUTE, "avx512.f64.fma", "", 1, 1e9);
    samples[7].low = 0.93e9;
    assert_trust(samples, LEVELS, false, NULL,
                 "C: 3 of 10 headline roofs are uncertain by more than 5 %: L3 latency ±61 %, L0 of 2 threads ±11 %, "
                 "f64 peak ±7 %");
}

static void what_to_do_and_why(void **state) {
    (void)state;
    struct sample samples[LEVELS];
    fill(samples, 0, 0);
    assert_trust(samples, LEVELS, false, "carmine run --resume x.json", "A: all 10 headline roofs are known to 1 %");
    assert_trust(samples, LEVELS, true, "carmine run --resume x.json",
                 "A so far: all 10 headline roofs are known to 1 %. `carmine run --resume x.json` measures the rest");
    fill(samples, 3, 0.2);
    samples[7].doubts = DOUBTS(DOUBT_CORE_SHARED); /* its value is known, so it is not the reason */
    assert_trust(samples, LEVELS, false, "carmine run --resume x.json",
                 "C: 3 of 10 headline roofs are uncertain by more than 5 %: L0 ±20 %, L1 ±20 %, L2 ±20 %. "
                 "`carmine run --resume x.json` measures those again");
    samples[2].doubts = DOUBTS(DOUBT_OTHERS_ACTIVE, DOUBT_UNSTABLE);
    assert_trust(
        samples, LEVELS, true, "carmine run --resume x.json",
        "C so far: other programs are active; 3 of 10 headline roofs are uncertain by more than 5 %: L0 ±20 %, "
        "L1 ±20 %, L2 ±20 %. `carmine run --resume x.json` measures those again, and the rest");
    samples[0].doubts = DOUBTS(DOUBT_CORE_SHARED);
    assert_trust(
        samples, LEVELS, false, NULL,
        "C: others use these cores; 3 of 10 headline roofs are uncertain by more than 5 %: L0 ±20 %, L1 ±20 %, "
        "L2 ±20 %");
    samples[9].doubts = DOUBTS(DOUBT_CLOCK_UNCERTAIN);
    assert_trust(samples, LEVELS, false, "carmine run --resume x.json",
                 "D: the core clock is uncertain, and so is each roof per cycle. `carmine run --resume x.json` "
                 "measures those again");
}

static void nothing_is_known(void **state) {
    (void)state;
    struct sample samples[LEVELS];
    assert_trust(NULL, 0, true, "carmine run --resume x.json",
                 "D so far: nothing is measured yet. `carmine run --resume x.json` measures the rest");
    assert_trust(NULL, 0, false, "carmine run --resume x.json", ""); /* only applications */
    fill(samples, 0, 0);
    for (size_t i = 0; i < LEVELS; i++)
        samples[i].low = samples[i].high = 0; /* an older file */
    assert_trust(samples, LEVELS, false, "carmine run --resume x.json", "");
    assert_true(isinf(estimate_uncertainty(&samples[0])));
    samples[0].low = samples[0].high = 1e9; /* with an added interval */
    assert_trust(samples, LEVELS, false, NULL,
                 "D: 9 of 10 headline roofs are uncertain by more than 5 %: L1, L2, L3, …");
    samples[1].low = samples[1].high = 1e9;
    assert_trust(samples, 1, false, NULL, "A: the only headline roof is known to 1 %");
    assert_trust(samples, 2, false, NULL, "A: both headline roofs are known to 1 %");
    samples[1].high *= 1.02;
    assert_trust(samples, 2, false, NULL, "B: both headline roofs are known to 5 %, 1 of them to 1 %");
}

static void a_short_buffer(void **state) {
    (void)state;
    struct sample samples[LEVELS];
    char text[12] = "-----------";
    fill(samples, 3, 0.2);
    const struct trust trust = trust_grade(samples, LEVELS, true);
    assert_string_equal(trust_text(&trust, "x.json", text, 8), "C so…"); /* shows its cut */
    assert_int_equal(text[8], '-');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_each),      cmocka_unit_test(of_a_whole_plan),
        cmocka_unit_test(the_grade_by_its_rule), cmocka_unit_test(a_blank_headline_is_uncertain),
        cmocka_unit_test(fma_is_the_headline),   cmocka_unit_test(other_roofs_do_not_count),
        cmocka_unit_test(which_roofs),           cmocka_unit_test(what_to_do_and_why),
        cmocka_unit_test(nothing_is_known),      cmocka_unit_test(a_short_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
