/* SPDX-License-Identifier: BSD-3-Clause
 * Results side by side: which roofs meet, their ratios, what is missing, how machines are told apart, and the forms in
 * which that is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/tables/compare_report.h"
#include "fixtures.h"

enum { MOST_SIDES = 12 };

/* Results, as a command line names them. */
struct bench {
    size_t count;
    struct result results[MOST_SIDES];
    struct model models[MOST_SIDES];
    struct compare_side sides[MOST_SIDES];
    char paths[MOST_SIDES][32];
};

static void bench_add(struct bench *bench, struct result result) {
    const size_t i = bench->count++;
    bench->results[i] = result;
    bench->models[i] = model_build(&bench->results[i]);
    snprintf(bench->paths[i], sizeof bench->paths[0], "results/file%zu.json", i);
    bench->sides[i] = (struct compare_side){.model = &bench->models[i], .path = bench->paths[i]};
}

static void bench_free(struct bench *bench) {
    for (size_t i = 0; i < bench->count; i++) {
        model_free(&bench->models[i]);
        results_free(&bench->results[i]);
    }
    bench->count = 0;
}

static struct result machine(unsigned cores, uint32_t features) {
    return fixture_result(fixture_machine(cores, features), &(struct plan_options){.both_pages = true});
}

static struct result machine_at(unsigned cores, const char *uarch, const char *host) {
    struct result r = machine(cores, FIXTURE_AVX2);
    snprintf(r.uarch, sizeof r.uarch, "%s", uarch);
    snprintf(r.machine.host, sizeof r.machine.host, "%s", host);
    return r;
}

static struct roof_key key_of(enum sample_kind kind, const char *kernel, const char *level, unsigned cores) {
    struct roof_key key;
    memset(&key, 0, sizeof key);
    key.kind = kind;
    key.cores = cores;
    strcpy(key.kernel, kernel);
    strcpy(key.level, level);
    return key;
}

static const struct compare_row *find(const struct compare_row *rows, size_t count, const struct roof_key *key) {
    for (size_t i = 0; i < count; i++)
        if (memcmp(&rows[i].key, key, sizeof *key) == 0)
            return &rows[i];
    return NULL;
}

static const struct compare_row *row_of(const struct comparison *c, enum sample_kind kind, const char *kernel,
                                        const char *level, unsigned cores) {
    const struct roof_key key = key_of(kind, kernel, level, cores);
    const struct compare_row *row = find(c->rows, c->row_count, &key);
    if (!row)
        fail_msg("no row %s %s of %u cores", level, kernel, cores);
    return row;
}

static const struct compare_row *best_of(const struct comparison *c, enum sample_kind kind, const char *name,
                                         unsigned cores) {
    const struct roof_key key =
        key_of(kind, kind == SAMPLE_COMPUTE ? name : "", kind == SAMPLE_COMPUTE ? "" : name, cores);
    return find(c->headlines, c->headline_count, &key);
}

static char *printed(const struct comparison *c, enum compare_per per) {
    size_t length;
    FILE *out = fopen(fixture_path("compare.txt"), "w");
    assert_non_null(out);
    compare_print(c, per, out);
    fclose(out);
    return fixture_read(fixture_path("compare.txt"), &length);
}

static void says(char *text, const char *part) {
    assert_contains(text, part);
    free(text);
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
    key.small_pages = true, key.node = 2, key.memory_node = 1;
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

/* A node's cores are all cores of that node, not of the machine; so are a kind's. */
static void all_cores_are_those_of_the_place(void **state) {
    (void)state;
    struct sample samples[] = {
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 2, .node = 1},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 4, .node = 1},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 2},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 2, .core_kind = "E"},
        {.kernel = "avx2.load", .level = "L1", .kind = SAMPLE_BANDWIDTH, .threads = 16, .cores = 8}};
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

/* Of a machine that another tool measured often only the name is known: the most threads are all its cores, and so are
 * those of which nobody told how many they are. */
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

/* One core meets one core, and all meet all, however many they are. */
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
            assert_true(!roof || roof->sample->small_pages == c.rows[i].key.small_pages);
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
    says(text, "kernel (cycles, less is better)");
    compare_free(&c);
    bench_free(&b);
}

