/* SPDX-License-Identifier: BSD-3-Clause
 * How a campaign uses its time, on simulated machines: which steps it visits, when it ends, what it leaves. For the
 * code that it ends with, see test_campaign_code.c; for correct numbers under disturbance, test_troubles.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "bench/kernels/shapes.h"
#include "tests/support/simulated.h"

static struct scene s;

/* The widest ISA is twice as fast; inner levels are faster; memory is 20 GB/s, or 80 ns away. */
static double machine_truth(const struct campaign_trial *trial) {
    const struct plan_step *step = trial->step;
    const double wide = strncmp(step->kernel, "avx2", 4) == 0 ? 2 : 1;
    const double inner = 16 * wide / (step->level < 0 ? 1 : 1 + step->level);
    if (step->kind == SAMPLE_LATENCY)
        return step->paced ? 5 * pow(3, step->level) : 80e-9;
    return step->paced ? inner : 20e9 * step->threads;
}

/* 16 ceilings: SSE and AVX2, f64 and f32, one core and both. */
static const struct plan_options CEILINGS = {.isas = {"avx2", "sse"},
                                             .isa_count = 2,
                                             .types = {"f64", "f32"},
                                             .type_count = 2,
                                             .mixes = {"add", "mul"},
                                             .mix_count = 2};
static const struct plan_options ONE_CEILING = {.isas = {"avx2"},
                                                .isa_count = 1,
                                                .types = {"f64"},
                                                .type_count = 1,
                                                .mixes = {"fma"},
                                                .mix_count = 1,
                                                .threads = {1},
                                                .thread_count = 1};
static const struct plan_options EVERYTHING = {0};

static void a_quiet_machine_is_done_long_before_its_budget(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &EVERYTHING, machine_truth);
    assert_true(s.plan.count > 200);
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
    assert_true(s.machine.now_s < 32);
    assert_false(s.campaign.stopped);
    for (size_t i = 0; i < s.plan.count; i++) {
        struct sample sample;
        assert_true(campaign_number(&s.campaign, i, &sample));
        assert_false(doubts_has(sample.doubts, DOUBT_UNSTABLE));
        assert_true(scene_trials(&s, i, false, false) >= 2);
    }
    scene_end(&s);
}

/* As on a Zen 3: arithmetic and L1 are documented, except x87; in L2 nothing is, and no two shapes are equal. */
static double searching_limit(const struct campaign_trial *trial) {
    return trial->step->level <= 0 && strncmp(trial->step->kernel, "x87", 3) != 0 ? 16 : 0;
}

/* For mixes, and in L2, some shapes are better than the program's own kernels. */
static double searching_truth(const struct campaign_trial *trial) {
    const struct plan_step *step = trial->step;
    const bool mix =
        strstr(step->kernel, "addmul") || strstr(step->kernel, "add2mul") || strstr(step->kernel, "fmaadd");
    if (step->kind == SAMPLE_LATENCY || !step->paced)
        return machine_truth(trial);
    if (step->level <= 0 && !mix)
        return 15.97;
    const double far = hypot((double)trial->code.width - 6, log2(trial->code.unroll + 1) - 4);
    return trial->code.width == 0 ? 14.5 : 15.97 / (1 + 0.01 * far * far);
}

/* With the times of a real machine: 13 ms per visit, 2 ms per try. */
static void a_quiet_machine_is_done_within_30_s_with_all_that_is_searched(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct error err;
        scene_begin(&s, &SIMULATED_QUIET, seed, &EVERYTHING, searching_truth);
        s.machine.documented = searching_limit;
        s.machine.visit_s = 7e-3;
        s.machine.try_s = 1.1e-3;
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
        assert_true(s.machine.now_s < 30);
        for (size_t i = 0; i < s.plan.count; i++) {
            struct sample sample;
            assert_true(campaign_number(&s.campaign, i, &sample));
            assert_false(doubts_has(sample.doubts, DOUBT_UNSTABLE));
            const bool searched = s.plan.steps[i].paced && shapes_exist(*kernel_find(sample.kernel, NULL));
            assert_true(!searched || sample.per_cycle > 15.7);
        }
        scene_end(&s);
    }
}

/* One visit may be disturbed: its interval reaches up to the documented limit, or 40 % further without one, whatever is
 * known about the code. */
