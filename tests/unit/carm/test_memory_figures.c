/* SPDX-License-Identifier: BSD-3-Clause
 * Results compared by their memory systems: the figures, and what compare, why, check and fleet make of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/fleet/fleet.h"
#include "carm/model/memory_model.h"
#include "carm/report/check_report.h"
#include "carm/report/why_report.h"
#include "tests/support/compared.h"
#include "tests/support/memories.h"

/* Eight cores, with a memory system whose idle latency, queue and largest number of lines are these. */
static struct result system_of(double idle_s, double service_s, unsigned lines) {
    static const struct memories_shared CCX[] = {{"L3", 4, 25e-9, 0, 0}, {"package", 8, 100e-9, 0, 0}};
    struct result r = machine(8, FIXTURE_AVX2);
    fixture_intervals(&r, 0.01, 0.01);
    memories_loaded(&r.memory, "avx2.load", 7, idle_s, service_s, 120e9, 0.98);
    memories_loaded(&r.memory, "avx2.update", 7, idle_s, 2 * service_s, 100e9, 0.98);
    memories_parallel(&r.memory, "DRAM", idle_s, lines);
    memories_pages(&r.memory, 4096, 64, 2048, 2e-9, 9e-9);
    memories_pages(&r.memory, 2 << 20, 64, 2048, 2e-9, 0);
    memories_pairs(&r.memory, 8, CCX, 0, 0);
    return r;
}

static const struct sample *figure_of(const struct sample *figures, size_t count, const char *level,
                                      const char *kernel) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(figures[i].level, level) == 0 && strcmp(figures[i].kernel, kernel) == 0)
            return &figures[i];
    fail_msg("no %s %s", level, kernel);
    return NULL;
}

static void figures_of_a_system(void **state) {
    (void)state;
    static const struct {
        const char *level, *kernel;
        enum sample_kind kind;
        unsigned threads;
        double value; /* 0: see below */
    } WANTED[] = {{"DRAM", "loaded.load.0", SAMPLE_LATENCY, 8, 100e-9},
                  {"DRAM", "loaded.load.50", SAMPLE_LATENCY, 8, 0},
                  {"DRAM", "loaded.load.80", SAMPLE_LATENCY, 8, 0},
                  {"DRAM", "loaded.load.90", SAMPLE_LATENCY, 8, 0},
                  {"DRAM", "usable.load", SAMPLE_BANDWIDTH, 8, 0},
                  {"DRAM", "loaded.update.80", SAMPLE_LATENCY, 8, 0},
                  {"DRAM", "chases", SAMPLE_BANDWIDTH, 1, 20 * 64 / 100e-9},
                  {"DRAM", "walk.4KiB", SAMPLE_LATENCY, 1, 0},
                  {"L3", "swap", SAMPLE_LATENCY, 8, 25e-9},
                  {"L3", "store", SAMPLE_LATENCY, 8, 20e-9},
                  {"package", "swap", SAMPLE_LATENCY, 8, 100e-9}};
    struct result r = system_of(100e-9, 20e-9, 20);
    struct sample *figures;
    struct loaded_curve curve;
    const size_t count = memory_figures(&r, &figures);
    /* 2 MiB pages: no walk was seen; update: its loaders do not reach 90 % of the roof */
    assert_int_equal(count, 2 * 5 - 1 + 1 + 1 + 4);
    for (size_t i = 0; i < sizeof WANTED / sizeof *WANTED; i++) {
        const struct sample *figure = figure_of(figures, count, WANTED[i].level, WANTED[i].kernel);
        assert_int_equal(figure->kind, WANTED[i].kind);
        assert_int_equal(figure->threads, WANTED[i].threads);
        if (WANTED[i].value > 0)
            assert_near(figure->value, WANTED[i].value);
    }
    for (size_t i = 0; i < count; i++)
        assert_true(figures[i].low > 0 && figures[i].low <= figures[i].value && figures[i].high >= figures[i].value);
    assert_true(memory_loaded(&r, &r.memory.series[0], &curve));
    assert_near(figure_of(figures, count, "DRAM", "loaded.load.80")->value, curve.latency_s[1]);
    assert_near(figure_of(figures, count, "DRAM", "usable.load")->value, curve.usable_bytes_per_s);
    free(figures);
    memories_loaded(&r.memory, "sse.load", 7, 300e-9, 20e-9, 120e9, 0.98); /* of one name the first */
    static const size_t IDLE = 0, AT_HALF = 5, AT_TWICE_IDLE = 12,
                        AT_END = 13; /* points of the load's series, their doubts of its figures */
    doubts_add_if(&r.memory.series[0].points[IDLE].doubts, true, DOUBT_CLOCK_DRIFTED);
    doubts_add_if(&r.memory.series[0].points[AT_HALF].doubts, true, DOUBT_UNSTABLE);
    doubts_add_if(&r.memory.series[0].points[AT_TWICE_IDLE].doubts, true, DOUBT_INTERRUPTED);
    doubts_add_if(&r.memory.series[0].points[AT_END].doubts, true, DOUBT_CORE_SHARED);
    doubts_add_if(&r.memory.pairs[0].doubts, true, DOUBT_UNSTABLE); /* one of twelve pairs */
    assert_int_equal(memory_figures(&r, &figures), count);
    assert_true(doubts_has(figure_of(figures, count, "DRAM", "loaded.load.0")->doubts, DOUBT_CLOCK_DRIFTED));
    assert_true(doubts_has(figure_of(figures, count, "DRAM", "loaded.load.50")->doubts, DOUBT_UNSTABLE));
    assert_true(doubts_has(figure_of(figures, count, "DRAM", "usable.load")->doubts, DOUBT_INTERRUPTED));
    assert_false(doubts_any(figure_of(figures, count, "DRAM", "loaded.load.80")->doubts));
    assert_false(doubts_any(figure_of(figures, count, "L3", "swap")->doubts));
    free(figures);
    memory_system_free(&r.memory);
    assert_int_equal(memory_figures(&r, &figures), 0);
    free(figures);
    results_free(&r);
}

