/* SPDX-License-Identifier: BSD-3-Clause
 * Each threshold of the answers' words, just above and just below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/incore/pipes.h"
#include "carm/report/check_report.h"
#include "carm/report/compare_report.h"
#include "carm/report/fleet_report.h"
#include "carm/report/machine_report.h"
#include "carm/report/memory_report.h"
#include "carm/report/report.h"
#include "carm/report/report_app.h"
#include "carm/report/report_thresholds.h"
#include "carm/report/validate_report.h"
#include "carm/report/why_report.h"
#include "tests/support/answered.h"
#include "tests/support/compared.h"
#include "tests/support/fleets.h"
#include "tests/support/memories.h"
#include "tests/support/thresholds.h"

/* Whether an answer contains this; frees it. */
static bool has(char *text, const char *part) {
    const bool found = strstr(text, part);
    free(text);
    return found;
}

/* Stores of 10 GB/s, with a bus as fast as this, counted or known from a roof. */
static bool stores_say(double counted_bytes_per_s, double roof_bytes_per_s, const char *part) {
    struct result result = machine(8, FIXTURE_AVX512);
    char words[MEMORY_WORDS_BYTES];
    for (size_t i = 0; i < result.sample_count; i++)
        if (strcmp(result.samples[i].level, "DRAM") == 0 && result.samples[i].kind == SAMPLE_BANDWIDTH)
            result.samples[i].value = roof_bytes_per_s;
    struct memory_series *series = memories_series(&result.memory, MEMORY_WRITES, "DRAM", "avx512.store", 0);
    memories_point(series, 8, 0, 10e9);
    series->points[0].bus_bytes_per_s.value = counted_bytes_per_s;
    const bool found = strstr(memory_words(&result, MEMORY_WRITES, false, words), part);
    results_free(&result);
    return found;
}

static bool evasion_is_vague(double unknown) {
    return stores_say(0, 10e9 * (1 + unknown), "at most");
}

static bool core_evades(double evaded) {
    return stores_say(10e9 * (2 - evaded), 1e9, "its own bytes only");
}

static bool some_are_evaded(double evaded) {
    return stores_say(0, 10e9 * (2 - evaded), "at most");
}

/* The most pages have a longer walk. */
static bool walk_is_range(double times) {
    struct result result = {.machine = {.core_count = 8}};
    char words[MEMORY_WORDS_BYTES];
    memories_pages(&result.memory, 4096, 64, 1536, 2e-9, 13e-9);
    struct memory_series *series = &result.memory.series[1];
    for (size_t i = 0; i < series->count; i++)
        if (series->points[i].setting > 16384)
            series->points[i].latency_s = memories_number(series->points[i].latency_s.value + 13e-9 * (times - 1), 0);
    const bool found = strstr(memory_words(&result, MEMORY_PAGES, false, words), " to ");
    memory_system_free(&result.memory);
    return found;
}

/* Counts per cycle stay. */
static void set_clock(struct result *result, double factor) {
    for (size_t i = 0; i < result->sample_count; i++) {
        result->samples[i].clock_hz *= factor;
        result->samples[i].value *= result->samples[i].kind == SAMPLE_LATENCY ? 1 / factor : factor;
    }
}

/* The peaks of the second result fell by half, its clock by this share. */
static struct bench two;
static void begin(double slower) {
    bench_add(&two, machine(2, FIXTURE_AVX2));
    bench_add(&two, machine(2, FIXTURE_AVX2));
    set_clock(&two.results[1], 1 - slower);
    for (size_t i = 0; i < two.results[1].sample_count; i++)
        if (two.results[1].samples[i].kind == SAMPLE_COMPUTE) {
            two.results[1].samples[i].value *= 0.5;
            two.results[1].samples[i].per_cycle *= 0.5;
        }
}

