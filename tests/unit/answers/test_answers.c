/* SPDX-License-Identifier: BSD-3-Clause
 * The first screen of check, spec, fleet, machine and app for made-up results: the sentence, and that it fits one
 * screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/model/verdict_words.h"
#include "carm/report/check_report.h"
#include "carm/report/machine_report.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/report/result_answer.h"
#include "carm/report/shortfall_report.h"
#include "tests/support/answered.h"
#include "tests/support/fixtures.h"

/* Another clock: counts per cycle stay. */
static void set_clock(struct result *r, double factor) {
    for (size_t i = 0; i < r->sample_count; i++) {
        struct sample *s = &r->samples[i];
        s->clock_hz *= factor;
        s->value *= s->kind == SAMPLE_LATENCY ? 1 / factor : factor;
    }
}

static struct baseline baseline_of(const struct result *result, enum compare_per per) {
    struct baseline baseline = {.per = per};
    struct model model = model_build(result);
    baseline_add(&baseline, &model);
    baseline_finish(&baseline);
    model_free(&model);
    return baseline;
}

/* The answer of check for a result against another. */
static char *checked(const struct result *own, const struct result *other) {
    struct check_limits limits;
    struct error err;
    struct screen_text text = screen_text_begin();
    assert_true(check_read_limits(NULL, &limits, &err));
    struct model model = model_build(own);
    struct baseline baseline = baseline_of(other, PER_MACHINE), cycle_baseline = baseline_of(other, PER_CYCLE);
    struct check check = check_make(&model, &baseline, &limits),
                 per_cycle = check_make(&model, &cycle_baseline, &limits);
    const struct check_setting setting = {
        .path = "new.json", .baseline_path = "old.json", .result = own, .baseline = &baseline};
    check_answer_print(&check, &per_cycle, &setting, &text.screen);
    check_free(&check);
    check_free(&per_cycle);
    baseline_free(&baseline);
    baseline_free(&cycle_baseline);
    model_free(&model);
    return screen_text_end(&text);
}

/* A line in which each # stands for this many roofs. Free it. */
static char *of_roofs(const char *line, size_t roofs) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    for (; *line; line++)
        if (*line == '#')
            fprintf(out, "%zu", roofs);
        else
            fputc(*line, out);
    fclose(out);
    return text;
}

static void answer_is_of(char *text, const char *begins, size_t roofs) {
    char *line = of_roofs(begins, roofs);
    answer_is(text, line);
    free(line);
}

static void check_says_whether_it_is_the_clock(void **state) {
    struct result old = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL),
                  own = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    const size_t roofs = own.sample_count;
    char line[128];
    (void)state;
    answer_is_of(checked(&own, &old), "PASSED: of # roofs # pass\nnew.json against old.json\n", roofs);
    set_clock(&own, 0.8);
    answer_is_of(checked(&own, &old),
                 "FAILED: of # roofs # fail; per cycle none of them fails: the clock is 20 %\n   lower\n", roofs);
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->per_cycle *= 0.5;
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->value *= 0.5;
    char *text = checked(&own, &old);
    assert_contains(text, "fail  avx2.f64.fma, one core "); /* worst first */
    answer_is_of(text, "FAILED: of # roofs # fail; per cycle 1 of them fails: the clock is 20 %\n   lower\n", roofs);
    set_clock(&own, 1.25);
    text = checked(&own, &old);
    assert_contains(text, "-50.0 %");
    snprintf(line, sizeof line, "FAILED: of # roofs 1 fail, %zu pass; per cycle they fail too\n", roofs - 1);
    answer_is_of(text, line, roofs);
    for (size_t i = 0; i < own.sample_count; i++) /* one note more: fewer rows */
        own.samples[i].doubts = DOUBTS(DOUBT_UNSTABLE);
    answer_is_of(checked(&own, &old), "UNKNOWN: 0 of # roofs could be judged, and no headline roof: # doubtful", roofs);
    results_free(&old);
    results_free(&own);
}

