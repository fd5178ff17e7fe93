/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy on disturbed machines whose truth is known: numbers without bias, intervals that hold the truth,
 * the budget kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/sample/doubt.h"
#include "tests/support/simulated.h"

/* A real plan has 300 steps and takes seconds to go round; here fewer stand for them, farther apart. */
static const double REPETITION_S = 200e-6, BETWEEN_VISITS_S = 0.15;

static double one_truth(const struct campaign_trial *trial) {
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
    {.name = "kernels run in two ways", .lanes = 1, .noise = 1e-3, .visit_noise = 1e-3, .second_way = 0.4},
    {.name = "rare wild outliers", .lanes = 2, .noise = 1e-3, .visit_noise = 1e-3, .wild = 0.02},
    {.name = "two CPUs share a core at first", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .paired_until_s = 10},
    {.name = "one lane of 64 disturbed", .lanes = 64, .noise = 1e-3, .visit_noise = 1e-3, .lane_slow = 0.5},
};

/* Ceilings and roofs of one lane and of all, from registers to memory. */
static struct plan plan_of(const struct trouble *trouble) {
    static const char *const COMPUTE[] = {"avx2.f64.fma", "sse.f64.add"};
    static const char *const MEMORY[] = {"avx2.load", "sse.2ld1st"};
    struct plan plan = {.steps = calloc(64, sizeof *plan.steps)};
    const bool many =
        trouble->lanes > 2; /* what the clock does not pace waits for the last lane: none is judged alone */
    for (unsigned lanes = many ? trouble->lanes : 1; lanes <= trouble->lanes; lanes++) {
        for (size_t i = 0; i < 2; i++)
            plan.steps[plan.count++] = step_of(COMPUTE[i], PLAN_REGISTERS, lanes);
        for (int level = 0; level < 4 && !many; level++)
            for (size_t i = 0; i < 2; i++)
                if (level < 2 || lanes == 1)
                    plan.steps[plan.count++] = step_of(MEMORY[i], level, lanes);
    }
    return plan;
}

/* Over many seeds: no bias, the interval holds the truth, the budget is kept. */
static void trouble_seen_through(const struct trouble *trouble) {
    enum { SEEDS = 300 };
    static const double BUDGET_S = 60, LONGEST_VISIT_S = 0.5; /* one that began in time */
    const struct plan plan = plan_of(trouble);
    unsigned *held = calloc(plan.count, sizeof *held);
    double *bias = calloc(plan.count, sizeof *bias), longest_s = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct simulated machine;
        struct campaign campaign;
        struct error err = {""};
        simulated_begin(&machine, trouble, seed);
        machine.truth = one_truth;
        machine.visit_s = machine.try_s = BETWEEN_VISITS_S;
        const struct campaign_bench bench = simulated_bench(&machine);
        campaign_open(&campaign, &plan, &bench, &(struct campaign_options){.budget_s = BUDGET_S});
        assert_true(campaign_run(&campaign, &err));
        for (size_t i = 0; i < plan.count; i++) {
            struct sample sample;
            assert_true(campaign_number(&campaign, i, &sample));
            const double got = estimate_merit(&sample, plan.steps[i].paced) / truth_of(&plan.steps[i], trouble),
                         truth = sample.value / got; /* in the sample's own unit */
            bias[i] += (got - 1) / SEEDS;
            held[i] += sample.low <= truth && truth <= sample.high;
        }
        longest_s = fmax(longest_s, machine.now_s);
        campaign_close(&campaign);
        machine_free(&machine.machine);
    }
    if (longest_s > BUDGET_S + LONGEST_VISIT_S)
        fail_msg("%s: %.1f s", trouble->name, longest_s);
    for (size_t i = 0; i < plan.count; i++)
        if (fabs(bias[i]) > (plan.steps[i].paced ? 0.01 : 0.05) || held[i] < SEEDS * 9 / 10)
            fail_msg("%s, %s, level %d, %u lanes: bias %.2f %%, held %u", trouble->name, plan.steps[i].kernel,
                     plan.steps[i].level, plan.steps[i].threads, 100 * bias[i], held[i]);
    free(held);
    free(bias);
    free(plan.steps);
}

static void troubles(void **state) {
    (void)state;
    for (size_t t = 0; t < sizeof TROUBLES / sizeof *TROUBLES; t++)
        trouble_seen_through(&TROUBLES[t]);
}

/* Of all steps of one run beside that trouble: how many carry the doubt `core shared`; of one lane none may. */
static unsigned shared_cores(const struct trouble *trouble) {
    const struct plan plan = plan_of(trouble);
    struct simulated machine;
    struct campaign campaign;
    struct error err = {""};
    unsigned doubted = 0;
    simulated_begin(&machine, trouble, 1);
    machine.truth = one_truth;
    machine.visit_s = machine.try_s = BETWEEN_VISITS_S;
    const struct campaign_bench bench = simulated_bench(&machine);
    campaign_open(&campaign, &plan, &bench, &(struct campaign_options){.budget_s = 60});
    assert_true(campaign_run(&campaign, &err));
    for (size_t i = 0; i < plan.count; i++) {
        struct sample sample;
        assert_true(campaign_number(&campaign, i, &sample));
        const bool shared = sample.doubts & DOUBT_CORE_SHARED;
        assert_true(!shared || plan.steps[i].threads > 1);
        doubted += shared;
    }
    campaign_close(&campaign);
    machine_free(&machine.machine);
    free(plan.steps);
    return doubted;
}

/* Cores that are shared for as long as the run lasts are doubted, in registers, L1 and L2: six roofs of both lanes.
 * A clock that falls as more cores run is none of it, nor is a core that was shared for a while. */
static void shared_cores_are_doubted(void **state) {
    (void)state;
    const struct trouble shared = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .paired_until_s = 1e9},
                         passing = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .paired_until_s = 10},
                         slower = {.lanes = 2, .noise = 5e-4, .visit_noise = 5e-4, .crowd_clock = 0.75};
    assert_int_equal(shared_cores(&shared), 6);
    assert_int_equal(shared_cores(&passing), 0);
    assert_int_equal(shared_cores(&slower), 0);
    assert_int_equal(shared_cores(&SIMULATED_QUIET), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(troubles),
        cmocka_unit_test(shared_cores_are_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