static void one_visit_may_be_too_low(void **state) {
    (void)state;
    static const double LIMITS[] = {40, 0};
    for (size_t l = 0; l < 2; l++) {
        struct error err;
        scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
        s.machine.documented_per_cycle = LIMITS[l];
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60, .first_only = true}, &err));
        for (size_t i = 0; i < s.plan.count; i++) {
            struct campaign_step *step = &s.campaign.steps[i];
            struct sample sample;
            for (int advised = 0; advised < 2; advised++) { /* known winners are no reason, nor are searches */
                step->advised = step->variants_tried = step->shapes_tried = advised;
                assert_true(campaign_number(&s.campaign, i, &sample));
                const double reach = LIMITS[l] > 0 ? LIMITS[l] / sample.per_cycle : 1.4;
                assert_true(step->visit_count > 1 || sample.high >= 0.999 * reach * sample.value);
            }
            step->visit_count = 1 + (i == 0); /* the followers' relative may have more visits */
        }
        scene_end(&s);
    }
}

/* Repetitions of one iteration: their cost of starting is most of their time. */
static void too_short_is_blank(void **state) {
    (void)state;
    struct error err;
    struct sample sample;
    scene_begin(&s, &SIMULATED_QUIET, 1, &ONE_CEILING, machine_truth);
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60, .first_only = true}, &err));
    struct campaign_step *step = &s.campaign.steps[0];
    const double value = step->visits[0].value;
    doubts_add(&step->visits[0].doubts, DOUBT_TOO_SHORT);
    step->visit_count = 1;
    estimate_combine(&step->number, step->visits, 1, true, (struct estimate_habit){0});
    assert_true(campaign_number(&s.campaign, 0, &sample));
    assert_true(sample_is_blank(&sample) && sample.value == 0 && sample.low == 0 && sample.high == 0);
    assert_true(doubts_has(sample.doubts, DOUBT_TOO_SHORT));
    step->visits[1] = step->visits[0]; /* a good visit beside it gives the number */
    doubts_remove(&step->visits[1].doubts, DOUBT_TOO_SHORT);
    estimate_combine(&step->number, step->visits, step->visit_count = 2, true, (struct estimate_habit){0});
    assert_true(campaign_number(&s.campaign, 0, &sample));
    assert_true(sample.value == value && !doubts_has(sample.doubts, DOUBT_TOO_SHORT));
    scene_end(&s);
}

/* Both cores together do less than one. */
static double impossible_truth(const struct campaign_trial *trial) {
    return trial->step->threads > 1 ? 0.4 * machine_truth(trial) : machine_truth(trial);
}

/* Private levels and registers are blank then; what cores share only while others take their time. */
static void several_cores_below_one_are_blank(void **state) {
    (void)state;
    static const struct plan_options LOADS = {
        .isas = {"avx2"}, .isa_count = 1, .types = {"f64"}, .type_count = 1, .mixes = {"load", "fma"}, .mix_count = 2};
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &LOADS, impossible_truth);
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 20, .first_only = true}, &err));
    unsigned blank = 0, known = 0;
    for (int disturbed = 0; disturbed < 2; disturbed++) {
        s.machine.taken_s = disturbed ? s.machine.now_s : 0;
        for (size_t i = 0; i < s.plan.count; i++) {
            const struct plan_step *step = &s.plan.steps[i];
            struct sample sample;
            assert_true(campaign_number(&s.campaign, i, &sample));
            const bool impossible = step->threads > 1 && step->kind != SAMPLE_LATENCY && (step->paced || disturbed);
            assert_int_equal(sample_is_blank(&sample), impossible);
            assert_true(!impossible || doubts_has(sample.doubts, DOUBT_CORE_SHARED));
            blank += impossible, known += !impossible;
        }
    }
    assert_true(blank >= 3 && known > blank);
    scene_end(&s);
}

static void the_state_tells_where_things_stand(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    campaign_open(&s.campaign, &s.plan, &s.bench, &(struct campaign_options){.budget_s = 60});
    campaign_skip(&s.campaign, 3);
    struct campaign_state now = campaign_state(&s.campaign);
    assert_int_equal(now.wanted, 15);
    assert_int_equal(now.visited + now.settled + now.headline + now.uncertain, 0);
    assert_true(campaign_run(&s.campaign, &err));
    now = campaign_state(&s.campaign);
    assert_int_equal(now.wanted, 15);
    assert_int_equal(now.visited, 15);
    assert_int_equal(now.settled, 15);
    assert_int_equal(now.headline, 4); /* the best of f64 and of f32, of one core and of both */
    assert_int_equal(now.uncertain, 0);
    assert_near(now.elapsed_s, s.machine.now_s);
    assert_near(now.left_s, 60 - s.machine.now_s);
    scene_end(&s);
}