/* A roof that is slow alone has twice the tolerance, its class has its own. */
static void classes_have_their_own_tolerance(void **state) {
    struct result old = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL),
                  own = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    (void)state;
    fixture_sample_of(&old, "avx2.update", "L3", 1)->value = fixture_sample_of(&own, "avx2.update", "L3", 1)->value =
        1e15;
    fixture_sample_of(&own, "avx2.load", "L3", 1)->value *= 0.83;
    fixture_sample_of(&own, "avx2.f64.fma", "", 1)->value *= 0.5; /* fails: the classes are shown */
    char *text = checked(&own, &old);
    assert_contains(text, "±10 %");
    assert_null(strstr(text, "±20 %"));
    free(text);
    results_free(&old);
    results_free(&own);
}

/* One screen with these lines. Frees it. */
static void answer_says(char *text, const char *lines) {
    assert_contains(text, lines);
    is_one_screen(text);
    free(text);
}

static char *compared_with_documented(const struct result *result) {
    struct screen_text text = screen_text_begin();
    struct model model = model_build(result);
    struct shortfalls shortfalls = shortfalls_find(&model, NULL);
    const struct specification specification = specification_judge(&model, &shortfalls, NULL);
    spec_answer_print(
        &(struct spec_answer){.model = &model, .shortfalls = &shortfalls, .specification = &specification},
        &text.screen);
    shortfalls_free(&shortfalls);
    model_free(&model);
    return screen_text_end(&text);
}

/* Of six ceilings one is close, one is doubtful and so explained, one is neither; the rest have no limit. */
static void spec_counts_by_standing(void **state) {
    struct sample samples[7] = {{.kernel = "avx2.f64.fma"},
                                {.kernel = "avx2.f64.add"},
                                {.kernel = "avx2.f64.mul"},
                                {.kernel = "avx2.f32.fma"},
                                {.kernel = "avx2.f32.add"},
                                {.kernel = "avx2.f32.mul"},
                                {.kernel = "chase", .kind = SAMPLE_LATENCY, .level = "L1"}};
    struct result result = {.samples = samples, .sample_count = 7, .machine.core_count = 2, .uarch = "Zen 3"};
    (void)state;
    for (size_t i = 0; i < 7; i++) {
        samples[i].threads = 1, samples[i].clock_hz = 3e9;
        samples[i].documented_per_cycle = i < 3 ? 16 : 0;
        samples[i].per_cycle = i == 0 ? 15.9 : 12;
        samples[i].value = samples[i].per_cycle * 3e9;
    }
    samples[1].doubts = DOUBTS(DOUBT_OTHERS_ACTIVE);
    char *text = compared_with_documented(&result);
    assert_contains(text, "\nnot explained               measured    documented   ratio\n"
                          "avx2.f64.mul, one core  36.0 Gflop/s  48.0 Gflop/s  75.0 %\n");
    assert_contains(text, "As specified: f64 FMA; cannot tell: f32 FMA, clock\n");
    answer_says(text, "\n1 of 6 roofs within 2 % of their documented limit; gaps: 1 explained,\n   1 unexplained; 3 "
                      "without a limit\n");
    for (size_t i = 0; i < 3; i++)
        samples[i].documented_per_cycle = 0;
    answer_says(compared_with_documented(&result), "None of 6 roofs has a documented limit\n");
    struct result many = fixture_result(fixture_machine(4, FIXTURE_AVX512), NULL);
    size_t roofs = 0, limited = 0, within = 0;
    for (size_t i = 0; i < many.sample_count; i++) {
        const struct sample *sample = &many.samples[i];
        roofs += sample->kind != SAMPLE_LATENCY;
        limited += sample->documented_per_cycle > 0;
        within += sample->per_cycle >= 0.98 * sample->documented_per_cycle && sample->documented_per_cycle > 0;
    }
    assert_true(within > 1 && limited - within > 20); /* more than a screen */
    char line[128];
    snprintf(line, sizeof line,
             "\n%zu of %zu roofs within 2 %% of their documented limit; gaps: 0 explained,\n   %zu unexplained; ",
             within, roofs, limited - within);
    answer_says(compared_with_documented(&many), line);
    results_free(&many);
}

