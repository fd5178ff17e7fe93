/* SPDX-License-Identifier: BSD-3-Clause
 * What bounds a program: each branch on a model of round numbers, and kernels of a measured machine against its own
 * roofs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "carm/model/applicable_roofs.h"
#include "carm/model/model_thresholds.h"
#include "carm/model/verdict_words.h"
#include "tests/support/fixtures.h"
#include "tests/support/memories.h"
#include "tests/support/programs.h"

/* A verdict, and its text. */
struct judged {
    struct verdict verdict;
    char text[VERDICT_WORDS_BYTES];
};

static struct judged judge_by(const struct model *by, const struct app_point *point) {
    struct judged judged = {.verdict = verdict_find(by, point)};
    verdict_words(&judged.verdict, point, judged.text);
    assert_true(judged.text[0] && judged.text[strlen(judged.text) - 1] != '.');
    assert_null(strstr(judged.text, "nan"));
    return judged;
}

static struct judged judge(struct app_point point) {
    return judge_by(&model, &point);
}

static void assert_bound(struct judged told, const char *by, const char *kernel, double ratio) {
    assert_true(told.verdict.known);
    assert_int_equal(told.verdict.bandwidth != NULL, strcmp(by, "compute") != 0);
    if (told.verdict.bandwidth)
        assert_string_equal(told.verdict.bandwidth->sample->level, by);
    assert_string_equal(verdict_bound_by(&told.verdict), verdict_limit_known(&told.verdict) ? by : "");
    if (told.verdict.bandwidth)
        assert_string_equal(told.verdict.bandwidth->sample->kernel, kernel);
    assert_contains(told.text, kernel);
    if (fabs(told.verdict.ratio - ratio) > 1e-6)
        fail_msg("at %g, not %g: %s", told.verdict.ratio, ratio, told.text);
}

/* No ceiling fits a program if a blank one may be the highest. */
static void a_blank_ceiling_gives_no_verdict(void **state) {
    (void)state;
    const struct app_point point = program(90e9, 1e9, 0);
    assert_true(judge(point).verdict.known);
    const struct sample right = samples[0];
    sample_blank(&samples[0]);
    struct model blank = model_build(&result);
    const struct verdict verdict = verdict_find(&blank, &point);
    assert_true(verdict.threads != 1 && !verdict_is_above(&verdict));
    model_free(&blank);
    samples[0] = right;
}

/* Streams far from compute ceilings: the pattern with the same share of stores, the best one if there are several. */
static void patterns_by_the_share_of_stores(void **state) {
    (void)state;
    assert_bound(judge(program(1e9, 15e9, 0)), "DRAM", "avx512.load", 15.0 / 16);
    assert_bound(judge(program(1e9, 12e9, 6e9)), "DRAM", "avx512.axpy", 18.0 / 24);
    assert_bound(judge(program(1e9, 14e9, 14e9)), "DRAM", "avx512.update", 28.0 / 30);
    assert_bound(judge(program(1e9, 1e9, 20e9)), "DRAM", "avx512.ntstore", 21.0 / 24);
    assert_bound(judge(program(1e9, 14e9, 1e9)), "DRAM", "avx512.load", 15.0 / 16); /* 1/15 is nearer to 0 than 1/4 */
    struct judged copy = judge(program(1e9, 7e9, 7e9));
    assert_bound(copy, "DRAM", "avx512.update", 14.0 / 30);
    assert_contains(copy.text, "for 1 load : 1 store (avx512.update, 30 GB/s)");
    assert_string_equal(copy.verdict.same_mix->sample->kernel, "avx512.1ld1st");
    assert_null(judge(program(1e9, 14e9, 14e9)).verdict.same_mix); /* it is above the roof of the same mix */
    copy.verdict.nearest = NULL;                                   /* if its data are known to be in DRAM */
    const struct app_point point = program(1e9, 7e9, 7e9);
    assert_contains(verdict_words(&copy.verdict, &point, copy.text), "avx512.1ld1st, of the same mix, allows 14 GB/s");
}

static void the_slowest_level_that_allows_it(void **state) {
    (void)state;
    assert_bound(judge(program(1e9, 17e9, 0)), "DRAM", "avx512.load", 17.0 / 16); /* both were measured */
    assert_bound(judge(program(1e9, 20e9, 0)), "L2", "avx512.load", 20.0 / 180);
    assert_bound(judge(program(4e9, 250e9, 0)), "L1", "avx512.load", 250.0 / 400);
    struct judged far = judge(program(1e9, 20e9, 0));
    assert_contains(far.text, "So far below");
    assert_null(strstr(judge(program(1e9, 15e9, 0)).text, "So far below"));
    assert_near(far.verdict.attainable_flop_per_s, 180e9 / 20);
    struct judged above = judge(program(50e9, 500e9, 0));
    assert_bound(above, "L1", "avx512.load", 1.25);
    assert_true(verdict_is_above(&above.verdict) && !verdict_is_above(&far.verdict));
    assert_contains(above.text, "above every roof");
}

/* From level to level, to the ceiling, and from narrow code to wide; a program far below its roof is not. */
static void the_next_roof(void **state) {
    (void)state;
    struct judged told = judge(with_traffic(program(1e9, 15e9, 0), 15e9));
    assert_string_equal(told.verdict.next->sample->level, "L2");
    assert_near(told.verdict.next_flop_per_s, 180e9 / 15);
    assert_contains(told.text, "With its data in L2 it could reach 12 Gflop/s, 11 times as much");
    told = judge(with_traffic(program(10e9, 15e9, 0), 15e9)); /* L2 would permit 120 */
    assert_string_equal(told.verdict.next->sample->kernel, "avx512.f64.fma");
    assert_near(told.verdict.next_flop_per_s, 100e9);
    assert_contains(told.text, "could reach 100 Gflop/s, the ceiling");
    told = judge(program(1e9, 20e9, 0));
    assert_null(told.verdict.next); /* the place of its data is unknown */
    assert_null(strstr(told.text, "could reach"));
    assert_null(judge(program(4e9, 390e9, 0)).verdict.next);
    struct app_point narrow = program(11e9, 1e9, 0);
    narrow.count.flop[COUNT_F64][COUNT_512] = 0;
    narrow.count.flop[COUNT_F64][COUNT_SCALAR] = (uint64_t)11e9;
    told = judge(narrow);
    assert_string_equal(told.verdict.ceiling->sample->kernel, "scalar.f64.fma");
    assert_string_equal(told.verdict.next->sample->kernel, "avx512.f64.fma");
    assert_null(judge(program(99e9, 1e9, 0)).verdict.next);
    assert_null(judge(program(0, 1e9, 0)).verdict.next);
}

/* A repeated sum over 2 KiB requests no more than DRAM could deliver. */
static void a_level_that_was_not_looked_at(void **state) {
    (void)state;
    char text[64];
    const struct judged told = judge(program(1e9, 11.3e9, 0));
    assert_string_equal(told.text,
                        "at most 71 % of the DRAM roof for loads (avx512.load, 16 GB/s); `carmine app --levels` "
                        "finds its level");
    const struct app_point same = program(1e9, 11.3e9, 0);
    assert_int_equal(verdict_next(&told.verdict, &same, false), NEXT_LEVELS);
    assert_string_equal(verdict_bound_by(&told.verdict), "");
    assert_string_equal(verdict_bound_cell(&told.verdict), "unknown");
    assert_string_equal(verdict_reached_cell(&told.verdict, text, sizeof text), "≤ 71 % of DRAM");
    assert_string_equal(verdict_mark(&told.verdict, "DRAM", 0.71, true, text, sizeof text), "≤ 71 % of DRAM");
    assert_string_equal(verdict_next_cell(&told.verdict, text, sizeof text), "");
    assert_string_equal(verdict_next_line(&told.verdict, text, sizeof text), "");
    assert_contains(verdict_bound_line(&told.verdict, text, sizeof text), "at most 71 % of 1.42 Gflop/s (DRAM)");
    assert_string_equal(verdict_zone(&told.verdict), "level not known");
    const struct judged beyond = judge(program(1e9, 16.8e9, 0)); /* within the uncertainty of the roofs */
    assert_contains(beyond.text, "at most 100 % of the DRAM roof");
    assert_string_equal(verdict_reached_cell(&beyond.verdict, text, sizeof text), "≤ 100 % of DRAM");
    assert_string_equal(verdict_mark(&beyond.verdict, "DRAM", 1.05, true, text, sizeof text), "≤ 100 % of DRAM");
    assert_contains(verdict_bound_line(&beyond.verdict, text, sizeof text), "at most 100 % of");
    const struct judged fast = judge(program(4e9, 300e9, 0)); /* no other level is so fast */
    assert_null(fast.verdict.nearest);
    assert_contains(fast.text, "memory-bound: at 75 % of the L1 roof");
    assert_string_equal(verdict_mark(&fast.verdict, "L1", 0.75, false, text, sizeof text), "L1 75 %");
    assert_non_null(judge(program(4e9, 100e9, 0)).verdict.nearest);                /* all from L2, or L1 */
    assert_null(judge(program(80e9, 4e9, 0)).verdict.nearest);                     /* its ceiling, from any level */
    assert_null(judge(with_traffic(program(1e9, 14e9, 0), 14e9)).verdict.nearest); /* DRAM was excluded */
    assert_non_null(judge(with_traffic(program(1e9, 14e9, 0), 1e6)).verdict.nearest);
}

