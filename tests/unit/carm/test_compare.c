/* SPDX-License-Identifier: BSD-3-Clause
 * Comparisons of results: which roofs are paired, their ratios, and what is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/compared.h"

static const struct compare_row *best_of(const struct comparison *c, enum sample_kind kind, const char *name,
                                         unsigned cores) {
    struct roof_key key = key_of(kind, "", kind == SAMPLE_COMPUTE ? "" : name, cores);
    snprintf(key.type, sizeof key.type, "%s", kind == SAMPLE_COMPUTE ? name : "");
    return find(c->headlines, c->headline_count, &key);
}

static void keys_name_what_is_the_same(void **state) {
    struct bench b = {0};
    char text[224];
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    const struct model *model = &b.models[0];
    unsigned one = 0, all = 0;
    for (size_t i = 0; i < model->count; i++) {
        const struct roof *roof = &model->roofs[i];
        const struct roof_key key = roof_key_make(model, roof);
        assert_int_equal(key.cores, roof->sample->threads == 1 ? 1 : ROOF_ALL_CORES);
        one += key.cores == 1;
        all += key.cores == ROOF_ALL_CORES;
        if (strcmp(roof->sample->kernel, "avx2.load") == 0 && key.cores == 1 && strcmp(key.level, "L1") == 0)
            assert_string_equal(roof_key_text(&key, text, sizeof text), "L1 avx2.load, one core");
    }
    assert_true(one > 10 && all > 10);
    struct roof_key key = key_of(SAMPLE_BANDWIDTH, "avx2.random", "DRAM", 4);
    key.small_pages = 4, key.node = 2, key.memory_node = 1;
    assert_string_equal(roof_key_text(&key, text, sizeof text),
                        "DRAM avx2.random (4 KiB pages), 4 cores, node 1, memory on node 0");
    assert_string_equal(roof_key_unit(&key), "B/s");
    key = key_of(SAMPLE_COMPUTE, "avx512.i8.dot", "", ROOF_ALL_CORES);
    assert_string_equal(roof_key_text(&key, text, sizeof text), "avx512.i8.dot, all cores");
    assert_string_equal(roof_key_unit(&key), "op/s");
    assert_string_equal(roof_key_unit_name(&key), "op_per_s");
    key = key_of(SAMPLE_COMPUTE, "avx512.f64.dot", "", 0);
    assert_string_equal(roof_key_text(&key, text, sizeof text), "avx512.f64.dot");
    assert_string_equal(roof_key_unit_name(&key), "flop_per_s");
    bench_free(&b);
}

/* A node's cores are all cores of that node, not of the machine; the same for a kind's. */
static void all_cores_are_those_of_the_place(void **state) {
    (void)state;
    struct sample samples[] = {
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 2, .value = 1, .node = 1},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 4, .value = 1, .node = 1},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 2, .value = 1},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 2, .value = 1, .core_kind = "E"},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 16, .value = 1, .cores = 8}};
    static const unsigned CORES[] = {2, ROOF_ALL_CORES, 2, ROOF_ALL_CORES, ROOF_ALL_CORES};
    struct result r = {.sample_count = 5, .samples = samples};
    r.machine.core_count = 8;
    r.machine.kind_count = 2;
    strcpy(r.machine.kinds[1].name, "E");
    r.machine.kinds[1].core_count = 2;
    struct model model = model_build(&r);
    for (size_t i = 0; i < 5; i++) {
        const struct roof_key key = roof_key_make(&model, &model.roofs[i]);
        assert_int_equal(key.cores, CORES[i]);
        assert_int_equal(key.smt, i == 4);
    }
    model_free(&model);
}

/* For a machine measured by another tool often only the name is known: the highest number of threads is all its cores,
 * and so is an unknown number of threads. */
