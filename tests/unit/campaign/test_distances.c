/* SPDX-License-Identifier: BSD-3-Clause
 * Which prefetch is found, and whether it is called a gain, on simulated machines with known truth; its text; and one
 * search on this machine, with any result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/distances.h"
#include "carm/search/search.h"
#include "tests/support/bench_here.h"
#include "tests/support/simulated.h"

static struct simulated simulated;
static struct campaign_trial trials[SIMULATED_LOG];
static const struct trouble NOISY = {.name = "noisy", .lanes = 1, .noise = 5e-3, .visit_noise = 0.03};

/* The value is 10 without prefetch. It has a gain at one distance of one hint, a drift over time, or cannot run. */
static struct truth {
    double gain, drift_per_s;
    bool cannot_run;
} truth;

static double truth_of(const struct campaign_trial *trial) {
    const struct prefetch *prefetch = &trial->code.prefetch;
    const double now = 10 * (1 - truth.drift_per_s * simulated.now_s);
    if (truth.cannot_run)
        return 0;
    return prefetch->hint == PREFETCH_ONCE && prefetch->distance_bytes == 512 ? now * truth.gain : now;
}

static bool search(const struct trouble *trouble, uint64_t seed, double budget_s, struct distances *out,
                   struct error *err) {
    static const struct plan_step STEP = {.kernel = "sse.load",
                                          .kind = SAMPLE_BANDWIDTH,
                                          .level = 3,
                                          .memory = true,
                                          .core_kind = TEAM_ANY_KIND,
                                          .threads = 1,
                                          .repetitions = 64,
                                          .repetition_s = 1e-4};
    const int stop = simulated.stop;
    const unsigned long stop_after = simulated.stop_after, fail_after = simulated.fail_after;
    simulated_begin(&simulated, trouble, seed);
    simulated.stop = stop;
    simulated.stop_after = stop_after;
    simulated.fail_after = fail_after;
    simulated.truth = truth_of;
    simulated.try_s = 4e-3;
    simulated.visit_s = 2e-2;
    simulated.log = trials;
    const struct campaign_bench made_up = simulated_bench(&simulated);
    const struct distances_request request = {.bench = &made_up,
                                              .step = &STEP,
                                              .code = {*kernel_find("sse.load", NULL), 1, 8, {0}},
                                              .bytes = 1 << 20,
                                              .budget_s = budget_s};
    const bool done = distances_search(&request, out, err);
    machine_free(&simulated.machine);
    return done;
}

static void the_best_is_found(void **state) {
    (void)state;
    struct distances found;
    struct error err = {""};
    truth = (struct truth){.gain = 1.1};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        assert_true(search(&NOISY, seed, 60, &found, &err));
        assert_int_equal(found.rounds, DISTANCES_ROUNDS);
        assert_int_equal(found.best.hint, PREFETCH_ONCE);
        assert_int_equal(found.best.distance_bytes, 512);
        assert_true(found.pairs.median > 1.06 && found.pairs.median < 1.14 && distances_helps(&found));
        assert_true(found.without > 9.5 && found.without < 10.5);
    }
}

/* The highest of 26 may exceed no prefetch by chance only; additional pairs show this. */
static void luck_is_no_gain(void **state) {
    (void)state;
    struct distances found;
    struct error err = {""};
    unsigned gains = 0;
    truth = (struct truth){.gain = 1};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        assert_true(search(&NOISY, seed, 60, &found, &err));
        assert_true(found.gains[found.best.hint][0].n > 0);
        gains += distances_helps(&found);
    }
    assert_true(gains <= 4);
}

/* A machine that loses a fifth meanwhile: compared within a round, there and back. */
static void what_drifts_is_no_gain(void **state) {
    (void)state;
    struct distances found;
    struct error err = {""};
    truth = (struct truth){.gain = 1, .drift_per_s = 0.06};
    assert_true(search(&SIMULATED_QUIET, 1, 60, &found, &err));
    for (unsigned hint = 1; hint < PREFETCH_HINTS; hint++)
        for (unsigned d = 0; d < DISTANCES_COUNT; d++)
            assert_true(found.gains[hint][d].median > 0.985 && found.gains[hint][d].median < 1.005);
    assert_true(fabs(found.pairs.median - 1) < 0.005);
}

/* For any request, rounds are complete. Each visits every prefetch once; every second round in reverse order. */
static void rounds_are_whole(void **state) {
    (void)state;
    const unsigned visits = 1 + (PREFETCH_HINTS - 1) * DISTANCES_COUNT;
    struct distances found;
    struct error err = {""};
    truth = (struct truth){.gain = 1.1};
    assert_true(search(&SIMULATED_QUIET, 1, 1e-3, &found, &err));
    assert_int_equal(found.rounds, DISTANCES_ROUNDS_LEAST);
    assert_int_equal(found.pairs.n, DISTANCES_PAIRS);
    assert_true(found.pairs.min > 1.09 && found.pairs.max < 1.11);
    assert_int_equal(simulated.trials, DISTANCES_ROUNDS_LEAST * visits + 2 * DISTANCES_PAIRS + 2);
    assert_int_equal(trials[0].code.prefetch.hint, PREFETCH_NONE);
    for (unsigned i = 1; i < visits; i++) {
        const struct prefetch *there = &trials[i].code.prefetch, *back = &trials[2 * visits - i].code.prefetch;
        assert_true(there->hint == back->hint && there->distance_bytes == back->distance_bytes);
        assert_true(there->hint != PREFETCH_NONE && trials[i].brief);
    }
}