static void uncertain_headline_roofs_are_counted(void **state) {
    (void)state;
    const struct trouble shaky = {.name = "shaky", .lanes = 2, .visit_noise = 0.2};
    unsigned uncertain = 0, counted = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct error err;
        scene_begin(&s, &shaky, seed, &CEILINGS, machine_truth);
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 1}, &err));
        for (size_t i = 0; i < s.plan.count; i++)
            uncertain += s.campaign.steps[i].headline && estimate_uncertainty(&s.campaign.steps[i].number) > 0.05;
        counted += (unsigned)campaign_state(&s.campaign).uncertain;
        scene_end(&s);
    }
    assert_true(uncertain > 0);
    assert_int_equal(counted, uncertain);
}

/* A budget that a first visit to each exceeds: what has to be whole gets it all the same, and no more. */
static void a_whole_pass_ends(void **state) {
    (void)state;
    const struct trouble none = {.name = "none", .lanes = 2};
    for (int whole = 0; whole < 2; whole++) {
        struct error err;
        scene_begin(&s, &none, 1, &CEILINGS, machine_truth);
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 1e-3, .whole_pass = whole}, &err));
        const struct campaign_state now = campaign_state(&s.campaign);
        assert_int_equal(now.visited, whole ? now.wanted : 1);
        assert_int_equal(s.campaign.visits, now.visited);
        scene_end(&s);
    }
}

static void it_goes_on_until_all_are_within_their_bounds(void **state) {
    (void)state;
    const struct trouble uneasy = {.name = "uneasy", .lanes = 2, .noise = 1e-3, .visit_noise = 4e-3};
    struct error err;
    scene_begin(&s, &uneasy, 1, &CEILINGS, machine_truth);
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 600}, &err));
    assert_true(s.machine.now_s < 300);
    for (size_t i = 0; i < s.plan.count; i++)
        assert_true(estimate_uncertainty(&s.campaign.steps[i].number) <= campaign_bound(&s.plan.steps[i]) ||
                    s.campaign.steps[i].headline);
    scene_end(&s);
}

static void as_many_visits_as_are_asked_for(void **state) {
    (void)state;
    struct error err;
    for (unsigned least = 1; least <= 6; least++) {
        scene_begin(&s, &SIMULATED_QUIET, least, &CEILINGS, machine_truth);
        s.machine.documented_per_cycle = 16; /* nothing to search for */
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60, .least_visits = least}, &err));
        for (size_t i = 0; i < s.plan.count; i++)
            assert_true(scene_trials(&s, i, false, false) >= least);
        scene_end(&s);
    }
}

struct told {
    unsigned of[CAMPAIGN_DONE + 1];
    enum campaign_doing last;
};

static void note(void *context, const struct campaign *campaign, enum campaign_doing doing, size_t step) {
    struct told *told = context;
    assert_true(step < campaign->count);
    told->of[doing]++;
    told->last = doing;
}

static void progress_is_told(void **state) {
    (void)state;
    struct error err;
    struct told told = {{0}, CAMPAIGN_FIRST};
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    assert_true(
        scene_run(&s, &(struct campaign_options){.budget_s = 60, .progress = note, .progress_context = &told}, &err));
    assert_int_equal(told.of[CAMPAIGN_FIRST], s.plan.count);
    assert_true(told.of[CAMPAIGN_AGAIN] >= s.plan.count);
    assert_int_equal(told.of[CAMPAIGN_DONE], 1);
    assert_int_equal(told.last, CAMPAIGN_DONE);
    scene_end(&s);
}

/* A single roof: the time between its visits is longer than a visit. */
static void between_visits_it_waits(void **state) {
    (void)state;
    struct error err;
    struct told told = {{0}, CAMPAIGN_FIRST};
    scene_begin(&s, &SIMULATED_QUIET, 1, &ONE_CEILING, machine_truth);
    assert_int_equal(s.plan.count, 1);
    assert_true(
        scene_run(&s, &(struct campaign_options){.budget_s = 60, .progress = note, .progress_context = &told}, &err));
    assert_true(told.of[CAMPAIGN_WAIT] > 0);
    assert_true(s.machine.now_s > 0.25 && s.machine.now_s < 5);
    scene_end(&s);
}