static char *described(const struct machine *machine, const struct clock *clock) {
    struct screen_text text = screen_text_begin();
    const struct uarch_match match = uarch_find(&machine->cpu, "");
    machine_answer_print(machine, &match, clock, &text.screen);
    return screen_text_end(&text);
}

static void machine_says_what_a_core_can_do(void **state) {
    struct machine machine = fixture_machine(8, FIXTURE_AVX512);
    const struct clock clock = {.rest_hz = 2e9};
    (void)state;
    answer_is(described(&machine, NULL),
              "Made-up CPU · Sapphire Rapids (Golden Cove) · 8 cores                     a test\n"
              "A core does 32 flop of f64 and 192 B from L1 per cycle at most\n");
    char *text = described(&machine, &clock);
    assert_contains(text, "per cycle at most: 64 Gflop/s and\n   384 GB/s at 2.00 GHz, its clock at rest\n");
    assert_contains(text, "\nAVX-512    32 flop  64 flop");
    is_one_screen(text);
    free(text);
    strcpy(machine.cpu.brand, "A brand of so many words that all that is known does not fit");
    machine.cpu.model = 1;
    machine.cpu.features = FIXTURE_AVX2;
    text = described(&machine, &clock);
    assert_contains(text, "\nNo verified source documents the limits of this core");
    assert_contains(text, "\n▲       ");
    is_one_screen(text);
    free(text);
    machine_free(&machine);
}

/* A line that would only say that one more line is hidden is that line. */
static void machine_hides_no_single_line(void **state) {
    enum { NODES = 16 };
    struct machine machine = fixture_machine(8, FIXTURE_AVX512);
    unsigned whole = 0, cut = 0;
    (void)state;
    machine.nodes = realloc(machine.nodes, NODES * sizeof *machine.nodes);
    for (unsigned i = 1; i < NODES; i++) {
        machine.nodes[i] = machine.nodes[0];
        machine.nodes[i].os_index = i;
    }
    for (machine.node_count = 1; machine.node_count <= NODES; machine.node_count++) {
        char last[32], *text = described(&machine, NULL);
        snprintf(last, sizeof last, "\n  node %u: ", machine.node_count - 1);
        const char *more = strstr(text, "more line");
        if ((more != NULL) == (strstr(text, last) != NULL) || strstr(text, " 1 more line"))
            fail_msg("%u nodes:\n%s", machine.node_count, text);
        whole += !more;
        cut += more != NULL;
        is_one_screen(text);
        free(text);
    }
    assert_true(whole > 1 && cut > 1);
    machine.node_count = 1;
    machine_free(&machine);
}

/* A program of twenty parts, the last of which takes longest. */
static void app_says_what_binds(void **state) {
    enum { COUNT = 21 };
    struct result result = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    struct model model = model_build(&result);
    struct app_point points[COUNT];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        points[i] = fixture_point(i ? "part" : "program");
        points[i].seconds = app_once(i ? 0.001 * (double)i : 1);
        points[i].doubts = i == 20 ? DOUBTS(DOUBT_UNSTABLE) : NO_DOUBTS;
        if (i)
            snprintf(points[i].name, sizeof points[i].name, "part%zu", i);
    }
    struct screen_text one = screen_text_begin();
    app_answer_print(&model, points, 1, &one.screen);
    char *text = screen_text_end(&one), words[VERDICT_WORDS_BYTES];
    const struct verdict verdict = verdict_find(&model, &points[0]);
    char first[64];
    snprintf(first, sizeof first, "program: %.30s", verdict_words(&verdict, &points[0], words));
    assert_null(strstr(text, "Warning"));
    answer_is(text, first);
    struct screen_text many = screen_text_begin();
    app_answer_print(&model, points, COUNT, &many.screen);
    text = screen_text_end(&many);
    assert_contains(text, "\npart20 ");
    assert_null(strstr(text, "\npart11 ")); /* ten rows, including the program */
    assert_contains(text, "\n… and 11 more\n");
    assert_contains(text, "Warning unstable");
    answer_is(text, first);
    model_free(&model);
    results_free(&result);
}