static void unknown_machines_have_all_cores_too(void **state) {
    struct sample samples[] = {
        {.kernel = "stream.copy", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .threads = 1, .value = 1e10},
        {.kernel = "stream.copy", .level = "DRAM", .kind = SAMPLE_BANDWIDTH, .threads = 4, .value = 4e10},
        {.kernel = "ert.f64.peak", .kind = SAMPLE_COMPUTE, .value = 1e12}};
    static const unsigned CORES[] = {1, ROOF_ALL_CORES, ROOF_ALL_CORES};
    struct result r = {.sample_count = 3, .samples = samples, .machine.cpu.brand = "Some CPU"};
    struct bench b = {0};
    (void)state;
    struct model model = model_build(&r);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(roof_key_make(&model, &model.roofs[i]).cores, CORES[i]);
    assert_true(isnan(compare_value(&model.roofs[2], PER_CORE)));
    assert_near(compare_value(&model.roofs[1], PER_CORE), 1e10);
    bench_add(&b, machine(4, FIXTURE_AVX2));
    struct compare_side sides[] = {b.sides[0], {.model = &model, .path = "import.json"}};
    compare_label(sides, 2);
    struct comparison c = compare_make(sides, 2, 0);
    const struct compare_row *row = best_of(&c, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    assert_near(compare_ratio(&c, row, 1, PER_MACHINE), 1e12 / row->roofs[0]->sample->value);
    char *text = printed(&c, PER_CORE);
    assert_contains(text, "cores unknown");
    assert_null(strstr(text, " 0 B"));
    assert_null(strstr(text, "inf"));
    free(text);
    compare_free(&c);
    model_free(&model);
    bench_free(&b);
}

static void keys_are_found_again(void **state) {
    struct roof_keys keys = {0};
    struct roof_key key = key_of(SAMPLE_COMPUTE, "", "", 1);
    (void)state;
    assert_true(roof_keys_find(&keys, &key) == ROOF_KEYS_NONE);
    for (size_t i = 0; i < 1000; i++) {
        snprintf(key.kernel, sizeof key.kernel, "kernel%zu", i);
        assert_int_equal(roof_keys_put(&keys, &key), i);
        assert_int_equal(roof_keys_put(&keys, &key), i);
        memset(key.kernel, 0, sizeof key.kernel);
    }
    for (size_t i = 0; i < 1000; i++) {
        snprintf(key.kernel, sizeof key.kernel, "kernel%zu", i);
        assert_int_equal(roof_keys_find(&keys, &key), i);
        memset(key.kernel, 0, sizeof key.kernel);
    }
    strcpy(key.kernel, "kernel1000");
    assert_true(roof_keys_find(&keys, &key) == ROOF_KEYS_NONE);
    assert_int_equal(keys.count, 1000);
    roof_keys_free(&keys);
}

/* One core is paired with one core, and all with all, however many they are. */
static void roofs_meet_by_kernel_level_and_cores(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    bench_add(&b, machine(16, FIXTURE_AVX512));
    fixture_sample_of(&b.results[1], "avx2.load", "L2", 16)->value *= 2;
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct compare_row *row = row_of(&c, SAMPLE_BANDWIDTH, "avx2.load", "L2", ROOF_ALL_CORES);
    assert_int_equal(row->roofs[0]->sample->threads, 4);
    assert_int_equal(row->roofs[1]->sample->threads, 16);
    const double one = row->roofs[1]->sample->value / row->roofs[0]->sample->value;
    assert_near(compare_ratio(&c, row, 0, PER_MACHINE), 1);
    assert_near(compare_ratio(&c, row, 1, PER_MACHINE), one);
    assert_near(compare_ratio(&c, row, 1, PER_CORE), one / 4);
    assert_near(compare_value(row->roofs[1], PER_CORE), row->roofs[1]->sample->value / 16);
    assert_near(compare_ratio(&c, row, 1, PER_CYCLE),
                row->roofs[1]->sample->per_cycle / row->roofs[0]->sample->per_cycle);
    row = row_of(&c, SAMPLE_LATENCY, "chase", "L2", 1);
    assert_near(compare_value(row->roofs[0], PER_CORE), row->roofs[0]->sample->value); /* each core waits as long */
    for (size_t i = 0; i < c.row_count; i++)
        for (size_t side = 0; side < 2; side++) {
            const struct roof *roof = c.rows[i].roofs[side];
            assert_true(!roof || strcmp(roof->sample->kernel, c.rows[i].key.kernel) == 0);
            assert_true(!roof || strcmp(roof->sample->level, c.rows[i].key.level) == 0);
            assert_true(!roof || roof->sample->small_pages == (c.rows[i].key.small_pages > 0));
        }
    assert_int_equal(compare_turn(&c, 0), 0);
    compare_free(&c);
    bench_free(&b);
}

static void what_a_side_lacks_is_told(void **state) {
    struct bench b = {0};
    size_t missing, more;
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    bench_add(&b, machine(4, FIXTURE_AVX512));
    for (size_t base = 0; base < 2; base++) {
        struct comparison c = compare_make(b.sides, 2, base);
        const struct compare_row *row = row_of(&c, SAMPLE_COMPUTE, "avx512.f64.fma", "", 1);
        assert_null(row->roofs[0]);
        assert_non_null(row->roofs[1]);
        assert_true(isnan(compare_value(row->roofs[0], PER_MACHINE)));
        assert_true(isnan(compare_ratio(&c, row, 1 - base, PER_MACHINE)));
        assert_ptr_equal(compare_any(&c, row), row->roofs[1]);
        compare_count(&c, 0, &missing, &more);
        assert_true(base == 0 ? missing == 0 && more == 0 : missing > 10);
        compare_count(&c, 1, &missing, &more);
        assert_true(base == 0 ? more > 10 : missing == 0 && more == 0);
        /* The base's rows come first, in its order. */
        for (size_t i = 0; i < b.models[base].count; i++)
            assert_ptr_equal(c.rows[i].roofs[base], &b.models[base].roofs[i]);
        compare_free(&c);
    }
    bench_free(&b);
}

static void the_clock_may_not_be_known(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(2, FIXTURE_AVX2));
    bench_add(&b, machine(2, FIXTURE_AVX2));
    fixture_sample_of(&b.results[1], "avx2.f64.fma", "", 1)->per_cycle = 0;
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct compare_row *row = row_of(&c, SAMPLE_COMPUTE, "avx2.f64.fma", "", 1);
    assert_true(isnan(compare_ratio(&c, row, 1, PER_CYCLE)));
    assert_near(compare_ratio(&c, row, 1, PER_MACHINE), 1);
    compare_label(b.sides, 2);
    char *text = printed(&c, PER_CYCLE);
    assert_contains(text, "clock unknown");
    assert_contains(text, "kernel (flop/cycle)");
    fixture_says(text, "kernel (cycles, lower is better)");
    compare_free(&c);
    bench_free(&b);
}

