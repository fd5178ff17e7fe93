/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of comparisons, just above and just below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/compare/check.h"
#include "carm/compare/compare_core.h"
#include "carm/compare/compare_thresholds.h"
#include "tests/support/compared.h"
#include "tests/support/cores.h"
#include "tests/support/thresholds.h"

/* All roofs of this kind and level are so much worse than in the baseline. */
static bool fails(enum sample_kind kind, const char *level, double worse) {
    struct result own = machine(1, FIXTURE_AVX2), before = machine(1, FIXTURE_AVX2);
    struct baseline baseline = {.per = PER_MACHINE};
    struct check_limits limits;
    struct error err;
    bool failed = false;
    for (size_t i = 0; i < own.sample_count; i++)
        if (own.samples[i].kind == kind && strcmp(own.samples[i].level, level) == 0)
            own.samples[i].value *= kind == SAMPLE_LATENCY ? 1 + worse : 1 - worse;
    struct model model = model_build(&own), of_before = model_build(&before);
    baseline_add(&baseline, &of_before);
    baseline_finish(&baseline);
    assert_true(check_read_limits(NULL, &limits, &err));
    struct check check = check_make(&model, &baseline, &limits);
    for (size_t i = 0; i < check.count; i++)
        failed |= check.rows[i].verdict == CHECK_FAIL;
    check_free(&check);
    baseline_free(&baseline);
    model_free(&of_before), model_free(&model);
    results_free(&before), results_free(&own);
    return failed;
}

static bool compute_fails(double worse) {
    return fails(SAMPLE_COMPUTE, "", worse);
}

static bool l1_fails(double worse) {
    return fails(SAMPLE_BANDWIDTH, "L1", worse);
}

static bool l2_fails(double worse) {
    return fails(SAMPLE_BANDWIDTH, "L2", worse);
}

static bool l3_fails(double worse) {
    return fails(SAMPLE_BANDWIDTH, "L3", worse);
}

static bool dram_fails(double worse) {
    return fails(SAMPLE_BANDWIDTH, "DRAM", worse);
}

static bool latency_fails(double worse) {
    return fails(SAMPLE_LATENCY, "L2", worse);
}

/* Of arithmetic, whose tolerance is 3 %. */
static bool alone_is_slow(double times) {
    struct check_limits limits;
    struct error err;
    const struct roof_key key = key_of(SAMPLE_COMPUTE, "avx2.f64.fma", "", 1);
    assert_true(check_read_limits(NULL, &limits, &err));
    return 0.03 * times >= check_tolerance_alone(&limits, &key);
}

static bool instruction_differs(double times) {
    struct bench sides = {0};
    for (size_t i = 0; i < 2; i++) {
        bench_add(&sides, machine(2, FIXTURE_AVX512));
        cores_add(&sides.results[i], "nop", 0, 1 / 6.0);
        cores_add(&sides.results[i], "vaddpd yyy", i == 0 ? 4 : 4 * times, 0);
    }
    compare_label(sides.sides, sides.count);
    struct comparison comparison = compare_make(sides.sides, sides.count, 0);
    struct core_comparison core = core_compare(&comparison);
    bool differs = false;
    for (size_t i = 0; i < core.count; i++)
        differs |= core_difference(&core, &core.rows[i], 1) == CORE_DIFFERS;
    core_comparison_free(&core);
    compare_free(&comparison);
    bench_free(&sides);
    return differs;
}

static size_t cells_with_same(double difference) {
    struct bench sides = {0};
    size_t count = 0;
    for (size_t i = 0; i < 2; i++) {
        struct result result = machine(2, FIXTURE_AVX2);
        result.points = malloc(sizeof *result.points);
        result.points[result.point_count++] = fixture_point("app");
        result.points[0].seconds = app_once(i == 0 ? 1 : 1 + difference);
        bench_add(&sides, result);
    }
    compare_label(sides.sides, sides.count);
    struct comparison comparison = compare_make(sides.sides, sides.count, 0);
    char *text = printed(&comparison, PER_MACHINE);
    for (const char *at = text; (at = strstr(at, "same ")); at++)
        count++;
    free(text);
    compare_free(&comparison);
    bench_free(&sides);
    return count;
}

static bool is_same(double difference) {
    return cells_with_same(difference) == cells_with_same(0);
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"compute", 0.03, compute_fails, true}, {"L1", 0.03, l1_fails, true},
        {"L2", 0.05, l2_fails, true},           {"L3", 0.1, l3_fails, true},
        {"DRAM", 0.1, dram_fails, true},        {"latency", 0.1, latency_fails, true},
        {"alone", 2, alone_is_slow, true},      {"core differs", 1.15, instruction_differs, true},
        {"same", 5e-4, is_same, false},
    };
    thresholds_decide((const struct threshold *)&compare_thresholds, COMPARE_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