/* Rows, no headlines; a table of their own. */
static void figures_are_compared(void **state) {
    (void)state;
    struct bench b = {0};
    bench_add(&b, system_of(100e-9, 20e-9, 20));
    struct result other = system_of(100e-9, 40e-9, 10);
    other.memory.series[0].threads = 5; /* loaders */
    bench_add(&b, other);
    bench_add(&b, machine(8, FIXTURE_AVX2));
    const size_t roofs = b.models[2].count;
    struct comparison c = compare_make(b.sides, 3, 0), without = compare_make(&b.sides[2], 1, 0);
    assert_int_equal(c.row_count, roofs + b.models[0].figure_count);
    assert_int_equal(c.headline_count, without.headline_count);
    for (size_t i = 0; i < c.row_count; i++)
        if (strcmp(c.rows[i].key.kernel, "chases") == 0) {
            assert_near(compare_ratio(&c, &c.rows[i], 1, PER_MACHINE), 0.5);
            assert_null(c.rows[i].roofs[2]);
            assert_string_equal(compare_unit_name(c.rows[i].roofs[0], PER_MACHINE), "bytes_per_s");
        }
    char *text = printed(&c, PER_MACHINE), *section = strstr(text, "── Memory under load ──");
    assert_non_null(section);
    assert_contains(section, "kernel (lower is better)");
    assert_contains(section, "loaded.update.80");
    assert_null(strstr(section + 10, "── ")); /* the last one, with all of them */
    *section = '\0';
    assert_null(strstr(text, "loaded."));
    free(text);
    text = printed(&c, PER_CYCLE);
    assert_null(strstr(text, "loaded."));
    free(text);
    text = printed(&without, PER_MACHINE);
    assert_null(strstr(text, "Memory under load"));
    free(text);
    compare_free(&c);
    compare_free(&without);
    bench_free(&b);
}

/* A latency under load is the idle one times its rise. */
static void why_a_loaded_latency_differs(void **state) {
    (void)state;
    struct bench b = {0};
    struct why why;
    char text[WHY_WORDS_BYTES];
    bench_add(&b, system_of(100e-9, 20e-9, 20));
    bench_add(&b, system_of(120e-9, 96e-9, 20));
    struct comparison c = compare_make(b.sides, 2, 0);
    assert_true(why_find(&c, ROOF_ALL_CORES, "DRAM loaded.load.80", &why));
    assert_near(why.factors[WHY_IDLE], 1.2);
    assert_near(why.factors[WHY_IDLE] * why.factors[WHY_LOAD], why.ratio);
    assert_true(isnan(why.factors[WHY_PER_CORE]));
    assert_contains(why_product(&why, text, sizeof text), "1.20 idle latency × 1.");
    assert_contains(why_meaning(&why, text, sizeof text), " times the idle latency, not 1.");
    assert_contains(why_meaning(&why, text, sizeof text), "idle: 120 ns, not 100 ns");
    assert_true(why_find(&c, ROOF_ALL_CORES, "DRAM loaded.load.0", &why));
    assert_near(why.factors[WHY_PER_CORE], 1.2);
    assert_true(why_find(&c, ROOF_ALL_CORES, "DRAM chases", &why));
    assert_near(why.ratio, 1 / 1.2);
    assert_true(why_find(&c, ROOF_ALL_CORES, "package swap", &why));
    assert_true(why_find(&c, ROOF_ALL_CORES, "DRAM usable.load", &why));
    assert_true(why_find(&c, ROOF_ALL_CORES, "DRAM latency", &why)); /* the chase, not a figure */
    assert_string_equal(why.from.roof->sample->kernel, "chase");
    compare_free(&c);
    bench_free(&b);
}