/* A loop with an account comes first, also if it is all of the program or has no flop; without an account it does not.
 */
static void app_says_what_loops_need(void **state) {
    struct result result = fixture_result(fixture_machine(2, FIXTURE_AVX2), NULL);
    struct model model = model_build(&result);
    struct app_point points[2] = {fixture_point("program"), fixture_point("program")};
    (void)state;
    points[0].seconds = points[1].seconds = app_once(1);
    points[1].time_share = 1;
    points[1].part = APP_LOOP;
    points[1].flop = app_once(0);
    strcpy(points[1].name, "program/spins:7");
    for (unsigned known = 0; known < 2; known++) {
        points[1].in_core.known = known;
        struct screen_text screen = screen_text_begin();
        app_answer_print(&model, points, 2, &screen.screen);
        answer_is(screen_text_end(&screen), known ? "program/spins:7, 100 % of the time: " : "program: ");
    }
    points[1].iterations = points[1].count.instructions = 100; /* whose table was typed from documents */
    points[1].has_count = true;
    points[1].in_core = (struct point_in_core){.known = true, .instructions = 1, .ports = 1, .flight = 100};
    for (unsigned measured = 0; measured < 2; measured++) {
        strcpy(points[1].in_core.core, measured ? "golden-cove" : "zen4");
        struct screen_text screen = screen_text_begin();
        app_answer_print(&model, points, 2, &screen.screen);
        char *text = screen_text_end(&screen);
        const char *once = strstr(text, "zen4: from documents, never measured on this core");
        assert_int_equal(once != NULL, !measured);
        assert_true(!once || !strstr(once + 7, "from documents"));
        answer_is(text, "program/spins:7, 100 % of the time: ");
    }
    model_free(&model);
    results_free(&result);
}

/* For simulated caches: each link of the part with most of the time, and the time that it would need alone. */
static void app_says_what_links_need(void **state) {
    struct result result;
    struct error err;
    (void)state;
    assert_true(results_read("tests/golden/files/levels.json", &result, &err));
    struct model model = model_build(&result);
    struct screen_text one = screen_text_begin();
    app_answer_print(&model, result.points, result.point_count, &one.screen);
    char *text = screen_text_end(&one);
    assert_contains(text, "\nlink         bytes  flop/B    alone  of its time");
    assert_contains(text, "\nL2 ⇄ L3     137 GB  0.0156   904 ms         71 %  ████████▌");
    assert_contains(text, "\nforms/dgemm naive");
    assert_contains(text, "\n… and 3 more\n");
    assert_contains(text, "\nFaster  by up to 340 ms: blocking, or fused passes: ");
    answer_is(text, "forms/dgemm naive, 53 % of the time: bound by L2 ⇄ L3: 71 % of its time");
    result.points[2].levels.link[2].low_bytes = 0.4 * 137e9;
    one = screen_text_begin();
    app_answer_print(&model, result.points, result.point_count, &one.screen);
    text = screen_text_end(&one);
    assert_contains(text, "\nL2 ⇄ L3    137 GB ±32 %  0.0156   904 ms         71 %");
    free(text);
    model_free(&model);
    results_free(&result);
}