/* The best of each: another kernel on each machine; neither random lines nor small pages nor parts of a machine. */
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
    row = best_of(&c, SAMPLE_COMPUTE, "f64", ROOF_ALL_CORES);
    assert_string_equal(row->roofs[1]->type, "f64");
    for (size_t i = 0; i < b.models[1].count; i++) {
        const struct roof *roof = &b.models[1].roofs[i];
        if (strcmp(roof->type, "f64") == 0 && roof->sample->threads == 8)
            assert_true(roof->sample->value <= row->roofs[1]->sample->value);
    }
    /* By cores, then ceilings by type, caches from the core, memory, latency. */
    static const char *const ORDER[] = {"f64", "f32"}, *const LEVELS[] = {"L1", "L2", "L3", "DRAM"};
    size_t at = 0;
    for (size_t i = 0; i < 2; i++, at++)
        assert_string_equal(c.headlines[at].key.kernel, ORDER[i]);
    while (c.headlines[at].key.kind == SAMPLE_COMPUTE)
        at++;
    for (size_t i = 0; i < 4; i++, at++)
        assert_string_equal(c.headlines[at].key.level, LEVELS[i]);
    assert_true(c.headlines[at].key.kind == SAMPLE_LATENCY);
    assert_int_equal(c.headlines[0].key.cores, 1);
    compare_free(&c);
    bench_free(&b);
}

/* Cores of several kinds compete, and of latencies the shortest is the best. */
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

/* Its one core is all that it has, and so stands beside all cores of others. */
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

static void labels_say_what_differs(void **state) {
    static const struct {
        const char *uarch[3], *hosts[3], *labels[3];
    } rows[] = {
        {{"Zen 4", "Golden Cove (Sapphire Rapids)"}, {"a", "a"}, {"Zen 4", "Golden Cove"}},
        {{"Zen 4", "Zen 4"}, {"a", "b"}, {"a", "b"}},
        {{"Zen 4", "Zen 4"}, {"a", "a"}, {"file0", "file1"}},
        {{"Zen 4", "Zen 4", "Zen 5"}, {"a", "b", "c"}, {"Zen 4 a", "Zen 4 b", "Zen 5"}},
        {{"Zen 4", "", "Zen 5"}, {"a", "b", "c"}, {"Zen 4", "Made-up CPU", "Zen 5"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b = {0};
        for (size_t k = 0; k < 3 && rows[i].uarch[k]; k++)
            bench_add(&b, machine_at(2, rows[i].uarch[k], rows[i].hosts[k]));
        compare_label(b.sides, b.count);
        for (size_t k = 0; k < b.count; k++)
            assert_string_equal(b.sides[k].label, rows[i].labels[k]);
        bench_free(&b);
    }
    struct bench b = {0}; /* files of one name in two folders */
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    b.sides[0].path = "old/a.json", b.sides[1].path = "new/a.json";
    compare_label(b.sides, 2);
    assert_string_equal(b.sides[0].label, "old/a.json");
    assert_string_equal(b.sides[1].label, "new/a.json");
    bench_free(&b);
}

static void add_point(struct result *r, const char *name, double seconds) {
    r->points = realloc(r->points, (r->point_count + 1) * sizeof *r->points);
    r->points[r->point_count] = fixture_point(name);
    r->points[r->point_count++].seconds = app_once(seconds);
}

static void applications_meet_by_name(void **state) {
    struct bench b = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        bench_add(&b, machine_at(2, "Zen 4", i == 0 ? "a" : i == 1 ? "b" : "c"));
    add_point(&b.results[0], "solve", 0.02);
    add_point(&b.results[0], "alone", 0.02);
    add_point(&b.results[1], "other", 0.02);
    add_point(&b.results[1], "solve", 0.01);
    add_point(&b.results[2], "other", 0.04);
    struct comparison c = compare_make(b.sides, 3, 0);
    assert_int_equal(c.application_count, 2);
    assert_int_equal(c.lone_points, 1);
    assert_string_equal(c.applications[0].name, "solve");
    assert_int_equal(c.applications[0].first, 0);
    assert_null(c.applications[0].points[2]);
    assert_string_equal(c.applications[1].name, "other");
    assert_int_equal(c.applications[1].first, 1); /* the base lacks it */
    compare_free(&c);
    c = compare_make(b.sides, 3, 2);
    assert_int_equal(c.applications[1].first, 2);
    compare_label(b.sides, 3);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "-50.0 %");  /* other's time, against the base */
    assert_contains(text, "+100.0 %"); /* and its flop/s */
    says(text, "1 application was measured on one side alone");
    compare_free(&c);
    bench_free(&b);
}

static void doubts_of_both_are_told(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine_at(2, "Zen 4", "a"));
    bench_add(&b, machine_at(2, "Zen 5", "b"));
    compare_label(b.sides, 2);
    for (size_t i = 0; i < 2; i++)
        fixture_sample_of(&b.results[i], "avx2.f64.fma", "", 1)->doubts = DOUBT_UNSTABLE;
    fixture_sample_of(&b.results[1], "avx2.f64.fma", "", 1)->doubts |= DOUBT_OTHERS_ACTIVE;
    struct comparison c = compare_make(b.sides, 2, 0);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "unstable; B: others active");
    assert_contains(text, "▲ others active:"); /* with its remedy */
    says(text, "ratios against Zen 4");
    compare_free(&c);
    bench_free(&b);
}