/* Scalar code gets nearly as much from L2 as from L1: a sum over 8 KiB with eight accumulators. */
static void narrow_code_is_bound_by_its_loads(void **state) {
    (void)state;
    struct sample narrow[COUNT];
    struct result of_narrow = result;
    memcpy(narrow, samples, sizeof samples);
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(narrow[i].kernel, "scalar.load") == 0)
            narrow[i].value = (strcmp(narrow[i].level, "L1") == 0 ? 64e9 : 63e9) * narrow[i].threads;
    of_narrow.samples = narrow;
    struct model by = model_build(&of_narrow);
    struct app_point point = of_width(program(6.9e9, 55e9, 0), COUNT_F64, COUNT_SCALAR);
    struct judged told = judge_by(&by, &point);
    assert_contains(told.text, "memory-bound: at 86 % of the L1 roof for loads (scalar.load, 64 GB/s)");
    assert_null(strstr(told.text, "could reach")); /* by code of other width */
    assert_string_equal(verdict_bound_by(&told.verdict), "L1");
    model_free(&by);
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(narrow[i].kernel, "scalar.load") == 0 && strcmp(narrow[i].level, "L1") != 0)
            narrow[i].value = 56e9 * narrow[i].threads;
    by = model_build(&of_narrow); /* a slower level that is fast enough: the place of its data is unknown */
    told = judge_by(&by, &point);
    assert_contains(told.text, "at most 98 % of the DRAM roof");
    assert_string_equal(verdict_bound_by(&told.verdict), "");
    point = of_width(program(7.9e9, 63e9, 0), COUNT_F64, COUNT_SCALAR); /* DRAM's by its uncertainty, and L1's own */
    told = judge_by(&by, &point);
    assert_string_equal(verdict_bound_by(&told.verdict), "L1");
    model_free(&by);
}

static void the_link_that_takes_the_longest(void **state) {
    (void)state;
    struct judged told = judge(with_links(program(1e9, 130e9, 0), 129.6e9, 8e9));
    assert_bound(told, "L2", "avx512.load", 129.6 / 180);
    assert_contains(told.text, "bound by L1 ⇄ L2: 72 % of its time at that roof (avx512.load: 180 GB/s)");
    assert_contains(told.text, "Without that traffic L2 ⇄ DRAM would bind it, 1.4 times as fast");
    assert_null(strstr(told.text, "With its data in"));
    assert_string_equal(verdict_zone(&told.verdict), "memory-bound");
    told = judge(with_links(program(1e9, 130e9, 0), 20e9, 15.2e9));
    assert_bound(told, "DRAM", "avx512.load", 0.95);
    told = judge(with_links(program(80e9, 130e9, 0), 20e9, 1e9));
    assert_bound(told, "compute", "avx512.f64.fma", 0.8);
    assert_null(told.verdict.next);
    told = judge(with_links(of_width(program(9e9, 13e9, 0), COUNT_F64, COUNT_SCALAR), 20e9, 4e9));
    assert_bound(told, "compute", "scalar.f64.fma", 0.75);
    assert_near(told.verdict.next_flop_per_s, 36e9); /* then DRAM */
    assert_string_equal(told.verdict.next->sample->level, "DRAM");
    told = judge(with_links(program(1e9, 13e9, 0), 1e9, 20e9));
    assert_true(verdict_is_above(&told.verdict) && told.verdict.ratio > 1.2);
    told = judge(with_links(program(0, 10e9, 0), 90e9, 15.2e9));
    assert_false(told.verdict.known);
    assert_contains(told.text, "Its slowest link is L2 ⇄ DRAM: 95 % of its time");
}

/* The machine, and the latency of a load from its memory. */
static struct model build_with_latency(struct sample slow[COUNT + 1], struct result *out) {
    memcpy(slow, samples, sizeof samples);
    slow[COUNT] =
        (struct sample){.kind = SAMPLE_LATENCY, .threads = 1, .value = 100e-9, .kernel = "chase", .level = "DRAM"};
    *out = result;
    out->samples = slow, out->sample_count = COUNT + 1;
    return model_build(out);
}

/* Neither by its lines' latencies nor by a chain of its own. */
static void what_waits(void **state) {
    (void)state;
    struct app_point point = with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9); /* 50 million lines */
    point.clock_hz = 3e9, point.count.instructions = 1500000000;
    struct judged told = judge(point);
    assert_contains(told.text, "latency- or dependency-bound: no link and no ceiling needs more than 20 % of its time");
    assert_contains(told.text, "It executes 0.5 instructions per cycle at 3 GHz");
    assert_string_equal(verdict_bound_by(&told.verdict), "latency- or dependency");
    assert_string_equal(verdict_zone(&told.verdict), "waits");
    struct result with_latency;
    struct sample slow[COUNT + 1];
    struct model of_latency = build_with_latency(slow, &with_latency);
    told = judge_by(&of_latency, &point);
    assert_contains(told.text, "latency- or dependency-bound: no link"); /* its loops are not known */
    assert_contains(told.text,
                    "lines, 50 M from DRAM at 100 ns each, would take 5 s one after the other: 5 are in flight");
    assert_contains(told.text, "independent random accesses reach 140"); /* 90 GB/s of them */
    point = with_links(program(1e9, 40e9, 0), 64, 64);
    point.clock_hz = 0;
    told = judge_by(&of_latency, &point);
    assert_contains(told.text, "dependency-bound: no link and no ceiling needs more than 10 % of its time (core ⇄ L1)");
    assert_contains(told.text, "take under 0.1 % of its time even one after the other");
    point = with_links(program(1e6, 1e6, 0), 64, 64);
    told = judge_by(&of_latency, &point);
    assert_contains(told.text, "dependency-bound: no link and no ceiling needs 0.1 % of its time (");
    model_free(&of_latency);
}

/* Parallel pointer chases show how many lines a core can have in flight. */
static void lines_at_a_time(void **state) {
    (void)state;
    struct app_point point = with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9); /* 50 million lines in 1 s */
    struct result with_latency;
    struct sample slow[COUNT + 1];
    struct model of_latency = build_with_latency(slow, &with_latency);
    memories_parallel(&with_latency.memory, "L3", 10e-9, 30);
    memories_parallel(&with_latency.memory, "DRAM", 100e-9, 22);
    struct judged told = judge_by(&of_latency, &point);
    assert_contains(told.text, "latency- or dependency-bound: 5 lines at a time of the 22 that this core can have; no");
    assert_contains(told.text, "would take 5 s one after the other");
    assert_null(strstr(told.text, "in flight"));
    point = with_links(program(0, 10e9, 0), 3.2e9, 3.2e9);
    told = judge_by(&of_latency, &point);
    assert_contains(told.text,
                    ". It is latency- or dependency-bound: 5 lines at a time of the 22 that this core can have. Its c");
    with_latency.memory.series_count--; /* not of its level */
    told = judge_by(&of_latency, &point);
    assert_contains(told.text, "5 are in flight at a time");
    with_latency.memory.series_count++;
    with_latency.memory.series[1].count = 2;
    told = judge_by(&of_latency, &point); /* more than two chases had: prefetched */
    assert_contains(told.text, "5 are in flight at a time");
    with_latency.memory.series[1].count = 40;
    memory_system_free(&with_latency.memory);
    model_free(&of_latency);
}

/* A program of 50 million lines, and its only loop, of 50 million iterations; equal traffic, and a chain that takes so
 * much of the 20 cycles of an iteration, or a pointer chase. */
static double kernel_s;
static struct judged judge_with_loop(double chain, bool chases, double time_share) {
    struct result with_loop;
    struct sample slow[COUNT + 1];
    struct app_point points[2] = {with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9)};
    points[0].part = APP_PROGRAM, points[0].clock_hz = 1e9;
    points[0].cpu_seconds = points[0].seconds;
    points[0].kernel_seconds.median = kernel_s;
    points[1] = points[0];
    points[1].part = APP_LOOP, points[1].time_share = time_share;
    points[1].seconds.median = time_share;
    points[1].iterations = (uint64_t)(5e7 * time_share), points[1].entries = 1,
    points[1].count.instructions = 6 * points[1].iterations;
    points[1].in_core = (struct point_in_core){.known = true,
                                               .instructions = 6,
                                               .fetch = 1,
                                               .mispredict = 17,
                                               .chain = chain,
                                               .chain_memory = chases ? chain : 0,
                                               .chain_of = "vaddsd",
                                               .flight = 85};
    struct model of_latency = build_with_latency(slow, &with_loop);
    with_loop.point_count = 2, with_loop.points = points;
    struct judged told = judge_by(&of_latency, &points[0]);
    const struct judged loop = judge_by(&of_latency, &points[1]);
    assert_string_equal(verdict_bound_by(&loop.verdict), chain > 14     ? "chain"
                                                         : kernel_s > 0 ? "latency- or dependency"
                                                                        : "latency");
    model_free(&of_latency);
    return told;
}