static bool check_names_clock(double slower) {
    struct baseline baselines[2] = {{.per = PER_MACHINE}, {.per = PER_CYCLE}};
    struct check checks[2];
    struct check_limits limits;
    struct error err;
    struct screen_text text = screen_text_begin();
    begin(slower);
    assert_true(check_read_limits(NULL, &limits, &err));
    for (size_t i = 0; i < 2; i++) {
        baseline_add(&baselines[i], &two.models[0]);
        baseline_finish(&baselines[i]);
        checks[i] = check_make(&two.models[1], &baselines[i], &limits);
    }
    const struct check_setting setting = {
        .path = "new.json", .baseline_path = "old.json", .result = &two.results[1], .baseline = &baselines[0]};
    check_answer_print(&checks[0], &checks[1], &setting, &text.screen);
    for (size_t i = 0; i < 2; i++) {
        check_free(&checks[i]);
        baseline_free(&baselines[i]);
    }
    bench_free(&two);
    return has(screen_text_end(&text), "the clock is");
}

static char *compared(void) {
    struct screen_text text = screen_text_begin();
    compare_label(two.sides, two.count);
    struct comparison c = compare_make(two.sides, two.count, 0);
    assert_true(compare_answer_print(&c, PER_MACHINE, &text.screen));
    compare_free(&c);
    bench_free(&two);
    return screen_text_end(&text);
}

static bool compare_names_clock(double slower) {
    begin(slower);
    return !has(compared(), "same clock");
}

/* Of the one-core roofs of caches, so many fell by half without the clock: of ten roofs in all, whose clock is lower.
 */
static bool clock_explains(double roofs) {
    enum { OF = 10 };
    unsigned others = OF - (unsigned)round(roofs);
    for (size_t i = 0; i < 2; i++) {
        struct result result = machine(2, FIXTURE_AVX2);
        size_t count = 0, caches = 0;
        for (size_t k = 0; k < result.sample_count; k++) {
            const struct sample *sample = &result.samples[k];
            const bool cache = sample->kind == SAMPLE_BANDWIDTH && strcmp(sample->level, "L1") == 0 &&
                               sample->threads == 1 && caches < OF - 1;
            caches += cache;
            if (cache || (strcmp(sample->kernel, "avx2.f64.fma") == 0 && sample->threads == 1))
                result.samples[count++] = *sample;
        }
        assert_int_equal(count, OF);
        result.sample_count = count;
        if (i > 0)
            set_clock(&result, 0.5);
        for (size_t k = 0; i > 0 && k < count && others > 0; k++)
            if (result.samples[k].kind == SAMPLE_BANDWIDTH && strstr(result.samples[k].kernel, "chase") == NULL &&
                strcmp(result.samples[k].kernel, "avx2.load") != 0)
                result.samples[k].value *= 0.5, others--;
        bench_add(&two, result);
    }
    return has(compared(), "nearly all");
}

static bool factor_is_said(double factor) {
    struct why why = {.ratio = 1 + factor};
    char text[WHY_WORDS_BYTES];
    for (size_t f = 0; f < WHY_FACTORS; f++)
        why.factors[f] = NAN;
    struct sample sample = {.clock_hz = 3e9};
    struct roof roof = {.sample = &sample};
    why.from.roof = why.to.roof = &roof;
    why.factors[WHY_CLOCK] = 1 + factor;
    return strcmp(why_meaning(&why, text, sizeof text), "next to no difference") != 0;
}

/* The second clause. */
static bool other_factor_is_said(double factor) {
    struct why why = {.ratio = 2 * (1 + factor), .paced = true, .from.clock_hz = 1e9, .to.clock_hz = 2e9};
    char text[WHY_WORDS_BYTES];
    struct sample sample = {.clock_hz = 3e9};
    struct roof roof = {.sample = &sample};
    for (size_t f = 0; f < WHY_FACTORS; f++)
        why.factors[f] = NAN;
    why.from.roof = why.to.roof = &roof;
    why.from.per_cycle = 1, why.to.per_cycle = 1 + factor;
    why.factors[WHY_CLOCK] = 2, why.factors[WHY_PER_CYCLE] = 1 + factor;
    return strchr(why_meaning(&why, text, sizeof text), ';');
}

static bool shares_are_shown(double difference) {
    struct screen_text text = screen_text_begin();
    struct why why;
    bench_add(&two, machine(2, FIXTURE_AVX2));
    bench_add(&two, machine(2, FIXTURE_AVX2));
    set_clock(&two.results[1], 1 + difference);
    compare_label(two.sides, two.count);
    struct comparison c = compare_make(two.sides, two.count, 0);
    assert_true(why_find(&c, why_cores(&c, 0), "f64 peak", &why));
    why_print_roof(&c, &why, text.screen.terminal, text.screen.out);
    compare_free(&c);
    bench_free(&two);
    return has(screen_text_end(&text), "  100 %");
}

