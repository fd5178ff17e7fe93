/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy on disturbed machines with known true values: numbers without bias, intervals that contain the
 * true value, and the budget respected. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "tests/support/simulated.h"

/* A real plan has 300 steps, and one pass takes seconds; here fewer steps represent them, farther apart. */
enum { MOST = 64 }; /* steps of a plan */

static const double REPETITION_S = 200e-6, BETWEEN_VISITS_S = 0.15;

static const double LATENCY_S = 12e-9; /* of the outermost cache */

static double one_truth(const struct campaign_trial *trial) {
    if (trial->step->kind == SAMPLE_LATENCY)
        return LATENCY_S;
    return trial->step->paced ? 16 : 20e9;
}

static struct plan_step step_of(const char *kernel, int level, unsigned threads) {
    struct plan_step step = {.kind = level == PLAN_REGISTERS ? SAMPLE_COMPUTE : SAMPLE_BANDWIDTH,
                             .level = level,
                             .memory = level == 3,
                             .paced = level < 2,
                             .core_kind = TEAM_ANY_KIND,
                             .threads = threads,
                             .size_count = level == PLAN_REGISTERS ? 0 : 1,
                             .size_bytes = {8192},
                             .repetitions = 64,
                             .repetition_s = REPETITION_S};
    snprintf(step.kernel, sizeof step.kernel, "%s", kernel);
    return step;
}

/* The upper quartile of an undisturbed machine's repetitions. */
static double truth_of(const struct plan_step *step, const struct trouble *trouble) {
    return one_truth(&(struct campaign_trial){.step = step}) * (1 + 0.674 * trouble->noise);
}

static const struct trouble TROUBLES[] = {
    {.name = "quiet", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4},
    {.name = "visits differ", .lanes = 2, .noise = 5e-4, .visit_noise = 3.5e-3},
    {.name = "clock steps every millisecond", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .clock_step_s = 1e-3},
    {.name = "first slice slow", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .first_slice_slow = 0.2},
    {.name = "slices disturbed", .lanes = 2, .noise = 5e-4, .visit_noise = 1e-3, .slice_disturbed = 0.3},
    {.name = "a sibling takes a third for seconds",
     .lanes = 2,
     .noise = 1e-3,
     .visit_noise = 1e-3,
     .sibling_on_s = 2,
     .sibling_off_s = 4},
    {.name = "a host moves the CPUs apart for seconds",
     .lanes = 2,
     .noise = 1e-3,
     .visit_noise = 1e-3,
     .apart_on_s = 3,
     .apart_off_s = 3},
    {.name = "kernels run in two ways", .lanes = 1, .noise = 1e-3, .visit_noise = 1e-3, .second_way = 0.4},
    {.name = "rare wild outliers", .lanes = 2, .noise = 1e-3, .visit_noise = 1e-3, .wild = 0.02},
    {.name = "two CPUs share a core at first", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .paired_until_s = 10},
    {.name = "one hog", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .sliced = 0.05},
    {.name = "memory wanders", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .memory_slow = 0.4, .memory_s = 1.5},
    {.name = "two thirds interrupted",
     .lanes = 2,
     .noise = 1e-3,
     .visit_noise = 1e-3,
     .interrupted = 0.67,
     .cold = 0.2},
    {.name = "all interrupted", .lanes = 2, .noise = 1e-3, .visit_noise = 1e-3, .interrupted = 1, .cold = 0.2},
    {.name = "a quota of a twentieth",
     .lanes = 2,
     .noise = 1e-3,
     .visit_noise = 1e-3,
     .interrupted = 0.1,
     .away_s = 95e-3,
     .cold = 0.2},
    {.name = "the second core belongs to others most of the time",
     .lanes = 2,
     .noise = 5e-4,
     .visit_noise = 5e-4,
     .late = 0.9,
     .late_s = 3e-3},
    {.name = "one lane of 64 disturbed", .lanes = 64, .noise = 1e-3, .visit_noise = 1e-3, .lane_slow = 0.5},
};

/* Ceilings and roofs of one lane and of all, from registers to memory; where lanes may be apart, the latency of the
 * cache that they should share, too. */
static struct plan plan_of(const struct trouble *trouble) {
    static const char *const COMPUTE[] = {"avx2.f64.fma", "sse.f64.add"};
    static const char *const MEMORY[] = {"avx2.load", "sse.2ld1st"};
    struct plan plan = {.steps = calloc(MOST, sizeof *plan.steps)};
    const bool many =
        trouble->lanes > 2; /* work that the clock does not pace waits for the last lane: no lane is judged alone */
    for (unsigned lanes = many ? trouble->lanes : 1; lanes <= trouble->lanes; lanes++) {
        for (size_t i = 0; i < 2; i++)
            plan.steps[plan.count++] = step_of(COMPUTE[i], PLAN_REGISTERS, lanes);
        for (int level = 0; level < 4 && !many; level++)
            for (size_t i = 0; i < 2; i++)
                if (level < 2 || lanes == 1 || trouble->apart_on_s > 0)
                    plan.steps[plan.count++] = step_of(MEMORY[i], level, lanes);
    }
    if (trouble->apart_on_s > 0) {
        struct plan_step *chase = &plan.steps[plan.count++];
        *chase = step_of("chase", 2, 1);
        chase->kind = SAMPLE_LATENCY;
    }
    return plan;
}