/* The same lines, and other arithmetic: the loops say what the program waits for, and both say the same. */
static void equal_traffic_and_other_arithmetic(void **state) {
    (void)state;
    struct judged told = judge_with_loop(1, false, 1);
    assert_string_equal(verdict_bound_by(&told.verdict), "latency");
    assert_contains(told.text, "latency-bound: no link");
    kernel_s = 0.11; /* that may be the rest */
    told = judge_with_loop(1, false, 1);
    assert_string_equal(verdict_bound_by(&told.verdict), "latency- or dependency");
    kernel_s = 0;
    told = judge_with_loop(4, true, 1);
    assert_string_equal(verdict_bound_by(&told.verdict), "latency");
    told = judge_with_loop(18, false, 1);
    assert_string_equal(verdict_bound_by(&told.verdict), "instruction");
    assert_contains(told.text,
                    "instruction-bound: 100 % of its time is in loops that their own instructions bind; no l");
    assert_null(strstr(told.text, "latency"));
    told = judge_with_loop(18, false, verdict_thresholds.one_by_one.value - 0.01); /* what else it does is not known */
    assert_string_equal(verdict_bound_by(&told.verdict), "latency- or dependency");
    assert_null(strstr(told.text, "carmine app --by loop"));
}

/* A loop of `iterations` that takes 20 cycles of 1 GHz for each, on 50 million lines of 100 ns. */
static struct point_in_core plain_loop(void) {
    return (struct point_in_core){.known = true,
                                  .instructions = 6,
                                  .fetch = 1,
                                  .mispredict = 17,
                                  .flight = 85,
                                  .chain = 1,
                                  .chain_of = "add",
                                  .busiest_ports = "0, 1"};
}

static struct judged judge_pair(const struct point_in_core *in_core, double time_share, struct judged *loop) {
    struct result with_loop;
    struct sample slow[COUNT + 1];
    struct app_point points[2] = {with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9)};
    points[0].part = APP_PROGRAM, points[0].clock_hz = 1e9;
    points[0].cpu_seconds = points[0].seconds;
    points[1] = points[0];
    points[1].part = APP_LOOP, points[1].time_share = time_share;
    points[1].seconds.median = time_share;
    points[1].iterations = (uint64_t)(5e7 * time_share), points[1].entries = 1;
    points[1].count.instructions = 6 * points[1].iterations;
    points[1].in_core = *in_core;
    struct model of_loop = build_with_latency(slow, &with_loop);
    with_loop.point_count = 2, with_loop.points = points;
    const struct judged told = judge_by(&of_loop, &points[0]);
    *loop = judge_by(&of_loop, &points[1]);
    model_free(&of_loop);
    return told;
}

/* Equal traffic and time, at constant strides or scattered, and other arithmetic: "latency" only where nothing else can
 * be the reason, and the program never says other than its loop. */
static void pairs_of_equal_traffic(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double chain, ports, divider, rarer_ways, branches, unknown;
        const char *loop, *scattered, *strided; /* what binds */
    } rows[] = {
        {"nothing else", 0, 0, 0, 0, 0, 0, NULL, "latency", "latency- or dependency"},
        {"a mask", 2, 1, 0, 0, 0, 0, NULL, "latency", "latency- or dependency"},
        {"a predictable branch", 1, 1, 0, 0.01, 1, 0, NULL, "latency", "latency- or dependency"},
        {"a branch at random", 1, 1, 0, 0.9, 1, 0, NULL, "latency- or dependency", "latency- or dependency"},
        {"an unknown instruction", 1, 1, 0, 0, 1, 1, NULL, "latency- or dependency", "latency- or dependency"},
        {"a chain", 18, 1, 0, 0, 0, 0, "chain", "instruction", "instruction"},
        {"half a chain", 9, 1, 0, 0, 0, 0, NULL, "latency", "latency- or dependency"},
        {"a division", 1, 1, 18, 0, 0, 0, "divider", "instruction", "instruction"},
        {"much arithmetic", 1, 17, 0, 0, 0, 0, "ports", "instruction", "instruction"},
        {"many jumps", 1, 1, 0, 0, 16, 0, "branches", "instruction", "instruction"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned strided = 0; strided < 2; strided++) {
            struct point_in_core in_core = plain_loop();
            in_core.chain = rows[i].chain, in_core.ports = rows[i].ports, in_core.divider = rows[i].divider;
            in_core.rarer_ways = rows[i].rarer_ways, in_core.branches = rows[i].branches;
            in_core.unknown_instructions = rows[i].unknown, in_core.strided = strided;
            struct judged loop;
            const char *wanted = strided ? rows[i].strided : rows[i].scattered;
            for (double share = 1; share > 0.5; share -= 0.4) {
                const struct judged told = judge_pair(&in_core, share, &loop);
                const char *of_program = verdict_bound_by(&told.verdict), *of_loop = verdict_bound_by(&loop.verdict);
                if (strcmp(of_program, wanted) != 0 || strcmp(of_loop, rows[i].loop ? rows[i].loop : wanted) != 0)
                    fail_msg("%s, %s: the program \"%s\", its loop \"%s\"", rows[i].name,
                             strided ? "strided" : "scattered", of_program, of_loop);
            }
        }
}

/* No more than independent random accesses have in flight can be waited for. */
static void prefetched_lines_are_no_latency(void **state) {
    (void)state;
    struct result with_latency;
    struct sample slow[COUNT + 1];
    struct model of_latency = build_with_latency(slow, &with_latency);
    const double most = 90e9 / 64 * 100e-9; /* of these roofs: lines at a time */
    for (int above = 0; above < 2; above++) {
        struct app_point point = with_links(program(1e9, 40e9, 0), 0, 0);
        point.part = APP_PROGRAM;
        point.levels.link[1].load_bytes = point.levels.link[2].load_bytes = 64 * 10e6 * most * (above ? 1.01 : 0.99);
        point.seconds.median = 10 * 0.1;   /* 10 million lines of 100 ns, so many at a time */
        for (size_t i = 0; i < COUNT; i++) /* so that it is far below its roofs */
            if (slow[i].kind == SAMPLE_BANDWIDTH && !strstr(slow[i].kernel, "random"))
                slow[i].value = 1e12;
        struct judged told = judge_by(&of_latency, &point);
        assert_int_equal(told.verdict.waits.may_be_latency, !above);
        assert_contains(told.text, above ? "more than the 140 of independent random accesses, so most were prefetched"
                                         : "; independent random accesses reach 140");
        assert_contains(told.text, ". `carmine app --by loop` tells what each loop waits for");
        assert_int_equal(verdict_next(&told.verdict, &point, false), NEXT_LOOPS);
        assert_int_equal(verdict_next(&told.verdict, &point, true), NEXT_NOTHING);
    }
    model_free(&of_latency);
}

/* From five instructions per cycle on, these come first, and the program does not wait. */
static void what_executes_many_instructions(void **state) {
    (void)state;
    for (int above = 0; above < 2; above++) {
        struct app_point point = program(0, 0.5e9, 0);
        point.part = APP_PROGRAM, point.clock_hz = 1e9;
        point.count.instructions = (uint64_t)(1e9 * verdict_thresholds.many_per_cycle.value * (above ? 1.001 : 0.999));
        struct judged told = judge(point);
        assert_int_equal(
            strncmp(told.text, "executes many instructions: 5 instructions per cycle at 1 GHz; no pl", 66) == 0, above);
        assert_int_equal(strstr(told.text, "So far below") != NULL, !above);
        point.part = APP_PHASE; /* too short for the kernel's share, which does not matter to what executes much */
        assert_int_equal(strstr(judge(point).text, "; or for the kernel") != NULL, !above);
        point.part = APP_PROGRAM;
        point = with_links(point, 64, 64);
        told = judge(point);
        assert_contains(told.text, above ? ". It is instruction-bound" : ". It is latency- or dependency-bound");
    }
}

/* Integer code without vectors has no roof of vectors, also of its mix of loads and stores. */
static void scalar_code_has_scalar_roofs(void **state) {
    (void)state;
    struct app_point point = program(0, 9e9, 3e9);
    point.count.instructions = 10000000000;
    point.count.load_bytes = 9000000000, point.count.store_bytes = 3000000000;
    point.count.load_instructions = point.count.load_bytes / 8, point.count.store_instructions = 1000000000;
    assert_contains(judge(point).text, "(scalar.2ld1st, 14 GB/s)");
    struct app_point wide = point;
    wide.count.load_instructions--; /* one of them loads more than a register */
    assert_null(strstr(judge(wide).text, "scalar"));
    wide = point;
    wide.count.mix[CLASS_SHUFFLE] = (uint64_t)(1e10 * verdict_thresholds.few.value);
    assert_contains(judge(wide).text, "scalar.2ld1st");
    wide.count.mix[CLASS_SHUFFLE]++;
    assert_null(strstr(judge(wide).text, "scalar"));
    point.load_bytes.median = 300e9; /* more than scalar loads of floating-point numbers reach */
    assert_contains(judge(point).text, "avx512.");
}

