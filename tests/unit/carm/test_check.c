/* SPDX-License-Identifier: BSD-3-Clause
 * A result against a baseline: tolerances, verdicts, medians of several results, and CI output. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carm/compare/compare_thresholds.h"
#include "carm/report/check_report.h"
#include "carm/text/junit.h"
#include "tests/support/fixtures.h"

static struct result machine(unsigned cores) {
    return fixture_result(fixture_machine(cores, FIXTURE_AVX2), NULL);
}

static void scale(struct result *r, const char *kernel, const char *level, unsigned threads, double factor) {
    fixture_sample_of(r, kernel, level, threads)->value *= factor;
}

static struct check_limits limits_of(const char *text) {
    struct check_limits limits;
    struct error err = {""};
    if (!check_read_limits(text, &limits, &err))
        fail_msg("%s", err.text);
    return limits;
}

/* The baseline of this many results. */
static struct baseline baseline_of(const struct result *results, size_t count, enum compare_per per) {
    struct baseline baseline = {.per = per};
    for (size_t i = 0; i < count; i++) {
        struct model model = model_build(&results[i]);
        baseline_add(&baseline, &model);
        model_free(&model);
    }
    baseline_finish(&baseline);
    return baseline;
}

/* A check with everything that its reports need. */
struct judged {
    struct model model;
    struct baseline baseline;
    struct check check;
    struct check_setting setting;
};

static void judge(struct judged *out, const struct result *own, const struct result *baselines, size_t count,
                  enum compare_per per, const char *tolerances) {
    const struct check_limits limits = limits_of(tolerances);
    out->model = model_build(own);
    out->baseline = baseline_of(baselines, count, per);
    out->check = check_make(&out->model, &out->baseline, &limits);
    out->setting = (struct check_setting){
        .path = "new.json", .baseline_path = "old.json", .result = own, .baseline = &out->baseline};
}

static void judged_free(struct judged *judged) {
    check_free(&judged->check);
    baseline_free(&judged->baseline);
    model_free(&judged->model);
}

static const struct check_row *row_of(const struct check *check, const char *name) {
    char text[224];
    for (size_t i = 0; i < check->count; i++)
        if (strcmp(roof_key_text(&check->rows[i].key, text, sizeof text), name) == 0)
            return &check->rows[i];
    fail_msg("no row %s", name);
    return NULL;
}

static void verdict_is(const struct check *check, const char *name, enum check_verdict wanted) {
    const struct check_row *row = row_of(check, name);
    if (row->verdict != wanted)
        fail_msg("%s: %s, not %s", name, check_verdict_names[row->verdict], check_verdict_names[wanted]);
}

/* Whatever a file says: a roof at half its value never passes, however its interval was left. */
static void a_value_outside_its_interval(void **state) {
    (void)state;
    struct result own = machine(1), baseline = machine(1);
    struct judged judged;
    fixture_intervals(&own, 0.01, 0.01), fixture_intervals(&baseline, 0.01, 0.01);
    scale(&own, "avx2.load", "L1", 1, 0.5);
    scale(&own, "avx2.load", "L2", 1, 1e-300);
    scale(&baseline, "avx2.load", "L3", 1, 2);
    scale(&own, "avx2.load", "DRAM", 1, 0);
    judge(&judged, &own, &baseline, 1, PER_MACHINE, NULL);
    verdict_is(&judged.check, "L1 avx2.load, one core", CHECK_FAIL);
    verdict_is(&judged.check, "L2 avx2.load, one core", CHECK_FAIL);
    verdict_is(&judged.check, "L3 avx2.load, one core", CHECK_FAIL);
    verdict_is(&judged.check, "DRAM avx2.load, one core", CHECK_MISSING);
    for (size_t i = 0; i < judged.check.count; i++) {
        const struct check_row *row = &judged.check.rows[i];
        if (row->verdict == CHECK_PASS && fabs(row->ratio - 1) > row->tolerance + 1e-9)
            assert_true(row->uncertain && row->low <= row->value && row->value <= row->high);
    }
    judged_free(&judged);
    results_free(&own);
    results_free(&baseline);
}