/* The best of each, although the kernel differs between machines; excluding random lines, small pages and parts of a
 * machine. */
/* Peaks are not compared if a blank ceiling may be the highest. */
static void blank_bests_are_not_compared(void **state) {
    struct bench b = {0};
    (void)state;
    struct result blank = machine(4, FIXTURE_AVX512);
    for (size_t i = 0; i < blank.sample_count; i++)
        if (strstr(blank.samples[i].kernel, "avx512.f64") && blank.samples[i].threads == 4)
            blank.samples[i].documented_per_cycle = 48, sample_blank(&blank.samples[i]);
    bench_add(&b, machine(4, FIXTURE_AVX512));
    bench_add(&b, blank);
    for (size_t i = 0; i < b.results[1].sample_count; i++)
        if (!strstr(b.results[1].samples[i].kernel, "avx512"))
            b.results[1].samples[i].per_cycle = 8;
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct compare_row *row = best_of(&c, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    assert_non_null(row->roofs[0]);
    assert_null(row->roofs[1]);
    assert_non_null(row->blanks[1]);
    assert_true(isnan(compare_ratio(&c, row, 1, PER_MACHINE)));
    row = best_of(&c, SAMPLE_COMPUTE, "f32", ROOF_ALL_CORES);
    assert_true(row->roofs[1] && !row->blanks[1]);
    compare_free(&c);
    bench_free(&b);
}

static void headlines_are_the_best(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    bench_add(&b, machine(8, FIXTURE_AVX512));
    fixture_sample_of(&b.results[0], "avx2.store", "L2", 4)->value = 9e13;
    fixture_sample_of(&b.results[1], "avx512.random", "L2", 8)->value = 9e14;
    fixture_sample_of(&b.results[1], "avx512.load", "L2", 8)->value = 9e13;
    for (size_t i = 0; i < b.results[0].sample_count; i++)
        if (b.results[0].samples[i].small_pages)
            b.results[0].samples[i].value *= b.results[0].samples[i].kind == SAMPLE_LATENCY ? 0.1 : 100;
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct compare_row *row = best_of(&c, SAMPLE_BANDWIDTH, "L2", ROOF_ALL_CORES);
    assert_string_equal(row->roofs[0]->sample->kernel, "avx2.store");
    assert_string_equal(row->roofs[1]->sample->kernel, "avx512.load");
    row = best_of(&c, SAMPLE_LATENCY, "L2", 1);
    assert_false(row->roofs[0]->sample->small_pages);
    row = best_of(&c, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES); /* FMA against FMA, whatever else is higher */
    assert_string_equal(row->roofs[0]->op, "fma");
    assert_string_equal(row->roofs[1]->op, "fma");
    for (size_t i = 0; i < b.models[1].count; i++) {
        const struct roof *roof = &b.models[1].roofs[i];
        if (strcmp(roof->type, "f64") == 0 && strcmp(roof->op, "fma") == 0 && roof->sample->threads == 8)
            assert_true(roof->sample->value <= row->roofs[1]->sample->value);
    }
    /* By cores, then ceilings by type, caches from the core, memory, latency. */
    static const char *const ORDER[] = {"f64", "f32"}, *const LEVELS[] = {"L1", "L2", "L3", "DRAM"};
    size_t at = 0;
    for (size_t i = 0; i < 2; i++, at++)
        assert_string_equal(c.headlines[at].key.type, ORDER[i]);
    while (c.headlines[at].key.kind == SAMPLE_COMPUTE)
        at++;
    for (size_t i = 0; i < 4; i++, at++)
        assert_string_equal(c.headlines[at].key.level, LEVELS[i]);
    assert_true(c.headlines[at].key.kind == SAMPLE_LATENCY);
    assert_int_equal(c.headlines[0].key.cores, 1);
    compare_free(&c);
    bench_free(&b);
}

/* Cores of several kinds compete; for latencies the shortest is the best. */
static void the_best_latency_is_the_shortest(void **state) {
    static const double SECONDS[] = {3e-9, 1e-9, 2e-9};
    static const char *const KINDS[] = {"E", "P", "LP"};
    struct sample samples[3];
    struct compare_side sides[2];
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        samples[i] = (struct sample){
            .kernel = "chase", .level = "L1", .kind = SAMPLE_LATENCY, .threads = 1, .value = SECONDS[i]};
        strcpy(samples[i].core_kind, KINDS[i]);
    }
    struct result r = {.sample_count = 3, .samples = samples};
    struct model model = model_build(&r);
    sides[0] = sides[1] = (struct compare_side){.model = &model, .path = "x.json"};
    struct comparison c = compare_make(sides, 2, 0);
    assert_int_equal(c.headline_count, 1);
    assert_near(c.headlines[0].roofs[1]->sample->value, 1e-9);
    assert_int_equal(c.row_count, 3);
    compare_free(&c);
    model_free(&model);
}