/* Loops on a core without a table say so. */
static void loops_without_a_table(void **state) {
    (void)state;
    struct app_point point = program(1e9, 15e9, 0);
    point.part = APP_LOOP, point.iterations = 1000;
    assert_contains(judge(point).text,
                    ". Its instructions have no account: its core has no table, and was not measured");
    struct verdict verdict = judge(point).verdict;
    assert_int_equal(verdict_next(&verdict, &point, true), NEXT_CORE);
    verdict.basis = VERDICT_NO_CEILING;
    assert_int_equal(verdict_next(&verdict, &point, true), NEXT_RUN);
    point.iterations = 0;
    assert_null(strstr(judge(point).text, "account"));
    verdict = (struct verdict){.basis = VERDICT_NO_FLOP, .waits.for_cpu = true};
    point.part = APP_PROGRAM, point.has_count = true;
    assert_int_equal(verdict_next(&verdict, &point, false), NEXT_NOTHING);
    verdict.delayed = true; /* by other programs: not its own cause */
    assert_int_equal(verdict_next(&verdict, &point, false), NEXT_LOOPS);
}

/* Programs without flop wait, too; but not those with other arithmetic. */
static void what_waits_without_flop(void **state) {
    (void)state;
    struct result with_latency;
    struct sample slow[COUNT + 1];
    struct model of_latency = build_with_latency(slow, &with_latency);
    struct app_point point = with_links(program(0, 10e9, 0), 3.2e9, 3.2e9); /* 50 million lines */
    point.clock_hz = 3e9, point.count.instructions = 1500000000;
    struct judged told = judge_by(&of_latency, &point);
    assert_false(told.verdict.known);
    assert_string_equal(verdict_bound_by(&told.verdict), "");
    assert_contains(told.text, "Its slowest link is L2 ⇄ DRAM: 20 % of its time");
    assert_contains(told.text, ". It is latency- or dependency-bound. Its cache lines, 50 M from DRAM at 100 ns each");
    assert_contains(told.text, "It executes 0.5 instructions per cycle at 3 GHz");
    point = with_links(program(0, 10e9, 0), 64, 64);
    told = judge_by(&of_latency, &point);
    assert_contains(told.text, ". It is dependency-bound. Cache lines from beyond L1");
    assert_contains(told.text, "page walks or the kernel, or it executes many other instructions");
    point.flop_source = SOURCE_UNKNOWN;
    told = judge_by(&of_latency, &point);
    assert_null(strstr(told.text, "waits"));
    model_free(&of_latency);
}

/* A program whose pages the kernel clears waits for that, regardless of its lines' latency. */
static void what_the_kernel_does(void **state) {
    (void)state;
    struct app_point point = with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9); /* 20 % of a second */
    point.part = APP_PROGRAM;
    point.cpu_seconds.median = 1, point.kernel_seconds.median = 0.05, point.page_faults.median = 50000;
    assert_null(strstr(judge(point).text, "in the kernel"));
    point.kernel_seconds.median = 0.3;
    struct judged told = judge(point);
    assert_string_equal(verdict_bound_by(&told.verdict), "latency- or dependency");
    assert_contains(
        told.text, "30 % of its time is spent in the kernel (50 k page faults); latency- or dependency-bound: no link");
    point.kernel_seconds.median = 0.6;
    told = judge(point);
    assert_string_equal(verdict_bound_by(&told.verdict), "kernel");
    assert_contains(told.text,
                    "kernel-bound: 60 % of its time is spent in the kernel (50 k page faults); no link and no "
                    "ceiling needs more than 20 %");
    assert_null(strstr(told.text, "latenc"));
    point = with_links(program(1e9, 40e9, 0), 6e9, 6e9); /* 38 %: half of the time outside the kernel */
    point.part = APP_PROGRAM, point.cpu_seconds.median = 1, point.kernel_seconds.median = 0.25;
    told = judge(point);
    assert_string_equal(verdict_bound_by(&told.verdict), "kernel");
    point.seconds.median = 4; /* asleep for three of them */
    told = judge(point);
    assert_string_equal(verdict_bound_by(&told.verdict), "latency- or dependency");
    point.seconds.median = 1, point.part = APP_LOOP, point.kernel_seconds.median = 0.6;
    told = judge(point);
    assert_string_equal(verdict_bound_by(&told.verdict), "latency- or dependency");
    assert_contains(told.text, ". 60 % of its program's CPU time is spent in the kernel");
    point.mpi_seconds = (struct statistics){.n = 1, .median = 0.7};
    told = judge(point);
    assert_string_equal(verdict_bound_by(&told.verdict), "MPI");
    assert_contains(told.text, "MPI-bound: 70 % of its time is in MPI; no link and no ceiling needs more than 38 %");
    point.mpi_seconds.n = 0;
    point.cpu_seconds.median = 0.02, point.kernel_seconds.median = 0.012; /* three ticks */
    assert_null(strstr(judge(point).text, "in the kernel"));
}

/* A program that mostly had no CPU waits, before any roof is named. */
static void what_has_no_cpu(void **state) {
    (void)state;
    char text[64];
    struct app_point point = with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9);
    point.part = APP_PROGRAM, point.cpu_seconds.median = 0.12;
    point.idle_seconds.median = 0.88;
    struct judged told = judge(point);
    assert_string_equal(told.text, "88 % of its time it waited (sleep, I/O or other programs)");
    assert_string_equal(verdict_bound_by(&told.verdict), "waiting");
    point.levels.links = 0;
    told = judge(point);
    assert_string_equal(told.text, "88 % of its time it waited (sleep, I/O or other programs)");
    assert_string_equal(verdict_bound_cell(&told.verdict), "waiting");
    assert_string_equal(verdict_zone(&told.verdict), "waits");
    struct app_point moves = program(0, 5000, 400); /* what sleeps may still have moved some bytes */
    moves.part = APP_PHASE, moves.idle_seconds.median = 1;
    told = judge(moves);
    assert_non_null(told.verdict.bytes_roof);
    assert_string_equal(verdict_work_cell(&told.verdict), "waiting");
    point.delay_seconds.median = 0.6;
    told = judge(point);
    assert_string_equal(told.text, "88 % of its time it waited (mostly while other programs had the CPU)");
    point.delay_seconds.median = 0;
    point.idle_seconds.median = 0.3; /* at 6 % in the remaining time: idle time is not the reason */
    point.flop.median = 1e8, point.load_bytes.median = 0.7e9;
    told = judge(point);
    assert_contains(told.text,
                    "30 % of its time it waited (sleep, I/O or other programs); at most 4.4 % of the DRAM roof");
    assert_contains(told.text, "So far below");
    point.load_bytes.median = 5.6e9; /* at half of DRAM's roof while it ran */
    told = judge(point);
    assert_null(strstr(told.text, "So far below"));
    struct app_point phase = program(0, 1e8, 400);
    for (unsigned known = 0; known < 2; known++) {
        phase.part = APP_PHASE, phase.kernel_seconds = known ? app_once(0) : (struct statistics){0};
        assert_int_equal(strstr(judge(phase).text, "; or for the kernel (the phase has too few samples") != NULL,
                         !known);
    }
    assert_string_equal(verdict_reached_cell(&told.verdict, text, sizeof text), "≤ 35 % of DRAM");
    point.threads = 4;
    told = judge(point);
    assert_contains(told.text, "30 % of the time its 4 threads had no CPU (they waited for each other, sleep, I/O or");
    point.delay_seconds.median = 0.2;
    told = judge(point);
    assert_contains(told.text, "its 4 threads had no CPU (mostly while other programs had the CPU)");
    point.delay_seconds.median = 0;
    point.idle_seconds.median = 0.09;
    assert_null(strstr(judge(point).text, "waited"));
    point.idle_seconds.median = 0.88, point.ranks = 4; /* that wait in MPI, which is known */
    assert_null(strstr(judge(point).text, "waited"));
    point.ranks = 0, point.part = APP_REGION;
    assert_null(strstr(judge(point).text, "waited"));
}

