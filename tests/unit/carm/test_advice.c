/* SPDX-License-Identifier: BSD-3-Clause
 * The possible gain of each form in tests/golden/files/levels.json, and gains that its numbers do not support. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/model/advice.h"
#include "carm/model/model_thresholds.h"
#include "tests/support/fixtures.h"

enum { TRIAD = 1, NAIVE, BLOCKED, STENCIL, RANDOM, IN_L1 };
static struct result forms;
static struct model model;

static int read_forms(void **state) {
    struct error err;
    (void)state;
    if (!results_read("tests/golden/files/levels.json", &forms, &err))
        return 1;
    forms.machine.core_count = 1;
    model = model_build(&forms);
    return 0;
}

static int drop_forms(void **state) {
    (void)state;
    model_free(&model);
    results_free(&forms);
    return 0;
}

static const struct advice *of_rule(const struct advice *list, size_t count, const char *rule) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].rule, rule) == 0)
            return &list[i];
    return NULL;
}

static size_t find_advice(const struct model *of, const struct app_point *point, struct advice out[ADVICE_MAX]) {
    const struct verdict verdict = verdict_find(of, point);
    return advice_find(of, point, &verdict, out);
}

/* Ten passes over the same 192 MB: nine tenths need not be fetched again, and then L2 ⇄ L3 binds. */
static void a_triad(void **state) {
    struct advice list[ADVICE_MAX];
    (void)state;
    const struct app_point *point = &forms.points[TRIAD];
    const struct link_times times = link_times_find(&model, point);
    const size_t count = find_advice(&model, point, list);
    assert_int_equal(count, 2);
    assert_string_equal(list[0].rule, "blocking");
    assert_near(list[0].seconds, point->seconds.median * (1 - times.link[2].seconds / times.link[3].seconds));
    assert_contains(list[0].text, "1.92 GB cross L3 ⇄ DRAM, but only 192 MB are distinct");
    assert_string_equal(list[1].rule, "non-temporal stores");
    assert_near(list[1].seconds, point->seconds.median / 4);
    assert_contains(list[1].text, "640 MB are fetched only to be overwritten");
}

static void what_the_numbers_do_not_carry(void **state) {
    struct advice list[ADVICE_MAX];
    (void)state;
    assert_int_equal(find_advice(&model, &forms.points[BLOCKED], list), 0); /* it has the widest vectors */
    assert_int_equal(find_advice(&model, &forms.points[RANDOM], list), 0);  /* it waits */
    assert_int_equal(find_advice(&model, &forms.points[IN_L1], list), 0);
    struct app_point point = forms.points[TRIAD];
    point.levels.footprint_bytes = 1.2e9;
    point.levels.link[3].allocate_bytes = 0, point.levels.link[3].nontemporal_bytes = 640e6;
    assert_int_equal(find_advice(&model, &point, list), 0);
    point.levels.links = 0;
    assert_int_equal(find_advice(&model, &point, list), 0);
}

static void the_other_rules(void **state) {
    struct advice list[ADVICE_MAX];
    (void)state;
    size_t count = find_advice(&model, &forms.points[NAIVE], list);
    assert_int_equal(count, 1); /* L2 ⇄ L3 binds: stores to memory are no matter */
    assert_contains(list[0].text, "68.7 GB cross L2 ⇄ L3, but only 25.2 MB");
    struct app_point point = forms.points[TRIAD];
    point.levels.utilisation = 0.25;
    const struct advice *layout = of_rule(list, find_advice(&model, &point, list), "layout");
    assert_non_null(layout);
    assert_contains(layout->text, "25 % of each cache line from memory is used");
    point = forms.points[BLOCKED];
    memset(point.count.flop, 0, sizeof point.count.flop);
    point.count.flop[COUNT_F64][COUNT_SCALAR] = (uint64_t)point.flop.median;
    point.seconds.median = 0.2;
    const struct advice *wider = of_rule(list, find_advice(&model, &point, list), "wider vectors");
    assert_non_null(wider);
    assert_contains(wider->text, "avx2.f64.fma instead of scalar.f64.fma"); /* a product has no separate additions */
    point.levels.link[0].load_bytes *= 4, point.load_bytes.median *= 4; /* its requests, of one element each, bind */
    point.seconds.median = 0.3;
    wider = of_rule(list, find_advice(&model, &point, list), "wider vectors");
    assert_non_null(wider);
    assert_contains(wider->text, "avx2.load instead of scalar.load");
    assert_in_range((long)(1e3 * wider->seconds), 224, 226); /* four times as wide */
    forms.machine.core_count = 2; /* but there are no roofs of two threads: nothing is known of them */
    assert_null(of_rule(list, find_advice(&model, &forms.points[TRIAD], list), "threads"));
    forms.machine.core_count = 1;
}