/* Of a machine of 64 cores, as of one: private levels have their rates, whatever the number of threads. */
static void sweep_says_where_levels_end(void **state) {
    struct result result = fixture_result(fixture_machine(64, FIXTURE_AVX2), NULL);
    struct curve *all = &result.curves[1];
    (void)state;
    *all = (struct curve){
        .kind = SAMPLE_BANDWIDTH, .kernel = "avx2.load", .threads = 64, .count = all->count, .points = all->points};
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 0; i < result.curves[c].count; i++) {
            struct curve_point *point = &result.curves[c].points[i];
            const double bytes = (double)point->working_set_bytes;
            point->value = (bytes <= 48 << 10   ? 4e11
                            : bytes <= 2 << 20  ? 1e11
                            : bytes <= 64 << 20 ? 4e10
                                                : 1e10) *
                           result.curves[c].threads;
        }
    struct screen_text one = screen_text_begin();
    curves_answer_print(&result, "", &one.screen);
    char *text = screen_text_end(&one);
    assert_contains(text, "\navx2.load       400 GB/s   100 GB/s");
    assert_contains(text, "\navx2.load ×64  25.6 TB/s  6.40 TB/s");
    answer_is(text, "L1 ends at 48 KiB, L2 ends at ");
    results_free(&result);
}

/* A heading whose ends do not fit one line has two, in terminals of fewer than 80 columns, too. */
static void headings_break(void **state) {
    static const struct {
        const char *left, *wanted;
    } rows[] = {{"An Intel Xeon · 2 cores", "An Intel Xeon · 2 cores                                        grade C\n"},
                {"Intel Xeon Processor · Emerald Rapids (Raptor Cove) · 2 cores · vm",
                 "Intel Xeon Processor · Emerald Rapids (Raptor Cove) · 2 cores · vm\ngrade C\n"}};
    static const struct plot_terminal narrow = {.columns = 70, .unicode = true};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct screen_text one = screen_text_begin();
        one.screen.terminal = &narrow;
        screen_heading(&one.screen, rows[i].left, "grade C", false);
        char *text = screen_text_end(&one);
        assert_string_equal(text, rows[i].wanted);
        free(text);
    }
}

/* The first screen of the result. */
static char *shown(const struct result *r) {
    struct screen_text text = screen_text_begin();
    struct model model = model_build(r);
    assert_true(result_answer_print(&(struct result_answer){.model = &model}, &text.screen));
    model_free(&model);
    return screen_text_end(&text);
}

static struct sample *sample_named(struct result *r, const char *kernel, unsigned threads) {
    for (size_t i = 0; i < r->sample_count; i++)
        if (strcmp(r->samples[i].kernel, kernel) == 0 && r->samples[i].threads == threads)
            return &r->samples[i];
    fail_msg("no %s", kernel);
    return NULL;
}

/* The limit per cycle, however low FMA was measured; and the highest ceiling beside it. */
static void vendors_count_fma(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    struct sample *fma = sample_named(&r, "avx512.f64.fma", 2), *best = sample_named(&r, "avx512.f64.fmaadd", 2);
    fma->documented_per_cycle = 32, fma->clock_hz = 4e9, fma->value = 51e9, fma->per_cycle = 51.0 / 8;
    best->documented_per_cycle = 48, best->clock_hz = 4e9, best->per_cycle = 47.9, best->value = 383e12;
    char *text = shown(&r);
    assert_contains(text, "f64 is FMA, as vendors count, 32 flop/cycle; FMA + ADD: 383 Tflop/s");
    free(text);
    results_free(&r);
}

/* A narrower FMA is the peak, and the answer names the instruction set that is missing. */
static void the_widest_fma_is_absent(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    char *text = shown(&r);
    assert_null(strstr(text, "that of AVX"));
    free(text);
    size_t left = 0;
    for (size_t i = 0; i < r.sample_count; i++)
        if (strncmp(r.samples[i].kernel, "avx512.f64.", strlen("avx512.f64.")) != 0)
            r.samples[left++] = r.samples[i];
    r.sample_count = left;
    text = shown(&r);
    assert_contains(text, "f64 peak, AVX2");
    assert_contains(text, "; that of AVX-512 was not");
    free(text);
    results_free(&r);
}