/* Sampled threads give the causes, with their shares of the time without a CPU. */
static void what_it_waits_for(void **state) {
    (void)state;
    struct app_point point = with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9);
    point.part = APP_PROGRAM, point.cpu_seconds.median = 0.12, point.idle_seconds.median = 0.88;
    point.waits = (struct waits){.samples = 100, .ns = {[WAIT_RUNS] = 120000000, [WAIT_PIPES] = 880000000}};
    struct judged told = judge(point);
    assert_string_equal(told.text, "88 % of its time it waited for a pipe");
    assert_string_equal(verdict_bound_by(&told.verdict), "pipes");
    point.waits.samples = 4; /* too few */
    assert_contains(judge(point).text, "88 % of its time it waited (sleep, I/O or other programs)");
    point.waits.samples = 100, point.waits.ns[WAIT_PIPES] = 700000000, point.waits.ns[WAIT_CPU] = 180000000;
    told = judge(point);
    assert_string_equal(told.text, "70 % of its time it waited for a pipe; 18 % it waited for a CPU");
    point.waits = (struct waits){.samples = 100,
                                 .ns = {[WAIT_RUNS] = 100000000, [WAIT_LOCKS] = 3000000000, [WAIT_SLEEP] = 900000000}};
    told = judge(point); /* the owner of the lock */
    assert_string_equal(told.text, "88 % of its time it slept; 3 of 4 threads waited for locks (futex)");
    assert_string_equal(verdict_bound_by(&told.verdict), "sleep");
    for (int above = 0; above < 2; above++) { /* one thread sleeps, and holds the lock for a third of the time */
        point.waits.ns[WAIT_SLEEP] = 1200000000;
        point.waits.ns[WAIT_LOCKS] = (uint64_t)(1e9 * verdict_thresholds.crowd_threads.value * (above ? 1.01 : 0.99));
        told = judge(point);
        assert_int_equal(strstr(told.text, "88 % of its time it slept; 0.3 of 2 threads waited for locks") != NULL,
                         above);
    }
    point.waits.ns[WAIT_LOCKS] = 3000000000;
    point.threads = 4; /* at work */
    point.waits.ns[WAIT_SLEEP] = 480000000, point.waits.ns[WAIT_RUNS] = 520000000;
    told = judge(point);
    assert_string_equal(told.text,
                        "75 % of its time it waited for locks (futex): 3 of 4 threads at a time; 12 % it slept");
    assert_string_equal(verdict_bound_by(&told.verdict), "locks");
    point.threads = 1;
    point.waits = (struct waits){.samples = 100, .ns = {[WAIT_SLEEP] = 900000000, [WAIT_CHILDREN] = 1000000000}};
    assert_string_equal(judge(point).text, "88 % of its time it slept");        /* the child */
    point.waits.ns[WAIT_CHILDREN] = 0, point.waits.ns[WAIT_PIPES] = 1000000000; /* at the other end */
    assert_string_equal(judge(point).text, "88 % of its time it slept; 1 of 2 threads waited for a pipe");
    point.waits.ns[WAIT_PIPES] = 0, point.waits.ns[WAIT_CHILDREN] = 1000000000;
    point.waits.ns[WAIT_SLEEP] = 0; /* an unseen one */
    assert_string_equal(judge(point).text, "88 % of its time it waited for its child processes");
    point.idle_seconds.median = 0.3;
    assert_contains(judge(point).text, "30 % of its time it waited for its child processes; latency- or dependency-");
    point.waits = (struct waits){.samples = 100,
                                 .ns = {[WAIT_RUNS] = 700000000, [WAIT_CPU] = 300000000, [WAIT_LOCKS] = 1000000000}};
    assert_contains(judge(point).text,
                    "30 % of its time it waited for a CPU; 1 of 2 threads waited for locks (futex); ");
    point.idle_seconds.median = 0; /* a thread of a pool waits: the others run all the time */
    assert_null(strstr(judge(point).text, "waited"));
    point.idle_seconds.median = 0.56, point.threads = 16; /* it begins with one thread: locks are not the reason */
    point.waits = (struct waits){.samples = 100, .ns = {[WAIT_RUNS] = 7500000000, [WAIT_LOCKS] = 500000000}};
    told = judge(point);
    assert_contains(told.text,
                    "8.0 of its 16 threads existed at a time; 6.2 % of its time it waited for locks (futex): "
                    "0.5 of 8 threads at a time; ");
    assert_false(told.verdict.waits.for_cpu);
    point.waits.ns[WAIT_RUNS] = 3500000000, point.waits.ns[WAIT_LOCKS] = 100000000; /* no waits explain the rest */
    point.idle_seconds.median = 0.9;
    told = judge(point);
    assert_contains(told.text, "3.6 of its 16 threads existed at a time; 56 % of the time its 16 threads had no CPU");
    assert_string_equal(verdict_bound_by(&told.verdict), "waiting");
}

/* Page faults are most of the kernel's time. */
static void what_page_faults_cost(void **state) {
    (void)state;
    struct app_point point = with_links(program(1e9, 40e9, 0), 3.2e9, 3.2e9);
    point.part = APP_PROGRAM, point.cpu_seconds.median = 1, point.kernel_seconds.median = 0.5;
    point.page_faults.median = 500000;
    point.waits =
        (struct waits){.samples = 100, .ns = {500000000, [WAIT_FAULTS] = 400000000, [WAIT_KERNEL] = 100000000}};
    struct judged told = judge(point);
    assert_contains(told.text, "kernel-bound: page faults take 40 % of its time (500 k of 800 ns each; touch memory "
                               "once, or use huge pages); no link");
    assert_string_equal(verdict_bound_by(&told.verdict), "kernel");
    struct app_point phase = point;
    phase.part = APP_PHASE, phase.levels.links = 0, phase.load_bytes.median = 1e9;
    told = judge(phase);
    assert_contains(told.text, "kernel-bound: page faults take 40 % of its time");
    assert_string_equal(verdict_work_cell(&told.verdict), "kernel");
    point.waits.ns[WAIT_FAULTS] = 200000000, point.waits.ns[WAIT_KERNEL] = 300000000; /* most is not for them */
    assert_contains(judge(point).text, "kernel-bound: 50 % of its time is spent in the kernel (500 k page faults)");
}

/* Programs with hardly any flop: an interpreter, a copy, a pointer chase. */
static void what_has_hardly_any_flop(void **state) {
    (void)state;
    struct app_point point = program(1e6, 10e9, 0);
    point.part = APP_PROGRAM, point.count.instructions = 2000000000, point.clock_hz = 4e9;
    const struct judged told = judge(point);
    assert_contains(told.text, "hardly any flop (one in 2 k instructions); at most 62 % of the DRAM roof for loads");
    assert_contains(told.text, ". It executes 0.5 instructions per cycle at 4 GHz");
    point.count.instructions = 90000000;
    assert_null(strstr(judge(point).text, "hardly"));
    point = program(0, 0.5e9, 0);
    point.part = APP_PROGRAM;
    const struct judged none = judge(point);
    assert_contains(none.text, "it has no flop. It requests 500 MB/s, at most 3.1 % of the DRAM roof");
    assert_contains(none.text, "So far below its roof it waits for something else: latency, dependencies, branches");
    point = with_links(program(0, 0.5e9, 0), 0.5e9, 0.5e9); /* and without latencies in the result */
    assert_contains(judge(point).text, ". It is latency- or dependency-bound");
}

static void next_roof_in_words(void **state) {
    (void)state;
    char text[64];
    struct sample level = {.level = "L2", .kernel = "avx512.load"}, peak = {.kernel = "avx512.f64.fma"};
    const struct roof faster = {.sample = &level}, higher = {.sample = &peak};
    struct verdict verdict = {.attainable_flop_per_s = 2e9, .next = &faster, .next_flop_per_s = 8.2e9};
    assert_string_equal(verdict_next_cell(&verdict, text, sizeof text), "L2 ×4.1");
    verdict.next = &higher;
    assert_string_equal(verdict_next_cell(&verdict, text, sizeof text), "avx512.f64.fma ×4.1");
    verdict.next = NULL;
    assert_string_equal(verdict_next_cell(&verdict, text, sizeof text), "");
}

static struct app_point of_fused_share(struct app_point point, double share) {
    point.count.fused_flop = (uint64_t)(share * point.flop.median);
    return point;
}

/* Multiply-adds alone use fewer ports than a mix; a program without them cannot reach their ceiling. */
static void compute_ceilings_of_its_own_operations(void **state) {
    (void)state;
    const struct app_point code = of_width(program(40e9, 4e9, 0), COUNT_F64, COUNT_256);
    assert_bound(judge(of_fused_share(code, 0.96)), "compute", "avx2.f64.fma", 40.0 / 50);
    assert_bound(judge(of_fused_share(code, 0.7)), "compute", "avx2.f64.fma", 40.0 / 50);
    const struct app_point fast = of_width(program(60e9, 4e9, 0), COUNT_F64, COUNT_256); /* more than FMA allows */
    assert_bound(judge(of_fused_share(fast, 0.7)), "compute", "avx2.f64.fmaadd", 60.0 / 65);
    const struct app_point slow = of_width(program(20e9, 2e9, 0), COUNT_F64, COUNT_256);
    assert_bound(judge(of_fused_share(slow, 0.04)), "compute", "avx.f64.add", 20.0 / 25);
    assert_bound(judge(of_fused_share(slow, 0.06)), "compute", "avx2.f64.fma", 20.0 / 50);
    struct judged wide = judge(of_fused_share(program(40e9, 4e9, 0), 0));
    assert_bound(wide, "compute", "avx512.f64.add", 40.0 / 50);
    assert_contains(wide.text, "by its own code");
    assert_contains(wide.text, "avx512.f64.fma allows 100 Gflop/s");
    /* No ceiling without FMA was measured: any ceiling counts. */
    assert_bound(judge(of_fused_share(of_width(program(9e9, 1e9, 0), COUNT_F64, COUNT_SCALAR), 0)), "compute",
                 "scalar.f64.fma", 9.0 / 12);
}