static void every_roof_has_a_class(void **state) {
    static const struct {
        struct roof_key key;
        enum check_class class;
    } rows[] = {{{.kind = SAMPLE_COMPUTE, .kernel = "avx2.f64.fma"}, CHECK_COMPUTE},
                {{.kind = SAMPLE_BANDWIDTH, .level = "L1"}, CHECK_L1},
                {{.kind = SAMPLE_BANDWIDTH, .level = "L2"}, CHECK_L2},
                {{.kind = SAMPLE_BANDWIDTH, .level = "L3"}, CHECK_L3},
                {{.kind = SAMPLE_BANDWIDTH, .level = "L4"}, CHECK_L3},
                {{.kind = SAMPLE_BANDWIDTH, .level = "DRAM"}, CHECK_DRAM},
                {{.kind = SAMPLE_BANDWIDTH, .level = "HBM"}, CHECK_DRAM},
                {{.kind = SAMPLE_LATENCY, .level = "L1"}, CHECK_LATENCY}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(check_class_of(&rows[i].key), rows[i].class);
}

static void limits_are_read(void **state) {
    static const char *const bad[] = {
        "",        "x",       "l1",      "l1=",         "l1=3",   "l1=3%,", "l1=3%,,l2=1%", "l1=-1%",
        "l1=100%", "l1=nan%", "l1=inf%", "l1=3%;l2=4%", "l1=3%x", "=3%",    "l1 = %",       "l1=3 %"};
    struct check_limits limits = limits_of(NULL);
    struct error err;
    (void)state;
    for (size_t i = 0; i < CHECK_CLASSES; i++)
        assert_near(limits.classes[i], compare_thresholds.tolerances[i].value);
    limits = limits_of("compute=1%,DRAM=12.5%,latency=0%");
    assert_near(limits.classes[CHECK_COMPUTE], 0.01);
    assert_near(limits.classes[CHECK_DRAM], 0.125);
    assert_true(limits.classes[CHECK_LATENCY] == 0);
    assert_near(limits.classes[CHECK_L2], compare_thresholds.tolerances[CHECK_L2].value);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (check_read_limits(bad[i], &limits, &err))
            fail_msg("'%s' was taken", bad[i]);
        assert_contains(err.text, "percentages");
    }
    char many[2000] = "";
    for (size_t i = 0; i <= CHECK_NAMED_LIMITS; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%savx2.%zu=1%%", i ? "," : "", i);
    assert_false(check_read_limits(many, &limits, &err));
    assert_contains(err.text, "more than");
}

static void roofs_have_limits_of_their_own(void **state) {
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX2), &(struct plan_options){.both_pages = true});
    struct baseline baseline = baseline_of(&r, 1, PER_MACHINE);
    struct error err = {""};
    struct check_limits limits = limits_of("avx2.load=20%,L3 avx2.load=30%,chase=40%,L2 chase (4 KiB pages)=50%");
    (void)state;
    static const struct {
        enum sample_kind kind;
        bool small_pages;
        const char *kernel, *level;
        double tolerance;
    } rows[] = {{SAMPLE_BANDWIDTH, false, "avx2.load", "L2", 0.2},   {SAMPLE_BANDWIDTH, false, "avx2.load", "L3", 0.3},
                {SAMPLE_LATENCY, false, "chase", "DRAM", 0.4},       {SAMPLE_LATENCY, true, "chase", "L2", 0.5},
                {SAMPLE_BANDWIDTH, false, "avx2.store", "L2", 0.05}, {SAMPLE_COMPUTE, false, "avx2.f64.fma", "", 0.03}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct roof_key key;
        memset(&key, 0, sizeof key);
        key.kind = rows[i].kind, key.small_pages = rows[i].small_pages ? 4 : 0, key.cores = ROOF_ALL_CORES;
        strcpy(key.kernel, rows[i].kernel);
        strcpy(key.level, rows[i].level);
        assert_near(check_tolerance(&limits, &key), rows[i].tolerance);
    }
    assert_true(check_limits_are_used(&limits, &baseline, &err));
    limits = limits_of("avx2.load=20%,drm=3%");
    assert_false(check_limits_are_used(&limits, &baseline, &err));
    assert_contains(err.text, "'drm'");
    baseline_free(&baseline);
    results_free(&r);
}

/* Among hundreds of roofs one is slow by chance: alone, and no headline, it has twice the tolerance. */
static void a_single_roof_may_be_slow(void **state) {
    static const struct {
        const char *kernel, *level;
        double factor;
        const char *beside; /* slow as well */
        const char *tolerances;
        enum check_verdict verdict;
    } rows[] = {
        {"avx2.load", "L3", 0.83, NULL, NULL, CHECK_PASS},
        {"avx2.load", "L3", 0.79, NULL, NULL, CHECK_FAIL},
        {"avx2.load", "L3", 0.83, "avx2.1ld1st", NULL, CHECK_FAIL},
        {"avx2.load", "L3", 0.83, NULL, "L3 avx2.load=10%", CHECK_FAIL}, /* a name is exact */
        {"chase", "L3", 1.17, NULL, NULL, CHECK_FAIL},                   /* the only one of its kind */
        {"avx2.f64.add", "", 0.95, NULL, NULL, CHECK_PASS},
        {"avx2.f64.fma", "", 0.95, NULL, NULL, CHECK_FAIL}, /* the peak */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct result old = machine(2), own = machine(2);
        struct judged j;
        char name[64];
        for (int r = 0; r < 2; r++) { /* the peak is FMA, and a level's best no plain load */
            struct result *result = r ? &own : &old;
            fixture_sample_of(result, "avx2.f64.fma", "", 1)->value = 1e15;
            fixture_sample_of(result, "avx2.update", "L3", 1)->value = 1e15;
        }
        scale(&own, rows[i].kernel, rows[i].level, 1, rows[i].factor);
        if (rows[i].beside)
            scale(&own, rows[i].beside, rows[i].level, 1, rows[i].factor);
        judge(&j, &own, &old, 1, PER_MACHINE, rows[i].tolerances);
        snprintf(name, sizeof name, "%s%s%s, one core", rows[i].level, *rows[i].level ? " " : "", rows[i].kernel);
        verdict_is(&j.check, name, rows[i].verdict);
        judged_free(&j);
        results_free(&old);
        results_free(&own);
    }
}

