/* SPDX-License-Identifier: BSD-3-Clause
 * What the table of patterns decides, by a table with a second pattern of random lines and a second non-temporal one.
 * It is linked in place of the program's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/kernel.h"
#include "asm/pattern.h"
#include "bench/kernels/run.h"
#include "carm/compare/check.h"
#include "carm/model/shortfall.h"
#include "tests/support/fleets.h"
#include "tests/support/series.h"

const struct pattern pattern_table[] = {
    {"load", "load", 1, 0, false, false, false, PATTERN_EVERY_ISA, true, {64}},
    {"2ld1st", NULL, 2, 1, false, false, false, PATTERN_EVERY_ISA, true, {16}},
    {"store", "store", 0, 1, false, false, false, PATTERN_WIDEST, true, {16}},
    {"ntstore", "non-temporal store", 0, 1, false, true, false, PATTERN_WIDEST, false, {16}},
    {"ntcopy", "non-temporal copy", 1, 1, false, true, false, PATTERN_WIDEST, false, {16}},
    {"random", "random lines", 1, 0, false, false, true, PATTERN_WIDEST, false, {0}},
    {"gather", "gathered lines", 1, 0, false, false, true, PATTERN_WIDEST, false, {0}},
    {"chase", "pointer chase", 1, 0, false, false, true, PATTERN_NO_ISA, false, {0}},
};
const size_t pattern_count = sizeof pattern_table / sizeof pattern_table[0];
const unsigned pattern_chases[] = {1, 0};
const struct store_way store_ways[] = {{0}};

/* Four cores on which gathered lines are four times as fast as loads, in all levels. */
static struct result gathering(void) {
    struct result r = four_cores();
    const size_t before = r.sample_count;
    r.samples = realloc(r.samples, 2 * before * sizeof *r.samples);
    for (size_t i = 0; i < before; i++)
        if (strcmp(r.samples[i].kernel, "avx2.load") == 0) {
            struct sample *gather = &r.samples[r.sample_count++];
            *gather = r.samples[i];
            strcpy(gather->kernel, "avx2.gather");
            gather->value *= 4, gather->per_cycle *= 4;
        }
    assert_true(r.sample_count > before);
    return r;
}

static void no_headline_of_a_comparison(void **state) {
    (void)state;
    struct result r = gathering();
    struct model model = model_build(&r);
    const struct compare_side sides[] = {{.model = &model, .path = "a"}, {.model = &model, .path = "b"}};
    struct comparison c = compare_make(sides, 2, 0);
    size_t bandwidths = 0, gathers = 0;
    for (size_t i = 0; i < c.headline_count; i++) {
        bandwidths += c.headlines[i].key.kind == SAMPLE_BANDWIDTH;
        assert_null(strstr(c.headlines[i].roofs[0]->sample->kernel, "gather"));
    }
    for (size_t i = 0; i < c.row_count; i++)
        gathers += strstr(c.rows[i].key.kernel, "gather") != NULL;
    assert_int_equal(bandwidths, 8); /* of four levels, of one core and of all */
    assert_int_equal(gathers, 8);    /* but its roofs are compared */
    compare_free(&c);
    model_free(&model);
    results_free(&r);
}

static void no_headline_of_a_check(void **state) {
    (void)state;
    struct result r = gathering();
    struct model model = model_build(&r);
    struct baseline baseline = {.per = PER_MACHINE};
    struct check_limits limits;
    struct error err = {""};
    const struct check_row *rows[CHECK_MAX_HEADLINES];
    baseline_add(&baseline, &model);
    baseline_finish(&baseline);
    assert_true(check_read_limits(NULL, &limits, &err));
    struct check check = check_make(&model, &baseline, &limits);
    const size_t count = check_headlines(&check, rows);
    size_t latencies = 0;
    for (size_t i = 0; i < count; i++) {
        assert_null(strstr(rows[i]->key.kernel, "gather"));
        latencies += rows[i]->key.kind == SAMPLE_LATENCY;
    }
    assert_int_equal(latencies, 4); /* a chase is scattered, too, but waits for each line */
    check_free(&check);
    baseline_free(&baseline);
    model_free(&model);
    results_free(&r);
}