/* So many of a hundred nodes have a low clock. */
static bool many_are_alike(double share) {
    enum { OF = 100 };
    struct fleet fleet = make_fleet(OF, 1);
    char *text;
    size_t bytes;
    for (size_t n = 0; n < (size_t)round(OF * share); n++)
        throttle(&fleet, n);
    struct verdict_of_fleet verdict = judge(&fleet);
    FILE *out = open_memstream(&text, &bytes);
    fleet_print(&fleet, &verdict.groups, &verdict.report, false, out);
    fclose(out);
    free_all(&fleet, &verdict);
    return has(text, "or other settings?");
}

/* A program, and a region of it: the subject of the first sentence. */
static bool region_is_first(double share, double waits) {
    struct result result = machine(2, FIXTURE_AVX2);
    struct model model = model_build(&result);
    struct app_point points[2] = {fixture_point("whole"), fixture_point("region")};
    struct screen_text text = screen_text_begin();
    points[0].part = APP_PROGRAM;
    points[0].threads = points[0].processes = 1;
    points[0].seconds = app_once(1);
    points[0].idle_seconds = app_once(waits);
    points[1].seconds = app_once(share);
    points[1].time_share = share;
    app_answer_print(&model, points, 2, &text.screen);
    model_free(&model);
    results_free(&result);
    char *answer = screen_text_end(&text);
    const bool first = strncmp(answer, "region, ", 8) == 0;
    free(answer);
    return first;
}

static bool part_is_subject(double share) {
    return region_is_first(share, 0);
}

static bool waits_are_subject(double share) {
    return !region_is_first(0.5, share);
}

/* Half of the interval of a link, of its bytes: whether the first screen, or the table, contains it. */
static bool interval_shown(double half, bool first_screen) {
    struct result result;
    struct error err;
    struct screen_text text = screen_text_begin();
    assert_true(results_read("tests/golden/files/levels.json", &result, &err));
    struct model model = model_build(&result);
    struct verdict verdicts[64];
    assert_true(result.point_count <= sizeof verdicts / sizeof *verdicts);
    for (size_t i = 0; i < result.point_count; i++)
        for (unsigned k = 0; k < result.points[i].levels.links; k++) {
            struct point_link *link = &result.points[i].levels.link[k];
            const double bytes = point_link_bytes(link);
            link->low_bytes = bytes * (1 - half), link->high_bytes = bytes * (1 + half);
        }
    for (size_t i = 0; i < result.point_count; i++)
        verdicts[i] = verdict_find(&model, &result.points[i]);
    if (first_screen)
        app_answer_print(&model, result.points, result.point_count, &text.screen);
    else
        report_levels_print(result.points, verdicts, result.point_count, text.screen.out);
    model_free(&model);
    results_free(&result);
    return has(screen_text_end(&text), "B ±");
}

static bool interval_is_shown(double half) {
    return interval_shown(half, false);
}

static bool interval_is_first(double half) {
    return interval_shown(half, true);
}

/* A curve of one size, in ends of the L1: which level has it. */
static bool counts_to(double ends, const char *row) {
    struct curve_point point = {.value = 5e9};
    struct curve curve = {.kind = SAMPLE_BANDWIDTH, .kernel = "avx2.load", .threads = 1, .count = 1, .points = &point};
    struct result result = {.kind_count = 1, .curve_count = 1, .curves = &curve};
    struct screen_text text = screen_text_begin();
    result.levels[0] = (struct levels){.count = 3, .level = {{.name = "L1"}, {.name = "L2"}, {.name = "DRAM"}}};
    result.levels[0].level[0].effective_bytes = result.levels[0].level[0].detected_bytes = 1 << 20;
    result.levels[0].level[1].effective_bytes = result.levels[0].level[1].detected_bytes = 1 << 24;
    point.working_set_bytes = (uint64_t)(ends * (1 << 20));
    curves_answer_print(&result, "", &text.screen);
    return has(screen_text_end(&text), row);
}

static bool size_is_outside(double ends) {
    return !counts_to(ends, " L1\navx2.load  5.00 GB/s");
}