static void each_verdict_has_its_case(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    scale(&own, "avx2.f64.fma", "", 1, 0.96);
    scale(&own, "avx2.f64.add", "", 1, 0.98);
    scale(&own, "avx2.f64.mul", "", 1, 1.04);
    scale(&own, "avx2.load", "L1", 1, 0.97); /* exactly the tolerance */
    scale(&own, "avx2.load", "L2", 1, 0.96); /* which may lose 5 % */
    scale(&own, "avx2.load", "L3", 1, 0.79);
    scale(&own, "chase", "L1", 1, 1.2); /* lower latencies are better */
    scale(&own, "chase", "L2", 1, 0.8);
    scale(&own, "avx2.f64.fma", "", 2, 0.5);
    fixture_sample_of(&own, "avx2.f64.fma", "", 2)->doubts = DOUBTS(DOUBT_UNSTABLE);
    struct sample *gone = fixture_sample_of(&own, "avx2.f64.add", "", 2);
    *gone = own.samples[--own.sample_count];
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    verdict_is(&j.check, "avx2.f64.fma, one core", CHECK_FAIL);
    verdict_is(&j.check, "avx2.f64.add, one core", CHECK_PASS);
    verdict_is(&j.check, "avx2.f64.mul, one core", CHECK_BETTER);
    verdict_is(&j.check, "L1 avx2.load, one core", CHECK_PASS);
    verdict_is(&j.check, "L2 avx2.load, one core", CHECK_PASS);
    verdict_is(&j.check, "L3 avx2.load, one core", CHECK_FAIL);
    verdict_is(&j.check, "L1 chase, one core", CHECK_FAIL);
    verdict_is(&j.check, "L2 chase, one core", CHECK_BETTER);
    verdict_is(&j.check, "avx2.f64.fma, all cores", CHECK_DOUBTFUL);
    verdict_is(&j.check, "avx2.f64.add, all cores", CHECK_MISSING);
    const struct check_row *missing = row_of(&j.check, "avx2.f64.add, all cores");
    assert_true(isnan(missing->value) && isnan(missing->ratio) && missing->baseline > 0);
    assert_null(missing->roof);
    const struct check_row *fail = row_of(&j.check, "avx2.f64.fma, one core");
    assert_near(fail->ratio, 0.96);
    assert_near(fail->tolerance, 0.03);
    assert_int_equal(j.check.counts[CHECK_FAIL], 3);
    assert_int_equal(j.check.counts[CHECK_MISSING], 1);
    assert_int_equal(j.check.counts[CHECK_DOUBTFUL], 1);
    assert_int_equal(j.check.counts[CHECK_BETTER], 2);
    assert_int_equal(j.check.counts[CHECK_PASS], old.sample_count - 7);
    assert_int_equal(check_failures(&j.check, &j.setting), 4);
    j.setting.strict = true;
    assert_int_equal(check_failures(&j.check, &j.setting), 5);
    for (size_t i = 1; i < j.check.count; i++)
        assert_true(j.check.rows[i - 1].verdict <= j.check.rows[i].verdict); /* worst first */
    judged_free(&j);
    judge(&j, &own, &old, 1, PER_MACHINE, "compute=4%,L3 avx2.load=21%,latency=20%");
    assert_int_equal(j.check.counts[CHECK_FAIL], 0);
    verdict_is(&j.check, "L2 chase, one core", CHECK_PASS);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

/* A verdict holds at every end of both intervals: here 5 % below to 5 % above, with a tolerance of 3 %. */
static void what_intervals_leave_open_passes(void **state) {
    static const struct {
        const char *kernel, *level;
        double factor;
        enum check_verdict alone, verdict; /* without and with intervals */
        bool uncertain;
    } rows[] = {
        {"avx2.f64.fma", "", 0.96, CHECK_FAIL, CHECK_PASS, true},
        {"avx2.f64.fma", "", 0.88, CHECK_FAIL, CHECK_PASS, true},  /* 0.88 · 1.05 / 0.95 = 0.973 */
        {"avx2.f64.fma", "", 0.87, CHECK_FAIL, CHECK_FAIL, false}, /* 0.962 */
        {"avx2.f64.fma", "", 0.98, CHECK_PASS, CHECK_PASS, false},
        {"avx2.f64.fma", "", 1.13, CHECK_BETTER, CHECK_PASS, true}, /* 1.13 · 0.95 / 1.05 = 1.022 */
        {"avx2.f64.fma", "", 1.15, CHECK_BETTER, CHECK_BETTER, false},
        {"chase", "L1", 1.2, CHECK_FAIL, CHECK_PASS, true}, /* 1.2 · 0.95 / 1.05 = 1.086, 10 % may be lost */
        {"chase", "L1", 1.22, CHECK_FAIL, CHECK_FAIL, false},
        {"chase", "L1", 0.82, CHECK_BETTER, CHECK_PASS, true},
        {"chase", "L1", 0.81, CHECK_BETTER, CHECK_BETTER, false}, /* 0.81 · 1.05 / 0.95 = 0.895 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int known = 0; known < 2; known++)
            for (int per = PER_MACHINE; per <= PER_CYCLE; per += PER_CYCLE) {
                struct result old = machine(2), own = machine(2);
                struct judged j;
                struct sample *sample = fixture_sample_of(&own, rows[i].kernel, rows[i].level, 1);
                sample->value *= rows[i].factor;
                sample->per_cycle *= rows[i].factor;
                if (known) {
                    fixture_intervals(&old, 0.05, 0.05);
                    fixture_intervals(&own, 0.05, 0.05);
                }
                judge(&j, &own, &old, 1, (enum compare_per)per, NULL);
                char name[64];
                snprintf(name, sizeof name, "%s%s%s, one core", rows[i].level, *rows[i].level ? " " : "",
                         rows[i].kernel);
                verdict_is(&j.check, name, known ? rows[i].verdict : rows[i].alone);
                assert_int_equal(row_of(&j.check, name)->uncertain, known && rows[i].uncertain);
                assert_int_equal(j.check.uncertain, known && rows[i].uncertain);
                judged_free(&j);
                results_free(&old);
                results_free(&own);
            }
}

/* An older baseline is a single number; with several results it lies between their medians' ends. */
static void intervals_of_one_side(void **state) {
    struct result old[3], own = machine(2);
    struct judged j;
    (void)state;
    scale(&own, "avx2.f64.fma", "", 1, 0.94);
    for (size_t i = 0; i < 3; i++)
        old[i] = machine(2);
    fixture_intervals(&own, 0.01, 0.01);
    judge(&j, &own, old, 3, PER_MACHINE, NULL);
    verdict_is(&j.check, "avx2.f64.fma, one core", CHECK_FAIL);
    assert_near(row_of(&j.check, "avx2.f64.fma, one core")->baseline_low, j.check.rows[0].baseline);
    judged_free(&j);
    for (size_t i = 0; i < 3; i++)
        fixture_intervals(&old[i], 0.02 * (double)i, 0.5 * (double)i);
    judge(&j, &own, old, 3, PER_MACHINE, NULL);
    const struct check_row *row = row_of(&j.check, "avx2.f64.fma, one core");
    assert_near(row->baseline_low, 0.98 * row->baseline); /* 0.94 · 1.01 / 0.98 = 0.969 */
    assert_near(row->baseline_high, 1.5 * row->baseline);
    assert_near(row->low, 0.99 * row->value);
    verdict_is(&j.check, "avx2.f64.fma, one core", CHECK_FAIL);
    judged_free(&j);
    fixture_intervals(&own, 0.01, 0.02);
    judge(&j, &own, old, 3, PER_MACHINE, NULL);
    verdict_is(&j.check, "avx2.f64.fma, one core", CHECK_PASS);
    judged_free(&j);
    for (size_t i = 0; i < 3; i++)
        results_free(&old[i]);
    results_free(&own);
}

static void a_result_passes_against_itself(void **state) {
    struct result r = machine(4);
    struct judged j;
    (void)state;
    judge(&j, &r, &r, 1, PER_MACHINE, "compute=0%,l1=0%,l2=0%,l3=0%,dram=0%,latency=0%");
    assert_int_equal(j.check.counts[CHECK_PASS], r.sample_count);
    assert_int_equal(check_failures(&j.check, &j.setting), 0);
    assert_int_equal(j.check.more, 0);
    judged_free(&j);
    results_free(&r);
}

static void more_roofs_than_the_baseline_are_no_failure(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    old.sample_count -= 3;
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    assert_int_equal(j.check.more, 3);
    assert_int_equal(check_failures(&j.check, &j.setting), 0);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

/* Conditions that both sides have do not prevent a comparison; a disturbed measurement always does. */
static void doubts_that_make_a_verdict_doubtful(void **state) {
    (void)state;
    assert_false(doubts_any(check_doubts(NO_DOUBTS, NO_DOUBTS)));
    assert_false(doubts_any(check_doubts(DOUBTS(DOUBT_NO_HUGE_PAGES), DOUBTS(DOUBT_NO_HUGE_PAGES))));
    assert_true(doubts_equal(check_doubts(DOUBTS(DOUBT_NO_HUGE_PAGES), NO_DOUBTS), DOUBTS(DOUBT_NO_HUGE_PAGES)));
    assert_true(doubts_equal(check_doubts(NO_DOUBTS, DOUBTS(DOUBT_NO_HUGE_PAGES)), DOUBTS(DOUBT_NO_HUGE_PAGES)));
    assert_true(doubts_equal(check_doubts(DOUBTS(DOUBT_UNSTABLE), DOUBTS(DOUBT_UNSTABLE)), DOUBTS(DOUBT_UNSTABLE)));
    assert_true(doubts_equal(check_doubts(NO_DOUBTS, DOUBTS(DOUBT_UNSTABLE)), DOUBTS(DOUBT_UNSTABLE)));
    assert_true(doubts_equal(check_doubts(DOUBTS(DOUBT_UNSTABLE, DOUBT_SIZE_DISAGREES), DOUBTS(DOUBT_SIZE_DISAGREES)),
                             DOUBTS(DOUBT_UNSTABLE)));
}

static void per_cycle_the_clock_does_not_count(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    for (size_t i = 0; i < own.sample_count; i++)
        own.samples[i].value *= own.samples[i].kind == SAMPLE_LATENCY ? 1.4 : 0.7; /* at a lower clock */
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->per_cycle *= 0.9;
    fixture_sample_of(&own, "avx2.f64.add", "", 1)->per_cycle = 0;
    fixture_sample_of(&old, "avx2.f64.mul", "", 1)->per_cycle = 0;
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    assert_int_equal(j.check.counts[CHECK_FAIL], own.sample_count);
    judged_free(&j);
    judge(&j, &own, &old, 1, PER_CYCLE, NULL);
    assert_int_equal(j.check.counts[CHECK_FAIL], 1);
    verdict_is(&j.check, "avx2.f64.fma, one core", CHECK_FAIL);
    verdict_is(&j.check, "avx2.f64.add, one core", CHECK_DOUBTFUL); /* its clock is unknown */
    assert_int_equal(j.check.count, old.sample_count - 1);
    assert_int_equal(j.check.more, 1);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void several_results_have_medians(void **state) {
    struct result r[5], own = machine(2);
    struct judged j;
    (void)state;
    static const double FACTORS[] = {0.5, 1.02, 1, 0.99, 1.5};
    for (size_t i = 0; i < 5; i++) {
        r[i] = machine(2);
        scale(&r[i], "avx2.f64.fma", "", 1, FACTORS[i]);
        if (i < 2)
            fixture_sample_of(&r[i], "avx2.f64.add", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
        if (i < 3)
            fixture_sample_of(&r[i], "avx2.f64.mul", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
        if (i < 3) /* so most of them lack their last roof */
            r[i].sample_count--;
    }
    judge(&j, &own, r, 5, PER_MACHINE, NULL);
    assert_int_equal(j.baseline.result_count, 5);
    assert_near(row_of(&j.check, "avx2.f64.fma, one core")->ratio, 1);
    verdict_is(&j.check, "avx2.f64.add, one core", CHECK_PASS);
    verdict_is(&j.check, "avx2.f64.mul, one core", CHECK_DOUBTFUL);
    assert_int_equal(j.check.count, own.sample_count - 1);
    assert_int_equal(j.check.more, 1);
    judged_free(&j);
    for (size_t i = 0; i < 5; i++)
        results_free(&r[i]);
    results_free(&own);
}

static char *printed(const struct judged *j) {
    size_t length;
    FILE *out = fopen(fixture_path("check.txt"), "w");
    assert_non_null(out);
    check_print(&j->check, &j->setting, out);
    fclose(out);
    return fixture_read(fixture_path("check.txt"), &length);
}

static size_t place_of(const char *text, const char *part) {
    assert_contains(text, part);
    return (size_t)(strstr(text, part) - text);
}

static void the_table_begins_with_what_is_bad(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    scale(&own, "avx2.load", "DRAM", 2, 0.5);
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    char *text = printed(&j);
    assert_true(place_of(text, "fail ") < place_of(text, "doubtful "));
    assert_true(place_of(text, "doubtful ") < place_of(text, "pass "));
    assert_contains(text, "DRAM avx2.load, all cores");
    assert_contains(text, "-50.0 %");
    assert_contains(text, "±10 %");
    assert_contains(text, "▲ unstable:");
    assert_contains(text, "\nFAILED: of ");
    free(text);
    judged_free(&j);
    scale(&own, "avx2.load", "DRAM", 2, 2);
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->per_cycle = 0;
    judge(&j, &own, &old, 1, PER_CYCLE, NULL);
    text = printed(&j);
    assert_contains(text, "clock unknown");
    assert_contains(text, " roofs could be judged: ");
    assert_contains(text, ", per cycle and core\n");
    free(text);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void what_is_left_open_is_told(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    scale(&own, "avx2.load", "DRAM", 2, 0.85);
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    char *text = printed(&j);
    assert_null(strstr(text, "≈"));
    free(text);
    judged_free(&j);
    fixture_intervals(&old, 0.1, 0.1);
    fixture_intervals(&own, 0.1, 0.1);
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    text = printed(&j);
    assert_contains(text, " ≈-15.0 % ");
    assert_contains(text, "\n≈ 1 roof is beyond its tolerance, but within the uncertainty of the two measurements\n");
    free(text);
    json_t *json = check_json(&j.check, &j.setting), *roofs = json_object_get(json, "metrics");
    assert_int_equal(json_integer_value(json_object_get(json, "uncertain")), 1);
    for (size_t i = 0; i < j.check.count; i++) {
        const json_t *row = json_array_get(roofs, i);
        assert_int_equal(json_is_true(json_object_get(row, "uncertain")), j.check.rows[i].uncertain);
        assert_near(json_number_value(json_object_get(row, "low")),
                    0.9 * json_number_value(json_object_get(row, "value")));
        assert_near(json_number_value(json_object_get(row, "reference_high")),
                    1.1 * json_number_value(json_object_get(row, "reference")));
    }
    json_decref(json);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void json_names_all_of_it(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    *fixture_sample_of(&own, "avx2.f64.add", "", 2) = own.samples[--own.sample_count];
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    json_t *json = check_json(&j.check, &j.setting);
    assert_non_null(json);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "carmine.check/2");
    assert_true(json_is_false(json_object_get(json, "passed")));
    json_t *row = json_array_get(json_object_get(json, "metrics"), 0);
    assert_string_equal(json_string_value(json_object_get(row, "verdict")), "missing");
    assert_string_equal(json_string_value(json_object_get(row, "name")), "avx2.f64.add, all cores");
    assert_string_equal(json_string_value(json_object_get(row, "kernel")), "avx2.f64.add");
    assert_string_equal(json_string_value(json_object_get(row, "place")), "all cores");
    assert_string_equal(json_string_value(json_object_get(row, "unit")), "flop_per_s");
    assert_true(json_is_null(json_object_get(row, "value")));
    assert_true(json_is_null(json_object_get(row, "ratio")));
    assert_true(json_number_value(json_object_get(row, "reference")) > 0);
    assert_near(json_real_value(json_object_get(row, "tolerance")), 0.03);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json, "counts"), "missing")), 1);
    assert_int_equal(json_array_size(json_object_get(json, "metrics")), old.sample_count);
    json_decref(json);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static char *file_of(const struct judged *j, const char *format) {
    struct error err = {""};
    size_t length;
    const char *path = fixture_path(format);
    if (!check_format_write(check_format_find(format), &j->check, &j->setting, path, &err))
        fail_msg("%s", err.text);
    return fixture_read(path, &length);
}

static void junit_tells_failures_and_doubts(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    char counts[80];
    (void)state;
    scale(&own, "avx2.load", "DRAM", 2, 0.5);
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
    *fixture_sample_of(&own, "avx2.f64.add", "", 2) = own.samples[--own.sample_count];
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    char *text = file_of(&j, "junit");
    snprintf(counts, sizeof counts, "tests=\"%zu\" failures=\"2\" errors=\"0\" skipped=\"1\"", old.sample_count);
    assert_contains(text, counts);
    assert_contains(text, "<testcase classname=\"carmine.dram\" name=\"DRAM avx2.load, all cores\">\n"
                          "    <failure type=\"fail\" message=\"");
    assert_contains(text, "-50.0 %, tolerance 20 %\"/>");
    assert_contains(text, "name=\"avx2.f64.add, all cores\">\n    <failure type=\"missing\" message=\"missing: the "
                          "baseline has ");
    assert_contains(text, "name=\"avx2.f64.fma, one core\">\n    <skipped message=\"unstable: ");
    assert_null(strstr(text, "nan"));
    free(text);
    j.setting.strict = true;
    text = file_of(&j, "junit");
    assert_contains(text, "failures=\"3\" errors=\"0\" skipped=\"0\"");
    assert_contains(text, "<failure type=\"doubtful\"");
    free(text);
    judged_free(&j);
    fixture_sample_of(&own, "avx2.f64.mul", "", 1)->per_cycle = 0;
    judge(&j, &own, &old, 1, PER_CYCLE, NULL);
    text = file_of(&j, "junit");
    assert_contains(text, "<skipped message=\"its clock is not known");
    assert_null(strstr(text, "nan"));
    free(text);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void junit_escapes_what_xml_does_not_take(void **state) {
    const struct junit_case cases[] = {{.group = "a&b", .name = "<\"x'>\t\x01", .outcome = JUNIT_PASSED},
                                       {.group = "g", .name = "n", .outcome = JUNIT_SKIPPED, .message = "5 < 6"}};
    size_t length;
    (void)state;
    FILE *out = fopen(fixture_path("x.xml"), "w");
    assert_non_null(out);
    junit_print("suite", "ho\"st", "2026-11-20", cases, 2, out);
    fclose(out);
    char *text = fixture_read(fixture_path("x.xml"), &length);
    assert_contains(text, "classname=\"a&amp;b\" name=\"&lt;&quot;x'&gt;  \"/>");
    assert_contains(text, "hostname=\"ho&quot;st\"");
    assert_contains(text, "<skipped message=\"5 &lt; 6\"/>");
    free(text);
}

static void headlines_are_the_best_of_whole_machines(void **state) {
    struct result old = machine(2), own = machine(2);
    const struct check_row *headlines[CHECK_MAX_HEADLINES];
    struct judged j;
    (void)state;
    judge(&j, &own, &old, 1, PER_MACHINE, NULL);
    const size_t count = check_headlines(&j.check, headlines);
    assert_true(count > 4);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < j.check.count; k++) {
            const struct check_row *row = &j.check.rows[k], *best = headlines[i];
            if (row->key.kind == SAMPLE_BANDWIDTH && best->key.kind == SAMPLE_BANDWIDTH &&
                row->key.cores == best->key.cores && strcmp(row->key.level, best->key.level) == 0)
                assert_true(row->baseline <= best->baseline || strstr(row->key.kernel, ".random"));
            if (i > 0 && row == headlines[i])
                assert_true(row != headlines[i - 1]);
        }
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void bounds_are_where_a_verdict_turns(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    judge(&j, &own, &old, 1, PER_MACHINE, "compute=3%,latency=10%");
    const struct check_row *peak = row_of(&j.check, "avx2.f64.fma, one core"),
                           *latency = row_of(&j.check, "DRAM chase, one core");
    assert_near(check_bounds(peak).lower, 0.97 * peak->baseline);
    assert_true(isnan(check_bounds(peak).upper));
    assert_near(check_bounds(latency).upper, 1.1 * latency->baseline);
    assert_true(isnan(check_bounds(latency).lower));
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

/* A machine whose DRAM has lost half, whose best ceiling is doubtful, and that lacks another ceiling. */
static void judge_a_sick_one(struct judged *out, struct result *own, const struct result *old) {
    scale(own, "avx2.load", "DRAM", 2, 0.5);
    fixture_sample_of(own, "avx2.f64.fma", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
    judge(out, own, old, 1, PER_MACHINE, NULL);
}

static void nagios_has_a_line_and_a_status(void **state) {
    struct result old = machine(2), own = machine(2), doubtful = machine(2);
    const struct check_format *nagios = check_format_find("nagios");
    struct judged j;
    (void)state;
    judge_a_sick_one(&j, &own, &old);
    char *text = file_of(&j, "nagios");
    assert_contains(text, "CARMINE CRITICAL - ");
    assert_contains(text, ": DRAM avx2.load, all cores -50.0 % |");
    assert_contains(text, " 'DRAM chase, one core'=");
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    assert_int_equal(check_format_status(nagios, &j.check, &j.setting), 2);
    assert_int_equal(check_format_status(check_format_find("json"), &j.check, &j.setting), 1);
    free(text);
    judged_free(&j);
    fixture_sample_of(&doubtful, "avx2.f64.fma", "", 1)->doubts = DOUBTS(DOUBT_UNSTABLE);
    judge(&j, &doubtful, &old, 1, PER_MACHINE, NULL);
    assert_int_equal(check_format_status(nagios, &j.check, &j.setting), 1);
    assert_int_equal(check_format_status(check_format_find("json"), &j.check, &j.setting), 0);
    judged_free(&j);
    judge(&j, &old, &old, 1, PER_MACHINE, NULL);
    assert_int_equal(check_format_status(nagios, &j.check, &j.setting), 0);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
    results_free(&doubtful);
}

static void prometheus_has_base_units_and_no_times(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    judge_a_sick_one(&j, &own, &old);
    char *text = file_of(&j, "prometheus"), *rest = text;
    assert_contains(text, "carmine_check_passed 0\n");
    assert_contains(text, "carmine_check_roofs{verdict=\"fail\"} 1\n");
    assert_contains(text, "carmine_roof_ratio{roof=\"DRAM avx2.load, all cores\",class=\"dram\",level=\"DRAM\","
                          "kernel=\"avx2.load\",place=\"all cores\"} 0.5\n");
    assert_contains(text, "# TYPE carmine_roof_bytes_per_second gauge\n");
    assert_contains(text, "carmine_roof_latency_seconds{roof=\"DRAM chase, one core\"");
    assert_null(strstr(text, "per_cycle"));
    for (char *line; (line = strsep(&rest, "\n")) && *line;) {
        char name[80], end;
        double value;
        const char *labels = strchr(line, '}');
        if (*line == '#')
            assert_int_equal(sscanf(line, "# %79s carmine_", name), 1);
        else if (labels)
            assert_int_equal(sscanf(labels, "} %lf%c", &value, &end), 1);
    }
    free(text);
    judged_free(&j);
    judge(&j, &own, &old, 1, PER_CYCLE, NULL);
    text = file_of(&j, "prometheus");
    assert_contains(text, "carmine_roof_bytes_per_cycle{");
    assert_null(strstr(text, "per_second"));
    free(text);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void reframe_has_references_with_thresholds(void **state) {
    struct result old = machine(2), own = machine(2);
    struct judged j;
    (void)state;
    judge_a_sick_one(&j, &own, &old);
    char *text = file_of(&j, "reframe");
    json_t *json = json_loads(text, 0, NULL), *metrics = json_object_get(json, "metrics"),
           *dram = json_object_get(metrics, "DRAM avx2.load, all cores"),
           *reference = json_object_get(dram, "reference"),
           *latency = json_object_get(json_object_get(metrics, "DRAM chase, one core"), "reference");
    assert_true(json_is_false(json_object_get(json, "passed")));
    assert_true(
        fabs(json_number_value(json_object_get(dram, "value")) / json_number_value(json_array_get(reference, 0)) -
             0.5) < 1e-5); /* as many digits as are printed */
    assert_near(json_number_value(json_array_get(reference, 1)), -0.2);
    assert_true(json_is_null(json_array_get(reference, 2)));
    assert_string_equal(json_string_value(json_array_get(reference, 3)), "bytes_per_s");
    assert_true(json_is_null(json_array_get(latency, 1)));
    assert_near(json_number_value(json_array_get(latency, 2)), 0.1);
    json_t *doubtful = json_object_get(json_object_get(metrics, "avx2.f64.fma, one core"), "reference");
    assert_true(json_is_null(json_array_get(doubtful, 1)) && json_is_null(json_array_get(doubtful, 2)));
    json_decref(json);
    free(text);
    judged_free(&j);
    results_free(&old);
    results_free(&own);
}

static void a_form_is_written_whole_or_not_at_all(void **state) {
    struct result old = machine(2);
    struct judged j;
    struct error err = {""};
    (void)state;
    judge(&j, &old, &old, 1, PER_MACHINE, NULL);
    assert_false(check_format_write(check_format_find("junit"), &j.check, &j.setting, "/no/such/folder/x.xml", &err));
    assert_contains(err.text, "/no/such/folder");
    assert_null(check_format_find("yaml"));
    judged_free(&j);
    results_free(&old);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_outside_its_interval),
        cmocka_unit_test(every_roof_has_a_class),
        cmocka_unit_test(limits_are_read),
        cmocka_unit_test(roofs_have_limits_of_their_own),
        cmocka_unit_test(a_single_roof_may_be_slow),
        cmocka_unit_test(each_verdict_has_its_case),
        cmocka_unit_test(what_intervals_leave_open_passes),
        cmocka_unit_test(intervals_of_one_side),
        cmocka_unit_test(what_is_left_open_is_told),
        cmocka_unit_test(a_result_passes_against_itself),
        cmocka_unit_test(more_roofs_than_the_baseline_are_no_failure),
        cmocka_unit_test(doubts_that_make_a_verdict_doubtful),
        cmocka_unit_test(per_cycle_the_clock_does_not_count),
        cmocka_unit_test(several_results_have_medians),
        cmocka_unit_test(the_table_begins_with_what_is_bad),
        cmocka_unit_test(json_names_all_of_it),
        cmocka_unit_test(junit_tells_failures_and_doubts),
        cmocka_unit_test(junit_escapes_what_xml_does_not_take),
        cmocka_unit_test(headlines_are_the_best_of_whole_machines),
        cmocka_unit_test(bounds_are_where_a_verdict_turns),
        cmocka_unit_test(nagios_has_a_line_and_a_status),
        cmocka_unit_test(prometheus_has_base_units_and_no_times),
        cmocka_unit_test(reframe_has_references_with_thresholds),
        cmocka_unit_test(a_form_is_written_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