/* A store past the caches has no limit of the caches' ports. */
static void no_limit_of_a_plain_store(void **state) {
    (void)state;
    const struct uarch *uarch = uarch_named("Zen 4");
    struct kernel kernel = **kernel_find("avx2.store", NULL);
    assert_true(bench_documented(uarch, &kernel, 1).per_cycle > 0);
    kernel.name = "avx2.ntcopy", kernel.op = "ntcopy";
    assert_true(bench_documented(uarch, &kernel, 1).per_cycle == 0);
}

static double memory_share(const struct result *r) {
    struct model model = model_build(r);
    const struct spec spec = {.cores = 4, .memory_channels = 8, .memory_transfers_per_s = 3.2e9};
    struct shortfalls shortfalls = shortfalls_find(&model, &spec);
    const struct specification specification = specification_judge(&model, &shortfalls, &spec);
    double share = 0;
    for (size_t i = 0; i < specification.count; i++)
        if (strcmp(specification.figures[i].name, "memory") == 0)
            share = specification.figures[i].all;
    shortfalls_free(&shortfalls);
    model_free(&model);
    return share;
}

static void no_bandwidth_of_a_specification(void **state) {
    (void)state;
    struct result plain = four_cores(), gathers = gathering();
    const double share = memory_share(&plain);
    assert_true(share > 0);
    assert_near(memory_share(&gathers), share);
    results_free(&plain);
    results_free(&gathers);
}

static void no_roof_of_a_picture(void **state) {
    (void)state;
    struct result plain = four_cores(), gathers = gathering();
    static const char *const CHARTS[] = {"roofline", "scaling"};
    for (size_t i = 0; i < sizeof CHARTS / sizeof *CHARTS; i++) {
        char *without = drawn(&plain, CHARTS[i], (struct chart_options){0}),
             *with = drawn(&gathers, CHARTS[i], (struct chart_options){0});
        assert_string_equal(with, without);
        free(without);
        free(with);
    }
    struct roofs roofs;
    static struct points points;
    struct model model = model_build(&gathers);
    find(&model, &(struct chart_options){.random = true}, BYTES_CORE, &roofs, &points);
    assert_int_equal(roofs.random_count, 2); /* L3 and DRAM: on request, the fastest one */
    assert_string_equal(roofs.random[0].roof->op, "gather");
    model_free(&model);
    results_free(&plain);
    results_free(&gathers);
}

static void no_size_of_a_cache(void **state) {
    (void)state;
    struct result r = four_cores();
    struct curve *curve = &r.curves[0];
    for (size_t i = 0; i < curve->count; i++)
        curve->points[i].value = curve->points[i].working_set_bytes > KIB(48) ? 1e11 : 3e11;
    strcpy(curve->kernel, "avx2.gather");
    results_judge(&r.levels[0], curve);
    assert_false(r.levels[0].level[0].judged);
    strcpy(curve->kernel, "avx2.load");
    results_judge(&r.levels[0], curve);
    assert_true(r.levels[0].level[0].judged);
    results_free(&r);
}

/* Streams are a class of their own. */
static void no_stream_of_a_fleet(void **state) {
    (void)state;
    struct fleet fleet = make_fleet(NODES, 1);
    for (size_t k = 0; k < fleet.keys.count; k++)
        if (strcmp(fleet.keys.keys[k].kernel, "avx512.random") == 0)
            strcpy(fleet.keys.keys[k].kernel, "avx512.gather");
    struct verdict_of_fleet verdict = judge(&fleet);
    const struct fleet_group *group = &verdict.groups.groups[0];
    size_t gathers = 0;
    for (size_t k = 0; k < fleet.keys.count; k++) {
        const bool gather = strcmp(fleet.keys.keys[k].kernel, "avx512.gather") == 0;
        assert_true(group->classes[group->roofs[k].class].random == gather);
        gathers += gather;
    }
    assert_int_equal(gathers, 2); /* of one core, and of all */
    free_all(&fleet, &verdict);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_headline_of_a_comparison), cmocka_unit_test(no_headline_of_a_check),
        cmocka_unit_test(no_limit_of_a_plain_store),   cmocka_unit_test(no_bandwidth_of_a_specification),
        cmocka_unit_test(no_roof_of_a_picture),        cmocka_unit_test(no_size_of_a_cache),
        cmocka_unit_test(no_stream_of_a_fleet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