/* The base, then what lies farthest from the chosen ones; a wide interval is no difference. */
static void the_most_different_are_chosen(void **state) {
    static const double NANOSECONDS[] = {1, 1.1, 4, 0.3, 3.9, 10};
    struct sample samples[6];
    struct result results[6];
    struct model models[6];
    struct compare_side sides[6];
    bool chosen[6];
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        const double value = NANOSECONDS[i] * 1e-9, wide = i == 5 ? 100 : 1.01;
        samples[i] = (struct sample){.kernel = "chase",
                                     .level = "L1",
                                     .kind = SAMPLE_LATENCY,
                                     .threads = 1,
                                     .value = value,
                                     .low = value / wide,
                                     .high = value * wide};
        results[i] = (struct result){.sample_count = 1, .samples = &samples[i]};
        models[i] = model_build(&results[i]);
        sides[i] = (struct compare_side){.model = &models[i], .path = "x.json"};
    }
    struct comparison c = compare_make(sides, 6, 0);
    compare_most_different(&c, 3, chosen);
    assert_true(chosen[0] && chosen[2] && chosen[3] && !chosen[1] && !chosen[4] && !chosen[5]);
    compare_most_different(&c, 9, chosen);
    for (size_t i = 0; i < 6; i++)
        assert_true(chosen[i]);
    compare_free(&c);
    for (size_t i = 0; i < 6; i++)
        model_free(&models[i]);
}