/* With roofs of two threads: their values. */
static void more_threads(void **state) {
    struct advice list[ADVICE_MAX];
    struct result both;
    struct error err;
    (void)state;
    assert_true(results_read("results/zen3-2-cores-vm.json", &both, &err));
    struct model of_both = model_build(&both);
    const size_t count = find_advice(&of_both, &forms.points[TRIAD], list);
    const struct advice *more = of_rule(list, count, "threads");
    assert_non_null(more);
    assert_contains(more->text, "2 threads instead of 1");
    assert_true(more->seconds > 0.3 * 0.115 && more->seconds < 0.6 * 0.115);
    for (size_t i = 1; i < count; i++)
        assert_true(list[i - 1].seconds >= list[i].seconds);
    model_free(&of_both);
    results_free(&both);
}

/* A Granite Rapids fuses at 63.9 Gflop/s and multiplies and adds at 47.7; a Zen 3 has ports for both at once. */
static void pairs_that_could_be_fused(void **state) {
    struct advice list[ADVICE_MAX];
    struct result granite;
    struct error err;
    (void)state;
    assert_true(results_read("results/granite-rapids-1-core-vm.json", &granite, &err));
    struct model of_granite = model_build(&granite);
    struct app_point point = forms.points[BLOCKED];
    const double flop = point.flop.median, seconds = point.seconds.median = 0.06;
    point.count.fused_flop = 0;
    point.count.unfused_flop = (uint64_t)flop;
    const struct advice *all = of_rule(list, find_advice(&of_granite, &point, list), "fused multiply-adds");
    assert_non_null(all);
    assert_near(all->seconds, seconds * (1 - 47.6768 / 63.9129));
    assert_contains(all->text, "100 % of its flop are multiply-add pairs");
    point.count.unfused_flop = (uint64_t)flop / 2;
    const struct advice *half = of_rule(list, find_advice(&of_granite, &point, list), "fused multiply-adds");
    assert_non_null(half);
    assert_near(half->seconds, seconds / 2 * (1 - 47.6768 / 63.9129));
    assert_null(of_rule(list, find_advice(&model, &point, list), "fused multiply-adds"));
    point.count.unfused_flop = 0;
    assert_null(of_rule(list, find_advice(&of_granite, &point, list), "fused multiply-adds"));
    point = forms.points[TRIAD]; /* memory binds */
    point.count.fused_flop = 0;
    point.count.unfused_flop = (uint64_t)point.flop.median;
    assert_null(of_rule(list, find_advice(&of_granite, &point, list), "fused multiply-adds"));
    model_free(&of_granite);
    results_free(&granite);
}

/* What is likely and what is possible are two numbers: the words have the first, the seconds the second. */
static void the_part_that_binds_a_loop(void **state) {
    (void)state;
    struct advice list[ADVICE_MAX];
    const struct app_point point = {.seconds = app_once(8), .in_core.chain_of = "addsd"};
    struct verdict verdict = {
        .loop = {.count = 2,
                 .binds = true,
                 .part = {{LOOP_DIVIDER, "the divider", 9, 9, false}, {LOOP_CHAIN, "chain of addsd", 4.5, 4.5, false}},
                 .second = 1,
                 .faster = 1.9,
                 .faster_at_most = 2}};
    assert_int_equal(advice_find(&model, &point, &verdict, list), 1);
    assert_string_equal(list[0].rule, "divisions");
    assert_string_equal(list[0].text,
                        "multiplications by the reciprocal, about 1.9 × faster: the divider takes 9 cycles "
                        "per iteration, all else 4.5");
    assert_near(list[0].seconds, 4);
    verdict.loop.longest = 1, verdict.loop.second = 0, verdict.loop.accumulators = 3;
    assert_int_equal(advice_find(&model, &point, &verdict, list), 1);
    assert_string_equal(list[0].text, "3 accumulators instead of one, about 1.9 × faster: the chain of addsd takes 4.5 "
                                      "cycles per iteration, all else 9");
    for (int above = 0; above < 2; above++) {
        verdict.loop.faster = verdict_thresholds.higher.value * (above ? 1.001 : 0.999);
        assert_int_equal(advice_find(&model, &point, &verdict, list), above);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_part_that_binds_a_loop),
        cmocka_unit_test(a_triad),
        cmocka_unit_test(what_the_numbers_do_not_carry),
        cmocka_unit_test(the_other_rules),
        cmocka_unit_test(more_threads),
        cmocka_unit_test(pairs_that_could_be_fused),
    };
    return cmocka_run_group_tests(tests, read_forms, drop_forms);
}