static void the_best_are_named_where_they_differ(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX512));
    bench_add(&b, machine(4, FIXTURE_AVX512));
    bench_add(&b, machine(4, FIXTURE_AVX2));
    compare_label(b.sides, 3);
    struct comparison c = compare_make(b.sides, 3, 1);
    char *text = printed(&c, PER_MACHINE);
    assert_contains(text, "avx512.f64.fma; C: avx2.f64.fma ");
    assert_contains(text, "file1, the base");
    assert_contains(text, "▲ C lacks ");
    assert_contains(text, " that B has, and has ");
    says(text, " B             A   A/B             C    C/B  doubts\n");
    compare_free(&c);
    bench_free(&b);
}

/* Of many machines the range is told, with those at its ends. */
static void of_many_the_ends_are_named(void **state) {
    struct bench b = {0};
    (void)state;
    for (size_t i = 0; i < MOST_SIDES; i++) {
        char host[16];
        snprintf(host, sizeof host, "node%zu", i);
        bench_add(&b, machine_at(2, "Zen 4", host));
        fixture_sample_of(&b.results[i], "avx2.f64.fma", "", 2)->value *= i == 3 ? 0.5 : i == 7 ? 1.5 : 1;
    }
    b.results[5].sample_count = 3;
    fixture_sample_of(&b.results[2], "avx2.f64.fma", "", 2)->doubts = DOUBT_UNSTABLE;
    model_free(&b.models[5]);
    b.models[5] = model_build(&b.results[5]);
    compare_label(b.sides, b.count);
    struct comparison c = compare_make(b.sides, b.count, 0);
    char *text = printed(&c, PER_MACHINE);
    const char *fma = strstr(strstr(text, "── all cores ──"), "avx2.f64.fma ");
    assert_non_null(fma);
    char line[256];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(fma, "\n"), fma);
    assert_contains(line, "11 of 12   0.500  node3    1.00     1.50  node7         1");
    fma = strstr(fma, "avx2.f64.mul ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(fma, "\n"), fma);
    assert_null(strstr(line, "node")); /* all alike */
    says(text, "▲ node5 lacks ");
    for (size_t i = 0; i < MOST_SIDES; i++)
        fixture_intervals(&b.results[i], 0.2, 0.2);
    text = printed(&c, PER_MACHINE);
    assert_contains(strstr(strstr(text, "── all cores ──"), "avx2.f64.fma "), "0.500  node3    1.00     1.50  node7  ");
    free(text);
    for (size_t i = 0; i < MOST_SIDES; i++)
        fixture_intervals(&b.results[i], 0.5, 0.5); /* nobody knows who is at the ends */
    text = printed(&c, PER_MACHINE);
    fma = strstr(strstr(text, "── all cores ──"), "avx2.f64.fma ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(fma, "\n"), fma);
    assert_contains(line, "1.50");
    assert_null(strstr(line, "node"));
    free(text);
    compare_free(&c);
    bench_free(&b);
}

/* What two intervals share may be the truth of both: then the ratio is no difference. */
static void what_overlaps_is_no_difference(void **state) {
    static const struct {
        double factor; /* of the second's value, whose interval is 1 % below to 3 % above */
        bool alike;
    } rows[] = {{1, true}, {1.039, true}, {1.042, false}, {0.962, true}, {0.960, false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct bench b = {0};
        bench_add(&b, machine_at(2, "Zen 4", "a"));
        bench_add(&b, machine_at(2, "Zen 5", "b"));
        struct sample *base = fixture_sample_of(&b.results[0], "avx2.f64.fma", "", 2),
                      *own = fixture_sample_of(&b.results[1], "avx2.f64.fma", "", 2);
        fixture_intervals(&b.results[0], 0.01, 0.03);
        own->value *= rows[i].factor;
        own->per_cycle *= 2;
        fixture_intervals(&b.results[1], 0.01, 0.03);
        compare_label(b.sides, 2);
        struct comparison c = compare_make(b.sides, 2, 0);
        const struct compare_row *row = row_of(&c, SAMPLE_COMPUTE, "avx2.f64.fma", "", ROOF_ALL_CORES);
        assert_int_equal(compare_alike(row->roofs[0], row->roofs[1], PER_MACHINE), rows[i].alike);
        assert_int_equal(compare_alike(row->roofs[1], row->roofs[0], PER_CORE), rows[i].alike);
        assert_false(compare_alike(row->roofs[0], row->roofs[1], PER_CYCLE));
        assert_near(compare_interval(row->roofs[1], PER_CORE).high, own->value * 1.03 / 2);
        assert_near(compare_interval(row->roofs[1], PER_CYCLE).low, own->per_cycle * 0.99);
        assert_near(compare_ratio_interval(&c, row, 1, PER_MACHINE).low, rows[i].factor * 0.99 / 1.03);
        assert_near(compare_ratio_interval(&c, row, 1, PER_MACHINE).high, rows[i].factor * 1.03 / 0.99);
        char *text = printed(&c, PER_MACHINE), *line = strstr(strstr(text, "── all cores ──"), "avx2.f64.fma ");
        line[strcspn(line, "\n")] = '\0';
        assert_contains(text, "ratios against Zen 4 (≈: ");
        assert_int_equal(strstr(line, "≈") != NULL, rows[i].alike);
        free(text);
        base->low = base->high = 0; /* a file of before */
        assert_false(compare_alike(row->roofs[0], row->roofs[1], PER_MACHINE));
        assert_true(isnan(compare_ratio_interval(&c, row, 1, PER_MACHINE).low));
        for (size_t k = 0; k < b.results[1].sample_count; k++)
            b.results[1].samples[k].low = b.results[1].samples[k].high = 0;
        text = printed(&c, PER_MACHINE);
        assert_null(strstr(text, "≈"));
        free(text);
        compare_free(&c);
        bench_free(&b);
    }
}

static void csv_has_a_row_per_roof_and_side(void **state) {
    struct bench b = {0};
    char *text = NULL;
    size_t length, lines = 0, commas = 0;
    (void)state;
    bench_add(&b, machine_at(2, "Zen \"4\"", "a"));
    bench_add(&b, machine_at(2, "Zen 5", "b"));
    add_point(&b.results[0], "solve, fast", 0.02);
    add_point(&b.results[1], "solve, fast", 0.01);
    b.results[1].sample_count -= 2;
    model_free(&b.models[1]);
    b.models[1] = model_build(&b.results[1]);
    compare_label(b.sides, 2);
    struct comparison c = compare_make(b.sides, 2, 0);
    FILE *out = open_memstream(&text, &length);
    compare_csv(&c, out);
    fclose(out);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, lines++) {
        size_t own = 0;
        bool quoted = false;
        for (const char *at = line; *at != '\n'; at++) {
            quoted ^= *at == '"';
            own += *at == ',' && !quoted;
        }
        commas = lines ? commas : own;
        assert_int_equal(own, commas);
    }
    assert_int_equal(lines, 1 + 2 * c.row_count + 2);
    assert_contains(text, "\"Zen \"\"4\"\"\",\"results/file0.json\",compute,avx2.f64.fma,,1,,0,0,,,,flop_per_s,");
    assert_contains(text, ",\"missing\",,,\n");
    assert_contains(text, "application,\"solve, fast\",,2,");
    assert_null(strstr(text, "nan"));
    free(text);
    compare_free(&c);
    bench_free(&b);
}

static double number_at(const json_t *row, const char *name, size_t side) {
    const json_t *value = json_array_get(json_object_get(row, name), side);
    return json_is_null(value) ? NAN : json_number_value(value);
}

static void json_has_all_ratios(void **state) {
    struct bench b = {0};
    (void)state;
    bench_add(&b, machine(4, FIXTURE_AVX2));
    bench_add(&b, machine(8, FIXTURE_AVX512));
    add_point(&b.results[0], "solve", 0.02);
    add_point(&b.results[1], "solve", 0.01);
    fixture_sample_of(&b.results[1], "avx2.load", "L1", 8)->doubts = DOUBT_UNSTABLE;
    fixture_intervals(&b.results[0], 0.1, 0.1);
    fixture_intervals(&b.results[1], 0.1, 0.1);
    fixture_sample_of(&b.results[0], "avx2.2ld1st", "L1", 4)->high = 0;
    compare_label(b.sides, 2);
    struct comparison c = compare_make(b.sides, 2, 0);
    json_t *json = compare_json(&c), *roofs = json_object_get(json, "roofs"), *row = NULL;
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "carmine.compare/1");
    assert_int_equal(json_array_size(json_object_get(json, "machines")), 2);
    assert_int_equal(json_array_size(json_object_get(json, "best")), c.headline_count);
    assert_int_equal(json_array_size(roofs), c.row_count);
    bool found = false;
    for (size_t i = 0; i < c.row_count && !found; i++) {
        row = json_array_get(roofs, i);
        found = &c.rows[i] == row_of(&c, SAMPLE_BANDWIDTH, "avx2.load", "L1", ROOF_ALL_CORES);
    }
    const double value = number_at(row, "values", 0), other = number_at(row, "values", 1);
    assert_string_equal(json_string_value(json_object_get(row, "cores")), "all");
    assert_string_equal(json_string_value(json_object_get(row, "unit")), "bytes_per_s");
    assert_near(number_at(row, "ratios", 1), other / value);
    assert_near(number_at(row, "ratios_per_core", 1), other / value / 2);
    assert_near(number_at(row, "values_per_core", 1), other / 8);
    assert_near(number_at(row, "ratios_per_cycle", 1),
                number_at(row, "values_per_cycle", 1) / number_at(row, "values_per_cycle", 0));
    assert_string_equal(json_string_value(json_array_get(json_array_get(json_object_get(row, "doubts"), 1), 0)),
                        "unstable");
    assert_near(number_at(row, "lows", 1), other * 0.9);
    assert_near(number_at(row, "highs", 0), value * 1.1);
    assert_true(json_is_true(json_array_get(json_object_get(row, "alike"), 0)));
    assert_true(json_is_false(json_array_get(json_object_get(row, "alike"), 1))); /* twice the cores */
    assert_true(json_is_true(json_array_get(json_object_get(row, "alike_per_core"), 1)));
    assert_true(json_is_true(json_array_get(json_object_get(row, "alike_per_cycle"), 1)));
    for (size_t i = 0; i < c.row_count; i++)
        if (&c.rows[i] == row_of(&c, SAMPLE_BANDWIDTH, "avx2.2ld1st", "L1", ROOF_ALL_CORES)) {
            const json_t *bare = json_array_get(roofs, i);
            assert_true(isnan(number_at(bare, "lows", 0)) && isfinite(number_at(bare, "lows", 1)));
            assert_true(json_is_null(json_array_get(json_object_get(bare, "alike"), 1)));
        }
    for (size_t i = 0; i < c.row_count; i++)
        if (strcmp(c.rows[i].key.kernel, "avx512.f64.fma") == 0)
            assert_true(isnan(number_at(json_array_get(roofs, i), "values", 0)) &&
                        isnan(number_at(json_array_get(roofs, i), "ratios", 1)));
    const json_t *solve =
        json_array_get(json_object_get(json_array_get(json_object_get(json, "applications"), 0), "measured"), 1);
    assert_near(json_number_value(json_object_get(solve, "seconds_ratio")), 0.5);
    assert_near(json_number_value(json_object_get(solve, "flop_per_s_ratio")), 2);
    json_decref(json);
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
        cmocka_unit_test(headlines_are_the_best),
        cmocka_unit_test(the_best_latency_is_the_shortest),
        cmocka_unit_test(a_single_core_is_all_cores_too),
        cmocka_unit_test(sides_may_be_numbers_of_cores),
        cmocka_unit_test(labels_say_what_differs),
        cmocka_unit_test(applications_meet_by_name),
        cmocka_unit_test(doubts_of_both_are_told),
        cmocka_unit_test(the_best_are_named_where_they_differ),
        cmocka_unit_test(of_many_the_ends_are_named),
        cmocka_unit_test(what_overlaps_is_no_difference),
        cmocka_unit_test(csv_has_a_row_per_roof_and_side),
        cmocka_unit_test(json_has_all_ratios),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