/* Labels that are cut still differ. */
static void long_names_stay_apart(void **state) {
    static char paths[3][96];
    static const char *const PATHS[] = {"a/very/long/path/of/one/campaign/on/the/first/of/all/machines/result.json",
                                        "a/very/long/path/of/one/campaign/on/the/other/of/all/machines/result.json",
                                        "b/very/long/path/of/one/campaign/on/the/first/of/all/machines/result.json"};
    struct bench b = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bench_add(&b, machine(2, FIXTURE_AVX2));
        b.sides[i].path = PATHS[i];
    }
    compare_label(b.sides, 3);
    for (size_t i = 1; i < 3; i++)
        assert_string_not_equal(b.sides[i].label, b.sides[i - 1].label);
    assert_string_not_equal(b.sides[0].label, b.sides[2].label);
    for (size_t i = 0; i < 3; i++) { /* where only the middle differs, they keep it */
        snprintf(paths[i], sizeof paths[i], "a-cluster-of-the-institute-node-%zu-in-the-rack-with-number-seven.json",
                 i);
        b.sides[i].path = paths[i];
    }
    compare_label(b.sides, 3);
    assert_string_equal(b.sides[2].label, "a-cluster-of-the…2-in-the-rack-with-number-seven");
    for (size_t i = 0; i < 3; i++) { /* ends are cut between words */
        snprintf(paths[i], sizeof paths[i],
                 "a-cluster-of-the-institute-node-%zu-in-rack-seven-after-the-update-of-may.json", i);
        b.sides[i].path = paths[i];
    }
    compare_label(b.sides, 3);
    assert_string_equal(b.sides[2].label, "a-cluster-of-the…2-in-rack-seven-after-the…");
    bench_free(&b);
}

/* Names of twelve machines that differ in several places, more than a label has room for. */
static void long_names_of_many_stay_apart(void **state) {
    enum { COUNT = 12 };
    static const char WORDS[] = "-is-a-part-of-the-name-that-is-long";
    static char paths[COUNT][192];
    struct bench b = {0};
    struct compare_side sides[COUNT];
    (void)state;
    bench_add(&b, machine(2, FIXTURE_AVX2));
    for (size_t i = 0; i < COUNT; i++) {
        sides[i] = b.sides[0];
        snprintf(paths[i], sizeof paths[i], "%c%s-%c%s-%c%s.json", 'a' + (char)(i % 2), WORDS, 'a' + (char)(i / 2 % 3),
                 WORDS, 'a' + (char)(i / 6), WORDS);
        sides[i].path = paths[i];
    }
    compare_label(sides, COUNT);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(sides[i].label, sides[k].label) == 0)
                fail_msg("%zu and %zu: %s", k, i, sides[i].label);
    bench_free(&b);
}