static void compute_ceilings_of_its_own_code(void **state) {
    (void)state;
    assert_bound(judge(program(80e9, 4e9, 0)), "compute", "avx512.f64.fma", 0.8);
    struct judged scalar = judge(of_width(program(9e9, 4e9, 0), COUNT_F64, COUNT_SCALAR));
    assert_bound(scalar, "compute", "scalar.f64.fma", 0.75);
    assert_contains(scalar.text, "by its own code");
    assert_contains(scalar.text, "avx512.f64.fma allows 100 Gflop/s");
    assert_string_equal(scalar.verdict.own_peak->sample->kernel, "scalar.f64.fma");
    assert_string_equal(scalar.verdict.peak->sample->kernel, "avx512.f64.fma");
    assert_bound(judge(of_width(program(20e9, 4e9, 0), COUNT_F64, COUNT_128)), "compute", "sse.f64.fma", 20.0 / 24);
    assert_bound(judge(of_width(program(40e9, 4e9, 0), COUNT_F64, COUNT_256)), "compute", "avx2.f64.fma", 0.8);
    assert_bound(judge(of_width(program(6e9, 4e9, 0), COUNT_X87, COUNT_SCALAR)), "compute", "x87.f64.addmul", 6.0 / 7);
    assert_bound(judge(of_width(program(150e9, 4e9, 0), COUNT_F32, COUNT_512)), "compute", "avx512.f32.fma", 0.75);
    /* No tiles of f32 were measured: the highest of the type. */
    assert_bound(judge(of_width(program(150e9, 4e9, 0), COUNT_F32, COUNT_TILE)), "compute", "avx512.f32.fma", 0.75);
    /* Mostly scalar, but it reaches more than scalar code can: the rest counts. */
    assert_bound(judge(of_width(program(60e9, 4e9, 0), COUNT_F64, COUNT_SCALAR)), "compute", "avx512.f64.fma", 0.6);
    struct judged above = judge(program(130e9, 4e9, 0));
    assert_bound(above, "compute", "avx512.f64.fma", 1.3);
    assert_true(verdict_is_above(&above.verdict));
    struct app_point in_registers = program(80e9, 0, 0);
    assert_bound(judge(in_registers), "compute", "avx512.f64.fma", 0.8);
    in_registers.has_count = false; /* from counters: its width is unknown */
    assert_bound(judge(in_registers), "compute", "avx512.f64.fma", 0.8);
    /* The type with the most flop, whatever its widths; integers do not count. */
    struct app_point mixed = program(150e9, 4e9, 0);
    mixed.count.flop[COUNT_F64][COUNT_512] = 60;
    mixed.count.flop[COUNT_F32][COUNT_SCALAR] = mixed.count.flop[COUNT_F32][COUNT_512] = 40;
    mixed.count.flop[COUNT_I8][COUNT_512] = 1000;
    assert_bound(judge(mixed), "compute", "avx512.f32.fma", 0.75);
}

/* Scalar code is as fast as any far from the core, and slower near it. */
static void width_counts_where_it_makes_a_difference(void **state) {
    (void)state;
    assert_bound(judge(of_width(program(1e9, 70e9, 0), COUNT_F64, COUNT_SCALAR)), "L1", "scalar.load", 70.0 / 80);
    assert_bound(judge(of_width(program(8e9, 80e9, 40e9), COUNT_F64, COUNT_SCALAR)), "L1", "scalar.2ld1st", 1);
    struct app_point triad = of_width(program(1e9, 14e9, 7e9), COUNT_F64, COUNT_SCALAR);
    assert_bound(judge(triad), "DRAM", "avx512.axpy", 21.0 / 24); /* not scalar.2ld1st, which is slower in place */
    struct applicable_roofs applicable;
    assert_true(applicable_make(&model, &triad, &applicable));
    assert_string_equal(applicable_pattern(&applicable, "L1", false)->sample->kernel, "scalar.2ld1st");
    assert_string_equal(applicable_pattern(&applicable, "L1", true)->sample->kernel, "avx512.2ld1st");
    /* Scalar arithmetic with wide loads. */
    assert_bound(judge(of_width(program(1e9, 150e9, 0), COUNT_F64, COUNT_SCALAR)), "L2", "avx512.load", 150.0 / 180);
    assert_bound(judge(of_width(program(1e9, 300e9, 0), COUNT_F64, COUNT_SCALAR)), "L1", "avx512.load", 0.75);
}

static void threads_choose_the_roofs(void **state) {
    (void)state;
    struct app_point point = program(1e9, 30e9, 0);
    point.threads = 4;
    struct judged four = judge(point);
    assert_bound(four, "DRAM", "avx512.load", 30.0 / 64);
    assert_null(strstr(four.text, "Judged by"));
    point.threads = 2;
    struct judged two = judge(point);
    assert_bound(two, "DRAM", "avx512.load", 30.0 / 64);
    assert_int_equal(two.verdict.threads, 4);
    assert_contains(two.text, "roofs of 4 threads: there are none for 2");
    point.threads = 9; /* more than there are cores */
    assert_bound(judge(point), "DRAM", "avx512.load", 30.0 / 64);
    result.machine.core_count = 64; /* then those of 4 threads do not apply to 9 */
    struct judged nine = judge(point);
    assert_false(nine.verdict.known);
    assert_contains(nine.text, "no f64 ceiling of 9 threads");
    result.machine.core_count = 4;
}

/* Whole cores come before two threads per core, fast cores before slow ones. Parts of the machine never count. */
static void places_of_as_many_threads(void **state) {
    (void)state;
    static const struct sample PLACES[] = {
        {.threads = 2, .cores = 1, .value = 90e9, .kernel = "avx512.f64.fma"},
        {.threads = 2, .core_kind = "E", .value = 50e9, .kernel = "avx512.f64.fma"},
        {.threads = 2, .core_kind = "P", .value = 80e9, .kernel = "avx512.f64.fma"},
        {.threads = 2, .core_kind = "E", .value = 60e9, .kernel = "avx512.f64.fma"},
        {.threads = 2, .node = 1, .value = 95e9, .kernel = "avx512.f64.fma"},
        {.threads = 2, .memory_node = 1, .value = 95e9, .kernel = "avx512.f64.fma"},
    };
    for (size_t first = 0; first < 2; first++) { /* in this order and without the first */
        struct sample places[6];
        memcpy(places, PLACES, sizeof places);
        struct model several =
            model_build(&(struct result){.samples = places + first, .sample_count = 6 - first, .kind_count = 1});
        struct app_point point = program(1e9, 1e9, 0);
        struct applicable_roofs applicable;
        point.threads = 2;
        assert_true(applicable_make(&several, &point, &applicable));
        assert_near(applicable_peak(&applicable)->sample->value, 80e9);
        model_free(&several);
    }
}

/* Threads that share cores or take turns are judged by the roofs of their cores, or of the very CPUs if there are such
 * roofs; never by the roofs of as many cores. */
static void a_crowd_is_judged_by_its_cores(void **state) {
    (void)state;
    struct app_point point = program(1e9, 30e9, 0);
    point.threads = 4, point.cores = 1, point.cpus = 1; /* there are roofs of four cores */
    struct judged crowd = judge(point);
    assert_int_equal(crowd.verdict.threads, 1);
    assert_contains(crowd.text, "4 threads on 1 CPU, which take turns: judged by the roofs of 1 core");
    assert_null(strstr(crowd.text, "there are none"));
    const struct sample places[] = {{.threads = 1, .value = 40e9, .kernel = "avx512.f64.fma"},
                                    {.threads = 2, .value = 80e9, .kernel = "avx512.f64.fma"},
                                    {.threads = 4, .value = 160e9, .kernel = "avx512.f64.fma"},
                                    {.threads = 2, .cores = 1, .value = 45e9, .kernel = "avx512.f64.fma"},
                                    {.threads = 4, .cores = 2, .value = 90e9, .kernel = "avx512.f64.fma"}};
    static const struct {
        unsigned threads, cores, cpus;
        double peak;
    } rows[] = {{2, 0, 0, 80e9}, {4, 0, 0, 160e9}, {2, 1, 0, 45e9}, {4, 2, 0, 90e9}, {8, 2, 4, 90e9}, {8, 2, 2, 80e9}};
    struct model several =
        model_build(&(struct result){.samples = (struct sample *)places, .sample_count = 5, .kind_count = 1});
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct applicable_roofs applicable;
        point.threads = rows[r].threads, point.cores = rows[r].cores, point.cpus = rows[r].cpus;
        assert_true(applicable_make(&several, &point, &applicable));
        assert_near(applicable_peak(&applicable)->sample->value, rows[r].peak);
    }
    model_free(&several);
}