static bool size_is_next(double ends) {
    return counts_to(ends, " L2\navx2.load  5.00 GB/s");
}

/* The first pair of instructions has so many pipes in common. */
static bool pipes_are(double share, const char *mark) {
    struct result result = {0};
    struct core_pair pair = {.share = share};
    char *text;
    size_t bytes;
    snprintf(pair.form, sizeof pair.form, "%s", pipe_classes[0].form);
    snprintf(pair.other, sizeof pair.other, "%s", pipe_classes[1].form);
    result.core.pair_count = 1, result.core.pairs = &pair;
    FILE *out = open_memstream(&text, &bytes);
    core_print(&result, false, out);
    fclose(out);
    const char *row = strstr(text, "\n  b ");
    assert_non_null(row);
    const bool found = strncmp(row + 22, mark, strlen(mark)) == 0;
    free(text);
    return found;
}

static bool pipes_differ(double share) {
    return !pipes_are(share, "·");
}

static bool pipes_agree(double share) {
    return pipes_are(share, "X");
}

static bool level_disagrees(double off) {
    const struct validation_point point = {.kernel = "avx2.f64.load_fma_1_8",
                                           .level = "L1",
                                           .threads = 1,
                                           .flop_per_byte = 0.1,
                                           .flop_per_s = 1e8 * (1 - off),
                                           .peak_flop_per_s = 1e9,
                                           .bandwidth_bytes_per_s = 1e9};
    struct screen_text text = screen_text_begin();
    validation_answer_print(&point, 1, &text.screen);
    return has(screen_text_end(&text), "0 of 1 levels");
}

static bool work_differs_of(const char *program, double off) {
    struct workload_outcome outcome = {.flop_known = true, .point = {.size = 1, .analytic_flop = 1e6}};
    strcpy(outcome.point.program, program);
    outcome.point.flop = app_once(1e6 * (1 + off));
    outcome.point.flop_source = SOURCE_COUNTED;
    return !workload_validation_make(&outcome, 1).passed;
}

static bool work_differs(double off) {
    return work_differs_of("daxpy", off);
}

static bool openblas_differs(double off) {
    return work_differs_of("dgemm-openblas", off);
}

static bool claim_is_wrong(double off) {
    struct workload_outcome outcome = {.flop_known = true, .point = {.size = 1, .analytic_flop = 1e6}};
    outcome.point.flop = app_once(1e6 * (1 + off));
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    workload_validation_print_claim("own.c", &outcome, 1, out);
    fclose(out);
    return has(text, "were executed");
}

static void each_threshold_decides(void **state) {
    (void)state;
    static const struct threshold_case CASES[] = {
        {"evasion known", 0.05, evasion_is_vague, true}, {"evades", 0.95, core_evades, true},
        {"some evaded", 0.05, some_are_evaded, true},    {"walk range", 1.2, walk_is_range, true},
        {"same clock", 0.01, check_names_clock, true},   {"same clock", 0.01, compare_names_clock, true},
        {"explained", 8.5, clock_explains, true},        {"factor", 0.02, factor_is_said, true},
        {"factor", 0.02, other_factor_is_said, true},    {"shared out", 0.1, shares_are_shown, true},
        {"many alike", 0.055, many_are_alike, true},     {"subject, least", 0.3, part_is_subject, true},
        {"subject, most", 0.95, part_is_subject, false}, {"subject, waits", 0.3, waits_are_subject, true},
        {"interval", 0.01, interval_is_shown, true},     {"interval, first", 0.2, interval_is_first, true},
        {"curve, inside", 0.8, size_is_outside, true},   {"curve, outside", 1.5, size_is_next, true},
        {"pipes, none", 0.15, pipes_differ, true},       {"pipes, all", 0.95, pipes_agree, true},
        {"model agrees", 0.02, level_disagrees, true},   {"work agrees", 0.005, work_differs, true},
        {"work agrees", 0.005, claim_is_wrong, true},    {"OpenBLAS agrees", 0.015, openblas_differs, true},
    };
    thresholds_decide((const struct threshold *)&report_thresholds, REPORT_THRESHOLD_COUNT, CASES,
                      sizeof CASES / sizeof *CASES);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_threshold_decides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