static void what_ends_it(void **state) {
    (void)state;
    struct distances found;
    struct error err = {""};
    truth = (struct truth){.cannot_run = true};
    assert_true(search(&SIMULATED_QUIET, 1, 60, &found, &err));
    assert_int_equal(found.rounds, 0);
    truth = (struct truth){.gain = 1};
    simulated.fail_after = 100;
    assert_false(search(&SIMULATED_QUIET, 1, 60, &found, &err));
    assert_non_null(strstr(err.text, "gone"));
    simulated.fail_after = 0;
    simulated.stop_after = 100;
    assert_true(search(&SIMULATED_QUIET, 1, 60, &found, &err));
    assert_true(found.stopped && found.rounds == 3);
    simulated.stop_after = 0;
    simulated.stop = 0;
}

static void shapes_that_there_are(void **state) {
    (void)state;
    const struct kernel *load = *kernel_find("sse.load", NULL), *triad = *kernel_find("sse.2ld1st", NULL);
    assert_true(distances_possible(load, 4, 8, 8192));
    assert_false(distances_possible(load, 0, 8, 8192));
    assert_false(distances_possible(load, 9, 1, 8192));
    assert_false(distances_possible(load, 1, 256, 8192));     /* a block of 16 KiB */
    assert_false(distances_possible(triad, 8, 64, 16 << 20)); /* more instructions than a loop may have */
}

/* The text for a gain and for none. */
static void said(void **state) {
    (void)state;
    struct distances found;
    struct error err = {""};
    const struct result result = {0};
    struct distances_view view = {.result = &result,
                                  .distances = &found,
                                  .name = "sse.load",
                                  .level = "DRAM",
                                  .width = 1,
                                  .unroll = 8,
                                  .working_set_bytes = 1 << 20};
    char text[4096];
    for (int gain = 0; gain < 2; gain++) {
        FILE *out = tmpfile();
        truth = (struct truth){.gain = gain ? 1.2 : 0.8};
        assert_true(search(&SIMULATED_QUIET, 1, 60, &found, &err));
        distances_print(&view, out);
        rewind(out);
        text[fread(text, 1, sizeof text - 1, out)] = '\0';
        fclose(out);
        assert_non_null(strstr(text, "sse.load 1x8 in DRAM"));
        assert_non_null(strstr(text, gain ? "prefetching helps here" : "does not help here"));
        assert_true(!gain == !strstr(text, "best      prefetchnta 512 B ahead: +20.0 %"));
        json_t *json = distances_json(&view), *best = json_object_get(json, "best");
        assert_int_equal(json_is_true(json_object_get(best, "helps")), gain);
        assert_int_equal(json_array_size(json_object_get(json, "cells")), (PREFETCH_HINTS - 1) * DISTANCES_COUNT);
        json_decref(json);
    }
    assert_true(chart_distances(&view, "/dev/null/x.svg", &err) == false);
}

/* Kernels with prefetches run, are counted by their loads, and are separate from kernels without. */
static void on_this_machine(void **state) {
    (void)state;
    struct error err = {""};
    struct plan_step step = step_of("sse.load", SAMPLE_BANDWIDTH, 0, 8192);
    struct sample samples[2];
    for (int with = 0; with < 2; with++) {
        const struct campaign_trial trial = {
            .step = &step,
            .code = {*kernel_find("sse.load", NULL), 2, 8, {with ? PREFETCH_KEPT : PREFETCH_NONE, 256}},
            .bytes = 8192,
            .repetitions = 8,
            .repetition_s = 50e-6,
            .limit_s = 1};
        if (!bench_measure(&bench, &trial, &samples[with], &err))
            fail_msg("%s", err.text);
    }
    if (bench.no_shapes[0])
        skip();
    assert_string_equal(samples[0].variant, "2x8");
    assert_string_equal(samples[1].variant, "2x8 t0+256");
    assert_int_equal(samples[0].working_set_bytes, samples[1].working_set_bytes);
    assert_true(samples[1].value > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_found),
        cmocka_unit_test(luck_is_no_gain),
        cmocka_unit_test(what_drifts_is_no_gain),
        cmocka_unit_test(rounds_are_whole),
        cmocka_unit_test(what_ends_it),
        cmocka_unit_test(shapes_that_there_are),
        cmocka_unit_test(said),
        cmocka_unit_test(on_this_machine),
    };
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