/* Of a blank peak nothing is said. A blank FMA + ADD may be above FMA, but is not the peak that vendors count. */
static void a_blank_peak_has_no_number(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    char *text = shown(&r);
    assert_null(strstr(text, "Blank"));
    assert_contains(text, "Means");
    free(text);
    for (size_t i = 0; i < r.sample_count; i++) /* no other ceiling is near it */
        if (r.samples[i].threads == 2 && r.samples[i].kind == SAMPLE_COMPUTE)
            r.samples[i].per_cycle = 1, r.samples[i].documented_per_cycle = 1;
    struct sample *best = sample_named(&r, "avx512.f64.fmaadd", 2);
    sample_blank(best);
    best->documented_per_cycle = 48;
    doubts_add(&best->doubts, DOUBT_CORE_SHARED);
    text = shown(&r);
    assert_contains(text, "1 roof without a number: core shared");
    assert_contains(text, "Means");
    assert_null(strstr(text, "FMA + ADD"));
    free(text);
    best = sample_named(&r, "avx512.f64.fma", 2);
    sample_blank(best);
    best->documented_per_cycle = 48;
    doubts_add(&best->doubts, DOUBT_CORE_SHARED);
    text = shown(&r);
    assert_contains(text, "2 roofs without a number: core shared");
    assert_null(strstr(text, "Means"));
    const char *peak = strstr(text, "f64 peak"), *end = peak ? strchr(peak, '\n') : NULL;
    assert_non_null(end);
    const char *number = strstr(peak, "flop/s");
    assert_true(number && number < end); /* of one core */
    number = strstr(number + 1, "flop/s");
    assert_true(!number || number > end); /* and none of both */
    free(text);
    results_free(&r);
}

/* Types are compared on the same number of cores: a blank number does not hide the others of its line. */
static void a_blank_peak_keeps_its_line(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    for (size_t i = 0; i < r.sample_count; i++) {
        struct sample *s = &r.samples[i];
        if (strstr(s->kernel, ".f64."))
            s->value = 200e9 * s->threads;
        if (strstr(s->kernel, ".f32.") && s->threads == 1)
            s->value = 390e9;
        if (strstr(s->kernel, ".f32.") && s->threads == 2)
            sample_blank(s);
    }
    char *text = shown(&r);
    assert_contains(text, "\nf32 peak, AVX-512  390 Gflop/s");
    free(text);
    results_free(&r);
}

/* Rows with empty places, and the reason, if every roof is blank. */
static void all_blank_has_rows(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    for (size_t i = 0; i < r.sample_count; i++) {
        sample_blank(&r.samples[i]);
        doubts_add(&r.samples[i].doubts, DOUBT_CORE_SHARED);
    }
    char *text = shown(&r);
    assert_contains(text, "roofs without a number: core shared");
    assert_contains(text, "f64 peak");
    assert_contains(text, "DRAM");
    free(text);
    results_free(&r);
}

/* No ridge of a memory whose best roof is not known. */
static void blank_memory_means_nothing(void **state) {
    (void)state;
    struct result r = fixture_result(fixture_machine(2, FIXTURE_AVX512), NULL);
    sample_blank(fixture_sample_of(&r, "avx512.load", "DRAM", 2));
    char *text = shown(&r);
    assert_null(strstr(text, "Means"));
    assert_contains(text, "Peak");
    free(text);
    results_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep_says_where_levels_end),
        cmocka_unit_test(headings_break),
        cmocka_unit_test(vendors_count_fma),
        cmocka_unit_test(the_widest_fma_is_absent),
        cmocka_unit_test(a_blank_peak_has_no_number),
        cmocka_unit_test(a_blank_peak_keeps_its_line),
        cmocka_unit_test(all_blank_has_rows),
        cmocka_unit_test(blank_memory_means_nothing),
        cmocka_unit_test(check_says_whether_it_is_the_clock),
        cmocka_unit_test(classes_have_their_own_tolerance),
        cmocka_unit_test(spec_counts_by_standing),
        cmocka_unit_test(app_says_what_binds),
        cmocka_unit_test(app_says_what_loops_need),
        cmocka_unit_test(app_says_what_links_need),
        cmocka_unit_test(machine_says_what_a_core_can_do),
        cmocka_unit_test(machine_hides_no_single_line),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