static void real_traffic_is_said_too(void **state) {
    (void)state;
    struct app_point point = program(1e9, 10e9, 5e9);
    point.dram_source = SOURCE_SIMULATED;
    point.dram_read_bytes.median = 15e9, point.dram_write_bytes.median = 5e9; /* 3 : 1, like 2ld1st: 15 × 4/3 */
    struct judged told = judge(point);
    assert_string_equal(told.verdict.dram_pattern->sample->kernel, "avx512.2ld1st");
    assert_near(told.verdict.dram_ratio, 1);
    assert_contains(told.text, "DRAM traffic of 20 GB/s (simulated) is 100 % of what avx512.2ld1st moves, 20 GB/s");
    assert_contains(told.text, "DRAM binds it");
    assert_bound(told, "DRAM", "avx512.2ld1st", 1); /* its traffic shows that it is not in place */
    point.dram_read_bytes.median = 16e6, point.dram_write_bytes.median = 0;
    told = judge(point);
    assert_near(told.verdict.dram_ratio, 1e-3);
    assert_contains(told.text, "is 0.1 % of");
    assert_bound(told, "DRAM", "avx512.axpy", 15.0 / 24);
    assert_contains(told.text, "DRAM does not bind it");
    point.dram_read_bytes.median = 0;
    told = judge(point); /* known to be none */
    assert_near(told.verdict.dram_ratio, 0);
    assert_contains(told.text, "is 0.0 % of");
    point.dram_read_bytes.median = 10e9;
    assert_null(strstr(judge(point).text, "bind"));
    /* Whole lines for a few bytes of each: far below every line, and yet at DRAM's limit. */
    point = program(1e9, 2e9, 0);
    point.dram_source = SOURCE_COUNTERS;
    point.dram_read_bytes.median = 16e9;
    told = judge(point);
    assert_near(told.verdict.ratio, 2.0 / 16);
    assert_contains(told.text, "DRAM binds it");
    assert_null(strstr(told.text, "something else"));
    point.dram_source = SOURCE_UNKNOWN;
    assert_null(judge(point).verdict.dram_pattern);
}

/* Two loads and one store of each byte a second: in place, like daxpy, or to a third array. */
static struct app_point stream(enum app_state data, double gigabytes, uint64_t working_set_bytes, bool in_place) {
    struct app_point point = program(1e9, gigabytes * 1e9 * 2 / 3, gigabytes * 1e9 / 3);
    double scale = (double)working_set_bytes * 1.5 / (gigabytes * 1e9);
    point.flop.median *= scale, point.load_bytes.median *= scale, point.store_bytes.median *= scale;
    point.seconds.median *= scale;
    point.working_set_bytes = working_set_bytes;
    point.data = data;
    point.compulsory_read_bytes = point.load_bytes.median + (in_place ? 0 : point.store_bytes.median);
    point.compulsory_write_bytes = point.store_bytes.median;
    return point;
}

/* Code without reuse is judged by the level of its data, not by the slowest level that permits its rate. */
static void where_the_data_of_a_stream_are(void **state) {
    (void)state;
    assert_bound(judge(stream(STATE_COLD, 20, 1 << 20, true)), "DRAM", "avx512.axpy", 20.0 / 24);
    assert_bound(judge(stream(STATE_COLD, 12, 1 << 20, false)), "DRAM", "avx512.2ld1st", 12.0 / 15);
    assert_bound(judge(stream(STATE_WARM, 20, 16 << 10, true)), "L1", "avx512.axpy", 20.0 / 550);
    assert_bound(judge(stream(STATE_WARM, 20, 1 << 20, false)), "L2", "avx512.2ld1st", 20.0 / 140);
    assert_bound(judge(stream(STATE_WARM, 12, 1 << 30, true)), "DRAM", "avx512.axpy", 12.0 / 24);
    /* Between two levels, or unknown, it is the slowest level that permits it. */
    assert_bound(judge(stream(STATE_WARM, 12, 60 << 10, true)), "DRAM", "avx512.axpy", 12.0 / 24);
    assert_bound(judge(stream(STATE_UNKNOWN, 50, 1 << 20, false)), "L2", "avx512.2ld1st", 50.0 / 140);
    struct app_point reuses = stream(STATE_COLD, 50, 1 << 20, false);
    reuses.working_set_bytes /= 2;
    assert_bound(judge(reuses), "L2", "avx512.2ld1st", 50.0 / 140);
    /* Two threads halve the data that their own L2 must hold. */
    struct app_point shared = stream(STATE_WARM, 20, 2 << 20, true);
    assert_bound(judge(shared), "DRAM", "avx512.axpy", 20.0 / 24);
    shared.threads = 4;
    assert_bound(judge(shared), "L2", "avx512.2ld1st", 20.0 / 560 * 3 / 4); /* moves a quarter less than that one */
}

/* If no pattern of its own mix moves as much, another one that does: streams wait for traffic. */
static void traffic_of_a_stream(void **state) {
    (void)state;
    struct app_point copy = stream(STATE_COLD, 14, 1 << 20, false);
    double asked = copy.load_bytes.median + copy.store_bytes.median;
    copy.load_bytes.median = copy.store_bytes.median = asked / 2;
    copy.compulsory_read_bytes = asked, copy.compulsory_write_bytes = asked / 2;
    assert_bound(judge(copy), "DRAM", "avx512.1ld1st", 14.0 / 14);
    struct sample *copies = samples;
    while (strcmp(copies->kernel, "avx512.1ld1st") != 0)
        copies++;
    strcpy(copies->kernel, "avx512.random"); /* not measured */
    struct model less = model_build(&result);
    struct judged told = judge_by(&less, &copy);
    assert_bound(told, "DRAM", "avx512.2ld1st", 14 * 1.5 / (15 * 4.0 / 3));
    assert_contains(told.text, "by its own traffic, 13.3 GB/s");
    strcpy(copies->kernel, "avx512.1ld1st");
    model_free(&less);
    /* It reads again a tenth of its requests, from a cache. */
    struct app_point again = stream(STATE_COLD, 17.6, 1 << 20, true);
    again.load_bytes.median += again.store_bytes.median, again.store_bytes.median = 0;
    again.compulsory_read_bytes = 0.9 * again.load_bytes.median, again.compulsory_write_bytes = 0;
    assert_bound(judge(again), "DRAM", "avx512.load", 17.6 * 0.9 / 16);
    again.data = STATE_WARM, again.working_set_bytes = 16 << 10; /* next to the core all requests count */
    again.load_bytes.median = 24 << 10, again.compulsory_read_bytes = 16 << 10;
    again.seconds.median = (24 << 10) / 200e9, again.flop.median = 1000;
    assert_near(judge(again).verdict.ratio, 0.5);
}

static void above_the_roof_of_where_the_data_are(void **state) {
    (void)state;
    struct judged told = judge(stream(STATE_COLD, 48, 1 << 20, true));
    assert_bound(told, "DRAM", "avx512.axpy", 2);
    assert_true(verdict_is_above(&told.verdict));
    assert_true(doubts_equal(told.verdict.doubts, DOUBTS(DOUBT_ABOVE_ROOF)));
    assert_contains(told.text, "above the roof of the level that should hold its data");
    struct app_point fine = stream(STATE_COLD, 24, 1 << 20, true);
    fine.doubts = DOUBTS(DOUBT_UNSTABLE);
    assert_true(doubts_equal(judge(fine).verdict.doubts, DOUBTS(DOUBT_UNSTABLE)));
    assert_false(doubts_any(judge(stream(STATE_COLD, 24 * 1.04, 1 << 20, true)).verdict.doubts));
    assert_true(
        doubts_equal(judge(stream(STATE_COLD, 24 * 1.06, 1 << 20, true)).verdict.doubts, DOUBTS(DOUBT_ABOVE_ROOF)));
    struct app_point loads = stream(STATE_COLD, 32, 1 << 20, true);
    loads.load_bytes.median += loads.store_bytes.median, loads.store_bytes.median = 0;
    loads.compulsory_read_bytes += loads.compulsory_write_bytes, loads.compulsory_write_bytes = 0;
    loads.flop.median = 0, loads.count.flop[COUNT_F64][COUNT_512] = 0;
    told = judge(loads);
    assert_false(told.verdict.known);
    assert_near(told.verdict.bytes_ratio, 2);
    assert_string_equal(told.verdict.bytes_roof->sample->kernel, "avx512.load");
    assert_true(doubts_equal(told.verdict.doubts, DOUBTS(DOUBT_ABOVE_ROOF)));
    assert_contains(told.text, "200 % of the DRAM roof for loads");
}

static void assert_unknown(struct app_point point, const char *says) {
    struct judged told = judge(point);
    assert_false(told.verdict.known);
    assert_string_equal(verdict_bound_by(&told.verdict), "");
    assert_true(told.verdict.ratio == 0 && !verdict_is_above(&told.verdict) && !told.verdict.bandwidth);
    assert_contains(told.text, says);
}