/* One machine under a trouble, for this long; returns the seconds that it took. */
static double measured(const struct trouble *trouble, const struct plan *plan, uint64_t seed, double budget_s,
                       struct sample *numbers) {
    struct simulated machine;
    struct campaign campaign;
    struct error err = {""};
    simulated_begin(&machine, trouble, seed);
    machine.truth = one_truth;
    machine.visit_s = machine.try_s = BETWEEN_VISITS_S;
    const struct campaign_bench bench = simulated_bench(&machine);
    campaign_open(&campaign, plan, &bench, &(struct campaign_options){.budget_s = budget_s});
    assert_true(campaign_run(&campaign, &err));
    for (size_t i = 0; i < plan->count; i++)
        assert_true(campaign_number(&campaign, i, &numbers[i]));
    const double took_s = machine.now_s;
    campaign_close(&campaign);
    machine_free(&machine.machine);
    return took_s;
}

/* Over many seeds: no bias and the interval contains the true value, or the number has the doubt that the core was
 * shared; the budget is respected. */
static void trouble_seen_through(const struct trouble *trouble, double budget_s, double paced_bias) {
    enum { SEEDS = 100, LEAST = 88 }; /* needed for the bounds of a mean and of nine in ten, within its chance */
    const double longest_visit_s = trouble->away_s > 0 ? 1.5 : 0.5; /* one that began in time */
    const struct plan plan = plan_of(trouble);
    unsigned *held = calloc(plan.count, sizeof *held);
    double *bias = calloc(plan.count, sizeof *bias), longest_s = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sample numbers[MOST];
        longest_s = fmax(longest_s, measured(trouble, &plan, seed, budget_s, numbers));
        for (size_t i = 0; i < plan.count; i++) {
            const struct sample sample = numbers[i];
            const double got = estimate_merit(&sample, plan.steps[i].paced) / truth_of(&plan.steps[i], trouble),
                         truth = sample.value / got;                                    /* in the sample's own unit */
            const struct doubts lasting = DOUBTS(DOUBT_CORE_SHARED, DOUBT_CORES_APART); /* as long as a quick run */
            const bool told = plan.steps[i].kind == SAMPLE_LATENCY || doubts_any(doubts_common(sample.doubts, lasting));
            bias[i] += told ? 0 : (got - 1) / SEEDS;
            held[i] += told || (sample.low <= truth && truth <= sample.high);
        }
    }
    if (longest_s > budget_s + longest_visit_s)
        fail_msg("%s: %.1f s", trouble->name, longest_s);
    for (size_t i = 0; i < plan.count; i++)
        if (fabs(bias[i]) > (plan.steps[i].paced ? paced_bias : 0.05) || held[i] < LEAST)
            fail_msg("%s, %.0f s, %s, level %d, %u lanes: bias %.2f %%, held %u", trouble->name, budget_s,
                     plan.steps[i].kernel, plan.steps[i].level, plan.steps[i].threads, 100 * bias[i], held[i]);
    free(held);
    free(bias);
    free(plan.steps);
}

/* A whole run and a quick one. During the few visits of the latter, a neighbour may always be active. */
static const struct { double budget_s, paced_bias; } RUNS[] = {{60, 0.01}, {10, 0.03}};

static void trouble_is_seen_through(void **state) {
    const struct trouble *trouble = *state;
    for (size_t i = 0; i < sizeof RUNS / sizeof *RUNS; i++)
        trouble_seen_through(trouble, RUNS[i].budget_s, RUNS[i].paced_bias);
}

/* The value per second is as uncertain as the clock. Two runs at different times still agree in nine of ten cases. */
static void the_clock_wanders(void **state) {
    (void)state;
    enum { SEEDS = 40 };
    static const struct trouble WANDERS = {
        .name = "the clock wanders", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .clock_step_s = 2};
    const struct plan plan = plan_of(&WANDERS);
    unsigned alike = 0, all = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct sample whole[MOST], quick[MOST];
        measured(&WANDERS, &plan, seed, 60, whole);
        measured(&WANDERS, &plan, seed + SEEDS, 10, quick);
        for (size_t i = 0; i < plan.count; i++) {
            all += plan.steps[i].paced;
            alike += plan.steps[i].paced && whole[i].low <= quick[i].high && quick[i].low <= whole[i].high;
        }
    }
    if (10 * alike < 9 * all)
        fail_msg("%u of %u intervals overlap", alike, all);
    free(plan.steps);
}

/* Other programs use the memory all the time. The uncertainty after half of the budget would not shrink with more
 * visits, whatever the run's sweep or a narrower instruction set seemed to give. */