static void stopped_anywhere_it_keeps_what_it_has(void **state) {
    (void)state;
    for (unsigned n = 1; n <= 60; n++) {
        struct error err;
        scene_begin(&s, &SIMULATED_QUIET, n, &CEILINGS, machine_truth);
        s.machine.stop_after = n;
        s.machine.documented_per_cycle = 40; /* makes the campaign search */
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
        assert_true(s.campaign.stopped);
        assert_int_equal(s.machine.trials, n);
        for (size_t i = 0; i < s.plan.count; i++)
            assert_int_equal(scene_has(&s, i), scene_trials(&s, i, false, false) > 0);
        scene_end(&s);
    }
}

static void stopped_before_it_begins_it_measures_nothing(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    s.machine.stop = 1;
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
    assert_true(s.campaign.stopped);
    assert_int_equal(s.machine.trials, 0);
    scene_end(&s);
}

static void the_first_pass_visits_each_step_once(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &EVERYTHING, machine_truth);
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60, .first_only = true}, &err));
    for (size_t i = 0; i < s.plan.count; i++) {
        assert_int_equal(s.campaign.steps[i].visited, 1);
        assert_true(scene_has(&s, i));
    }
    assert_true(s.machine.now_s < 10);
    scene_end(&s);
}

static void the_first_pass_keeps_its_budget_and_begins_with_the_widest(void **state) {
    (void)state;
    static const double BUDGET_S = 0.95, LONG_S = 0.1;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    s.machine.visit_s = LONG_S;
    s.machine.documented_per_cycle = 16; /* nothing to search for */
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = BUDGET_S, .first_only = true}, &err));
    assert_true(s.machine.now_s <= BUDGET_S); /* no visit began that would have exceeded the budget */
    for (size_t i = 0; i < s.plan.count; i++)
        assert_int_equal(scene_has(&s, i), strncmp(s.plan.steps[i].kernel, "avx2", 4) == 0);
    scene_end(&s);
}

static void what_is_skipped_is_not_measured(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    campaign_open(&s.campaign, &s.plan, &s.bench, &(struct campaign_options){.budget_s = 60});
    for (size_t i = 0; i < s.plan.count; i += 2)
        campaign_skip(&s.campaign, i);
    assert_true(campaign_run(&s.campaign, &err));
    for (unsigned long i = 0; i < s.machine.trials; i++)
        assert_true(scene_step(&s, i) % 2 == 1);
    for (size_t i = 0; i < s.plan.count; i++)
        assert_int_equal(scene_has(&s, i), i % 2 == 1);
    scene_end(&s);
}

static void a_second_campaign_measures_the_rest(void **state) {
    (void)state;
    struct error err;
    bool done[64];
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    s.machine.stop_after = 5;
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
    for (size_t i = 0; i < s.plan.count; i++)
        done[i] = scene_has(&s, i);
    campaign_close(&s.campaign);
    s.machine.stop = 0;
    s.machine.trials = s.machine.stop_after = 0;
    campaign_open(&s.campaign, &s.plan, &s.bench, &(struct campaign_options){.budget_s = 60});
    for (size_t i = 0; i < s.plan.count; i++)
        if (done[i])
            campaign_skip(&s.campaign, i);
    assert_true(campaign_run(&s.campaign, &err));
    for (size_t i = 0; i < s.plan.count; i++)
        assert_int_equal(scene_trials(&s, i, false, false) >= 2, !done[i]);
    scene_end(&s);
}

static void an_error_leaves_what_was_measured(void **state) {
    (void)state;
    for (unsigned n = 1; n <= 40; n += 3) {
        struct error err = {""};
        scene_begin(&s, &SIMULATED_QUIET, n, &CEILINGS, machine_truth);
        s.machine.fail_after = n;
        s.machine.documented_per_cycle = 40;
        assert_false(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
        assert_string_equal(err.text, "the machine is gone");
        assert_int_equal(s.machine.trials, n);
        s.machine.trials = n - 1; /* the last one failed */
        for (size_t i = 0; i < s.plan.count; i++)
            assert_int_equal(scene_has(&s, i), scene_trials(&s, i, false, false) > 0);
        scene_end(&s);
    }
}

static double no_multiplications(const struct campaign_trial *trial) {
    return strstr(trial->step->kernel, ".mul") ? 0 : machine_truth(trial);
}

static void what_cannot_run_holds_up_nobody(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, no_multiplications);
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
    assert_true(s.machine.now_s < 30);
    for (size_t i = 0; i < s.plan.count; i++)
        assert_int_equal(scene_has(&s, i), strstr(s.plan.steps[i].kernel, ".add") != NULL);
    scene_end(&s);
}