/* Numbers of cores tell machines of one kind apart; of files, names without the time of their measurement. */
static void names_are_short(void **state) {
    static const char *const PATHS[] = {"vm-20261127T102622Z.json", "pm-20261127T102622Z.json", "b.json"};
    struct bench b = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bench_add(&b, machine(i == 2 ? 4 : 2, FIXTURE_AVX2));
        b.sides[i].path = PATHS[i];
    }
    compare_label(b.sides, 2);
    assert_string_equal(b.sides[0].label, "vm");
    assert_string_equal(b.sides[1].label, "pm");
    compare_label(b.sides + 1, 2);
    assert_string_equal(b.sides[1].label, "2 cores");
    assert_string_equal(b.sides[2].label, "4 cores");
    snprintf(b.results[1].uarch, sizeof b.results[1].uarch, "Zen 9");
    compare_label(b.sides, 2); /* as many cores */
    assert_string_equal(b.sides[1].label, "Zen 9");
    compare_label(b.sides, 3);
    assert_string_equal(b.sides[1].label, "Zen 9 (2 cores)");
    assert_non_null(strstr(b.sides[2].label, " (4 cores)"));
    bench_free(&b);
}

/* A machine with one core: this core is compared with all cores of others, too. */
static void a_single_core_is_all_cores_too(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    bench_add(&b, machine(1, FIXTURE_AVX2));
    struct comparison c = compare_make(b.sides, 2, 0);
    const struct compare_row *row = best_of(&c, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    assert_int_equal(row->roofs[1]->sample->threads, 1);
    row = row_of(&c, SAMPLE_BANDWIDTH, "avx2.load", "DRAM", ROOF_ALL_CORES);
    assert_int_equal(row->roofs[1]->sample->threads, 1);
    compare_free(&c);
    bench_free(&b);
}

static void labels_are_safe_to_print(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    struct compare_side sides[] = {{.model = &b.models[0], .path = "a\033[2J.json", .cores = ROOF_ALL_CORES},
                                   {.model = &b.models[0], .path = "b.json", .cores = ROOF_ALL_CORES}};
    compare_label(sides, 2);
    assert_non_null(strstr(sides[0].label, "[2J"));
    assert_null(strchr(sides[0].label, '\033'));
    bench_free(&b);
}

/* One result, by the number of cores. */
static void sides_may_be_numbers_of_cores(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    struct compare_side sides[] = {{.model = &b.models[0], .path = "x", .cores = 1},
                                   {.model = &b.models[0], .path = "x", .cores = ROOF_ALL_CORES}};
    compare_label(sides, 2);
    assert_string_equal(sides[0].label, "one core");
    assert_string_equal(sides[1].label, "all cores");
    struct comparison c = compare_make(sides, 2, 0);
    assert_true(compare_is_one_result(&c) && compare_is_one_machine(&c));
    const struct compare_row *row = row_of(&c, SAMPLE_COMPUTE, "avx2.f64.fma", "", 0);
    assert_int_equal(row->roofs[0]->sample->threads, 1);
    assert_int_equal(row->roofs[1]->sample->threads, 4);
    const double ratio = row->roofs[1]->sample->value / row->roofs[0]->sample->value;
    assert_near(compare_ratio(&c, row, 1, PER_MACHINE), ratio);
    assert_near(compare_ratio(&c, row, 1, PER_CORE), ratio / 4);
    assert_null(row_of(&c, SAMPLE_LATENCY, "chase", "L1", 0)->roofs[1]);
    compare_free(&c);
    bench_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_name_what_is_the_same),
        cmocka_unit_test(all_cores_are_those_of_the_place),
        cmocka_unit_test(unknown_machines_have_all_cores_too),
        cmocka_unit_test(keys_are_found_again),
        cmocka_unit_test(roofs_meet_by_kernel_level_and_cores),
        cmocka_unit_test(what_a_side_lacks_is_told),
        cmocka_unit_test(the_clock_may_not_be_known),
        cmocka_unit_test(blank_bests_are_not_compared),
        cmocka_unit_test(headlines_are_the_best),
        cmocka_unit_test(the_best_latency_is_the_shortest),
        cmocka_unit_test(a_single_core_is_all_cores_too),
        cmocka_unit_test(labels_are_safe_to_print),
        cmocka_unit_test(sides_may_be_numbers_of_cores),
        cmocka_unit_test(the_most_different_are_chosen),
        cmocka_unit_test(long_names_stay_apart),
        cmocka_unit_test(long_names_of_many_stay_apart),
        cmocka_unit_test(names_are_short),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