static struct baseline baseline_of(const struct model *model, enum compare_per per) {
    struct baseline baseline = {.per = per};
    baseline_add(&baseline, model);
    baseline_finish(&baseline);
    return baseline;
}

static enum check_verdict verdict_of(const struct check *check, const char *kernel, const char *level,
                                     enum check_class class) {
    for (size_t i = 0; i < check->count; i++)
        if (strcmp(check->rows[i].key.kernel, kernel) == 0 && strcmp(check->rows[i].key.level, level) == 0) {
            assert_int_equal(check->rows[i].class, class);
            return check->rows[i].verdict;
        }
    fail_msg("no %s", kernel);
    return CHECK_MISSING;
}

static void check_judges_figures(void **state) {
    (void)state;
    struct bench b = {0};
    struct check_limits limits;
    struct error err;
    const struct check_row *headlines[CHECK_MAX_HEADLINES];
    bench_add(&b, system_of(100e-9, 20e-9, 20));
    bench_add(&b, system_of(100e-9, 60e-9, 10));
    assert_true(check_read_limits(NULL, &limits, &err));
    struct baseline baseline = baseline_of(&b.models[0], PER_MACHINE);
    struct check check = check_make(&b.models[1], &baseline, &limits);
    assert_int_equal(verdict_of(&check, "loaded.load.80", "DRAM", CHECK_LATENCY), CHECK_FAIL);
    assert_int_equal(verdict_of(&check, "loaded.load.0", "DRAM", CHECK_LATENCY), CHECK_PASS);
    assert_int_equal(verdict_of(&check, "chases", "DRAM", CHECK_DRAM), CHECK_FAIL);
    assert_int_equal(verdict_of(&check, "swap", "L3", CHECK_LATENCY), CHECK_PASS);
    assert_int_equal(check.unmeasured + check.more, 0);
    for (size_t i = check_headlines(&check, headlines); i-- > 0;)
        assert_false(headlines[i]->key.figure);
    check_free(&check);
    memory_system_free(&b.results[1].memory); /* `carmine memory` was not run: nothing is missing */
    model_free(&b.models[1]);
    b.models[1] = model_build(&b.results[1]);
    check = check_make(&b.models[1], &baseline, &limits);
    assert_int_equal(check.unmeasured, b.models[0].figure_count);
    assert_int_equal(check.counts[CHECK_MISSING], 0);
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    check_print(
        &check,
        &(struct check_setting){.path = "new", .baseline_path = "old", .result = &b.results[1], .baseline = &baseline},
        out);
    fclose(out);
    fixture_says(text, "15 figures of the baseline's memory system are not compared: the file has none");
    check_free(&check);
    baseline_free(&baseline);
    baseline = baseline_of(&b.models[1], PER_CYCLE); /* no clock paces them */
    check = check_make(&b.models[0], &baseline, &limits);
    assert_int_equal(check.more, 0);
    check_free(&check);
    baseline_free(&baseline);
    bench_free(&b);
}

/* Through files, as `carmine fleet` reads them: one of four nodes has a longer queue. */
static void a_fleet_sees_figures(void **state) {
    (void)state;
    struct result_paths paths = {.count = 4};
    struct fleet fleet;
    struct error err = {""};
    char names[4][300], *list[4];
    for (size_t i = 0; i < 4; i++) {
        struct result r = system_of(100e-9, i == 2 ? 60e-9 : 20e-9, 20);
        snprintf(r.machine.host, sizeof r.machine.host, "node%zu", i);
        snprintf(names[i], sizeof names[i], "%s/%s.json", fixture_folder, r.machine.host);
        list[i] = names[i];
        assert_true(results_write(&r, names[i], false, &err));
        results_free(&r);
    }
    paths.list = list;
    if (!fleet_read(&paths, false, &fleet, &err))
        fail_msg("%s", err.text);
    struct fleet_groups groups = fleet_group(&fleet);
    struct fleet_report report = fleet_judge(&fleet, &groups);
    assert_int_equal(report.count, 1);
    assert_int_equal(report.outliers[0].node, 2);
    assert_string_equal(report.outliers[0].diagnosis, "slow under load");
    assert_string_equal(fleet.keys.keys[report.outliers[0].key].level, "DRAM");
    assert_true(fleet.keys.keys[report.outliers[0].key].figure);
    const size_t headline = fleet_headline(&groups.groups[0], SAMPLE_LATENCY, "DRAM");
    assert_false(groups.groups[0].classes[headline].key.figure);
    fleet_report_free(&report);
    fleet_groups_free(&groups);
    fleet_free(&fleet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_a_system),          cmocka_unit_test(figures_are_compared),
        cmocka_unit_test(why_a_loaded_latency_differs), cmocka_unit_test(check_judges_figures),
        cmocka_unit_test(a_fleet_sees_figures),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