static void what_is_missing_is_named(void **state) {
    (void)state;
    struct app_point point = program(1e9, 1e9, 0);
    point.seconds.median = 0;
    assert_unknown(point, "no time");
    point = program(0, 15e9, 0);
    assert_unknown(point, "it has no flop");
    assert_unknown(point, "requests 15 GB/s, at most 94 % of the DRAM roof for loads (avx512.load, 16 GB/s); `carmine "
                          "app --levels` finds its level");
    point.count.flop[COUNT_I8][COUNT_512] = 1000;
    assert_unknown(point, "integer operations");
    point.flop_source = SOURCE_UNKNOWN;
    assert_unknown(point, "--flop");
    point = program(1e9, 0, 0);
    point.bytes_source = SOURCE_UNKNOWN;
    assert_unknown(point, "--bytes");
    assert_unknown(of_width(program(1e9, 1e9, 0), COUNT_F16, COUNT_512), "no f16 ceiling");
    struct model empty = model_build(&(struct result){.kind_count = 0});
    point = program(1e9, 1e9, 0);
    assert_false(judge_by(&empty, &point).verdict.known);
    model_free(&empty);
    struct result ceilings = {.samples = samples, .sample_count = 3, .kind_count = 1};
    struct model no_memory = model_build(&ceilings);
    assert_contains(judge_by(&no_memory, &point).text, "no bandwidth");
    model_free(&no_memory);
}

/* Bytes stated as a sum have no share of stores: the best pattern, as drawn in the chart. */
static void stated_bytes_have_no_mix(void **state) {
    (void)state;
    struct app_point point = program(1e9, 28e9, 0);
    point.bytes_source = SOURCE_STATED;
    struct judged told = judge(point);
    assert_bound(told, "DRAM", "avx512.update", 28.0 / 30);
    assert_null(strstr(told.text, " for 1 load"));
}

/* A program with only flop and DRAM bytes, counted by another tool. */
static struct app_point of_traffic(double flop, double read_bytes, double written_bytes) {
    struct app_point point = program(flop, 0, 0);
    point.bytes_source = SOURCE_UNKNOWN;
    point.has_count = false;
    point.flop_source = point.dram_source = SOURCE_IMPORTED;
    point.dram_read_bytes.median = read_bytes, point.dram_write_bytes.median = written_bytes;
    return point;
}

/* 2ld1st moves 15 × 4/3 = 20 GB/s in 3 reads to 1 write. */
static void traffic_alone_is_judged_by_the_original_roofline(void **state) {
    (void)state;
    struct judged told = judge(of_traffic(1e9, 7.5e9, 2.5e9));
    assert_bound(told, "DRAM", "avx512.2ld1st", 0.5);
    assert_near(told.verdict.attainable_flop_per_s, 2e9);
    assert_string_equal(told.verdict.next->sample->kernel, "avx512.f64.fma");
    assert_near(told.verdict.next_flop_per_s, 100e9);
    assert_contains(told.text, "by its DRAM bytes only");
    assert_false(verdict_is_above(&told.verdict));
    told = judge(of_traffic(90e9, 7.5e9, 2.5e9));
    assert_bound(told, "compute", "avx512.f64.fma", 0.9);
    assert_true(judge(of_traffic(1e9, 75e9, 25e9)).verdict.why == VERDICT_ABOVE_ALL);
    struct app_point unknown = of_traffic(1e9, 7.5e9, 2.5e9);
    unknown.threads = 0;
    assert_unknown(unknown, "how many threads took part is not known");
    unknown.flop_type[0] = 'x';
    unknown.threads = 1;
    assert_unknown(unknown, "no x ceiling");
}

/* Another tool's roofs of a GPU: no cores, no threads, one bandwidth for all traffic, which is no pattern of a core. */
static void a_gpu_has_neither_cores_nor_threads(void **state) {
    (void)state;
    struct sample roofs[] = {{.kernel = "nsight.f32.peak", .value = 50e12, .doubts = DOUBTS(DOUBT_IMPORTED)},
                             {.kernel = "nsight.traffic",
                              .kind = SAMPLE_BANDWIDTH,
                              .level = "DRAM",
                              .value = 4e12,
                              .doubts = DOUBTS(DOUBT_IMPORTED)}};
    struct result gpu = {.sample_count = 2, .samples = roofs, .kind_count = 1};
    struct app_point point = of_traffic(1e12, 1e12, 1e12);
    gpu.levels[0].count = 1;
    strcpy(gpu.levels[0].level[0].name, "DRAM");
    struct model own = model_build(&gpu);
    point.threads = 0;
    assert_unknown(point, "threads"); /* by this file's model of a machine with cores */
    assert_contains(judge_by(&own, &point).text, "no f64 ceiling");
    strcpy(point.flop_type, "f32");
    assert_bound(judge_by(&own, &point), "DRAM", "nsight.traffic", 0.5);
    point.bytes_source = SOURCE_IMPORTED;
    point.load_bytes.median = 1e12;
    assert_contains(judge_by(&own, &point).text, "no bandwidth");
    struct model_level level;
    assert_false(model_level(&own, &(struct model_view){.threads = 0}, "DRAM", &level));
    model_free(&own);
}

/* Each pattern of a measured machine, as a program, is at 100 % of its own roof or below a better roof of its mix. */
static void a_machine_against_itself(void **state) {
    (void)state;
    struct result measured;
    struct error err;
    if (!results_read("results/granite-rapids-2-cores-vm.json", &measured, &err))
        fail_msg("%s", err.text);
    struct model own = model_build(&measured);
    unsigned judged = 0;
    for (size_t i = 0; i < own.count; i++) {
        const struct roof *roof = &own.roofs[i];
        const struct sample *sample = roof->sample;
        unsigned loads = 0, stores = 0;
        if (strcmp(roof->isa, "avx512") != 0 || sample->kind != SAMPLE_BANDWIDTH || sample->package || sample->node ||
            (sscanf(roof->op, "%uld%ust", &loads, &stores) != 2 && strcmp(roof->op, "load") != 0))
            continue;
        double share = stores ? (double)stores / (loads + stores) : 0;
        struct app_point point = program(1e8, sample->value * (1 - share), sample->value * share);
        point.threads = sample->threads;
        struct judged told = judge_by(&own, &point);
        assert_true(told.verdict.known && told.verdict.bandwidth && !verdict_is_above(&told.verdict));
        assert_true(told.verdict.ratio > 0.2 && told.verdict.ratio < 1.11);
        if (strcmp(told.verdict.bandwidth->sample->kernel, sample->kernel) == 0 &&
            strcmp(verdict_bound_by(&told.verdict), sample->level) == 0)
            assert_near(told.verdict.ratio, 1);
        judged++;
    }
    assert_true(judged >= 32);
    model_free(&own);
    results_free(&measured);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blank_ceiling_gives_no_verdict),
        cmocka_unit_test(patterns_by_the_share_of_stores),
        cmocka_unit_test(the_slowest_level_that_allows_it),
        cmocka_unit_test(the_next_roof),
        cmocka_unit_test(what_has_no_cpu),
        cmocka_unit_test(what_it_waits_for),
        cmocka_unit_test(what_page_faults_cost),
        cmocka_unit_test(what_has_hardly_any_flop),
        cmocka_unit_test(next_roof_in_words),
        cmocka_unit_test(narrow_code_is_bound_by_its_loads),
        cmocka_unit_test(a_level_that_was_not_looked_at),
        cmocka_unit_test(the_link_that_takes_the_longest),
        cmocka_unit_test(what_waits),
        cmocka_unit_test(lines_at_a_time),
        cmocka_unit_test(what_waits_without_flop),
        cmocka_unit_test(pairs_of_equal_traffic),
        cmocka_unit_test(equal_traffic_and_other_arithmetic),
        cmocka_unit_test(prefetched_lines_are_no_latency),
        cmocka_unit_test(what_executes_many_instructions),
        cmocka_unit_test(scalar_code_has_scalar_roofs),
        cmocka_unit_test(loops_without_a_table),
        cmocka_unit_test(what_the_kernel_does),
        cmocka_unit_test(compute_ceilings_of_its_own_code),
        cmocka_unit_test(compute_ceilings_of_its_own_operations),
        cmocka_unit_test(width_counts_where_it_makes_a_difference),
        cmocka_unit_test(threads_choose_the_roofs),
        cmocka_unit_test(a_crowd_is_judged_by_its_cores),
        cmocka_unit_test(places_of_as_many_threads),
        cmocka_unit_test(real_traffic_is_said_too),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(where_the_data_of_a_stream_are),
        cmocka_unit_test(traffic_of_a_stream),
        cmocka_unit_test(above_the_roof_of_where_the_data_are),
        cmocka_unit_test(stated_bytes_have_no_mix),
        cmocka_unit_test(traffic_alone_is_judged_by_the_original_roofline),
        cmocka_unit_test(a_gpu_has_neither_cores_nor_threads),
        cmocka_unit_test(a_machine_against_itself),
    };
    return cmocka_run_group_tests(tests, build, drop);
}