static void an_unknown_kernel_is_an_error(void **state) {
    (void)state;
    struct error err;
    scene_begin(&s, &SIMULATED_QUIET, 1, &CEILINGS, machine_truth);
    snprintf(s.plan.steps[2].kernel, sizeof s.plan.steps[2].kernel, "avx2.f64.sub");
    assert_false(scene_run(&s, &(struct campaign_options){.budget_s = 60}, &err));
    assert_contains(err.text, "avx2.f64.sub");
    assert_int_equal(s.machine.trials, 0);
    scene_end(&s);
}

static void numbers_are_flagged(void **state) {
    (void)state;
    const struct trouble shaky = {.name = "shaky", .lanes = 2, .visit_noise = 0.1};
    struct error err;
    struct sample sample;
    scene_begin(&s, &shaky, 1, &CEILINGS, machine_truth);
    s.plan.steps[0].doubts = DOUBTS(DOUBT_MASKED_CPU);
    s.machine.documented_per_cycle = 10; /* SSE's are at 16, AVX2's at 32 */
    assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 0.3}, &err));
    unsigned unstable = 0;
    for (size_t i = 0; i < s.plan.count; i++) {
        assert_true(campaign_number(&s.campaign, i, &sample));
        assert_true(doubts_has(sample.doubts, DOUBT_ABOVE_DOCUMENTED));
        assert_int_equal(doubts_has(sample.doubts, DOUBT_UNSTABLE), estimate_uncertainty(&sample) > 0.01);
        assert_int_equal(doubts_has(sample.doubts, DOUBT_MASKED_CPU), i == 0);
        unstable += doubts_has(sample.doubts, DOUBT_UNSTABLE);
    }
    assert_true(unstable > s.plan.count / 2);
    scene_end(&s);
}

/* If time does not suffice for all roofs, headline roofs get smaller intervals. */
static void headline_roofs_come_first(void **state) {
    (void)state;
    const struct trouble uneasy = {.name = "uneasy", .lanes = 2, .noise = 1e-3, .visit_noise = 8e-3};
    double sum[2] = {0}, count[2] = {0};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct error err;
        scene_begin(&s, &uneasy, seed, &CEILINGS, machine_truth);
        s.machine.visit_s = 50e-3;
        assert_true(scene_run(&s, &(struct campaign_options){.budget_s = 2}, &err));
        for (size_t i = 0; i < s.plan.count; i++) {
            const struct campaign_step *step = &s.campaign.steps[i];
            sum[step->headline] += estimate_uncertainty(&step->number);
            count[step->headline]++;
        }
        scene_end(&s);
    }
    assert_true(sum[1] / count[1] < 0.9 * sum[0] / count[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_machine_is_done_long_before_its_budget),
        cmocka_unit_test(a_quiet_machine_is_done_within_30_s_with_all_that_is_searched),
        cmocka_unit_test(one_visit_may_be_too_low),
        cmocka_unit_test(too_short_is_blank),
        cmocka_unit_test(several_cores_below_one_are_blank),
        cmocka_unit_test(the_state_tells_where_things_stand),
        cmocka_unit_test(uncertain_headline_roofs_are_counted),
        cmocka_unit_test(a_whole_pass_ends),
        cmocka_unit_test(it_goes_on_until_all_are_within_their_bounds),
        cmocka_unit_test(as_many_visits_as_are_asked_for),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(between_visits_it_waits),
        cmocka_unit_test(stopped_anywhere_it_keeps_what_it_has),
        cmocka_unit_test(stopped_before_it_begins_it_measures_nothing),
        cmocka_unit_test(the_first_pass_visits_each_step_once),
        cmocka_unit_test(the_first_pass_keeps_its_budget_and_begins_with_the_widest),
        cmocka_unit_test(what_is_skipped_is_not_measured),
        cmocka_unit_test(a_second_campaign_measures_the_rest),
        cmocka_unit_test(an_error_leaves_what_was_measured),
        cmocka_unit_test(what_cannot_run_holds_up_nobody),
        cmocka_unit_test(an_unknown_kernel_is_an_error),
        cmocka_unit_test(numbers_are_flagged),
        cmocka_unit_test(headline_roofs_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