static void a_run_ends_when_visits_are_in_vain(void **state) {
    (void)state;
    static const struct trouble BUSY = {.name = "memory is never quiet", .lanes = 2, .noise = 5e-4, .visit_noise = 0.2};
    static const char *const LOADS[] = {"avx2.load", "sse.load", "avx2.2ld1st", "sse.2ld1st"};
    struct plan_step steps[2 * sizeof LOADS / sizeof *LOADS];
    struct plan outer = {.steps = steps};
    for (int level = 2; level < 4; level++)
        for (size_t i = 0; i < sizeof LOADS / sizeof *LOADS; i++)
            steps[outer.count++] = step_of(LOADS[i], level, 1);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct sample numbers[MOST];
        for (size_t i = 0; i < outer.count; i++)
            steps[i].swept = seed % 2 ? 30e9 : 0;
        const double took_s = measured(&BUSY, &outer, seed, 120, numbers);
        if (took_s > 100)
            fail_msg("seed %llu: %.0f s", (unsigned long long)seed, took_s);
    }
}

/* The number of steps with the doubt `core shared` in a run under this trouble. Only steps with `threads` lanes may
 * have it. */
static unsigned shared_cores(const struct trouble *trouble, unsigned threads) {
    const struct plan plan = plan_of(trouble);
    struct sample numbers[MOST];
    unsigned doubted = 0;
    measured(trouble, &plan, 1, 60, numbers);
    for (size_t i = 0; i < plan.count; i++) {
        const bool shared = doubts_has(numbers[i].doubts, DOUBT_CORE_SHARED);
        assert_true(!shared || plan.steps[i].threads == threads);
        doubted += shared;
    }
    free(plan.steps);
    return doubted;
}

/* Cores that are shared throughout the run are doubted, in registers, L1 and L2: six roofs of both lanes, or of the one
 * that runs alone. A clock that falls with more cores is no such case, nor is a core that was shared for a while. */
static void shared_cores_are_doubted(void **state) {
    (void)state;
    const struct trouble shared = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .paired_until_s = 1e9},
                         passing = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .paired_until_s = 10},
                         lone = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .lone_until_s = 1e9},
                         lone_at_first = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .lone_until_s = 10},
                         slower = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .crowd_clock = 0.75};
    assert_int_equal(shared_cores(&shared, 2), 6);
    assert_int_equal(shared_cores(&passing, 2), 0);
    assert_int_equal(shared_cores(&lone, 1), 6);
    assert_int_equal(shared_cores(&lone_at_first, 1), 0);
    assert_int_equal(shared_cores(&slower, 2), 0);
    assert_int_equal(shared_cores(&SIMULATED_QUIET, 2), 0);
}

/* So little time that hardly any step is visited often enough. Without a quota, this is no reason for `core shared`. */
static unsigned count_core_shared(const struct trouble *trouble, unsigned *numbers) {
    static const double BUDGET_S = 1;
    const struct plan plan = plan_of(trouble);
    struct simulated machine;
    struct campaign campaign;
    struct error err;
    unsigned doubted = 0;
    *numbers = 0;
    simulated_begin(&machine, trouble, 1);
    machine.truth = one_truth;
    machine.visit_s = machine.try_s = 5e-3;
    const struct campaign_bench bench = simulated_bench(&machine);
    campaign_open(&campaign, &plan, &bench, &(struct campaign_options){.budget_s = BUDGET_S});
    assert_true(campaign_run(&campaign, &err));
    for (size_t i = 0; i < plan.count; i++) {
        struct sample sample;
        if (campaign_number(&campaign, i, &sample)) {
            ++*numbers;
            doubted += doubts_has(sample.doubts, DOUBT_CORE_SHARED);
        }
    }
    campaign_close(&campaign);
    machine_free(&machine.machine);
    free(plan.steps);
    return doubted;
}

static void time_that_a_quota_takes_is_named(void **state) {
    (void)state;
    static const struct trouble QUOTA = {
        .lanes = 2, .noise = 1e-3, .visit_noise = 1e-3, .interrupted = 0.1, .away_s = 95e-3, .cold = 0.2};
    unsigned numbers;
    const unsigned doubted = count_core_shared(&QUOTA, &numbers);
    assert_int_equal(doubted, numbers);
    assert_true(numbers > 0);
    assert_int_equal(count_core_shared(&SIMULATED_QUIET, &numbers), 0);
}

int main(void) {
    enum { TROUBLE_COUNT = sizeof TROUBLES / sizeof *TROUBLES };
    struct CMUnitTest each[TROUBLE_COUNT];
    for (size_t i = 0; i < TROUBLE_COUNT; i++)
        each[i] = (struct CMUnitTest){.name = TROUBLES[i].name,
                                      .test_func = trouble_is_seen_through,
                                      .initial_state = (void *)(uintptr_t)&TROUBLES[i]};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_cores_are_doubted),
        cmocka_unit_test(time_that_a_quota_takes_is_named),
        cmocka_unit_test(the_clock_wanders),
        cmocka_unit_test(a_run_ends_when_visits_are_in_vain),
    };
    const int failed = cmocka_run_group_tests(each, NULL, NULL);
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
