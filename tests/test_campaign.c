/* SPDX-License-Identifier: BSD-3-Clause
 * The measuring policy on simulated machines whose truth is known: quiet ones, and those that others disturb. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../bench/measure/campaign.h"
#include "../bench/measure/choose.h"
#include "../probe/clock.h"
#include "fixtures.h"

enum { MOST_LANES = 64, MOST_REPETITIONS = 128 };
/* A real plan has 300 steps and takes seconds to go round; here fewer stand for them, farther apart. */
static const double REPETITION_S = 200e-6, WORK = 1e6, BETWEEN_VISITS_S = 0.15;

/* How a machine misbehaves. */
struct trouble {
    const char *name;
    unsigned lanes;
    double noise;                       /* of one repetition, relative, normal */
    double visit_noise;                 /* of one visit */
    double clock_step_s;                /* the clock takes another value after so long, on average; 0: never */
    double first_slice_slow;            /* the first slice reads up to that much low */
    double slice_disturbed;             /* so many of the other slices read low */
    double sibling_on_s, sibling_off_s; /* takes a third of lane 0, in turns; 0: never */
    double second_way;                  /* so many of the repetitions run 20 % slower */
    double wild;                        /* so many of the repetitions are off by up to a half, either way */
    double lane_slow;                   /* lane 0 is always slower by that much */
};

/* A machine that is made up: what it is, and where it is in time. */
struct simulated {
    const struct trouble *trouble;
    struct machine machine;
    struct levels levels[MACHINE_MAX_KINDS];
    uint64_t random;
    double now_s, clock_hz, clock_until_s, sibling_until_s;
    bool sibling;
    /* per cycle (paced) or per second of the whole team: of a code at a size */
    double (*truth)(const struct campaign_trial *trial);
    unsigned long trials;
    unsigned long stop_after; /* trials; 0: never */
    volatile sig_atomic_t stop;
};

static double uniform(struct simulated *s) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

static double normal(struct simulated *s) {
    return sqrt(-2 * log(1 - uniform(s))) * cos(2 * 3.14159265358979 * uniform(s));
}

static double after(struct simulated *s, double mean_s) {
    return s->now_s - mean_s * log(1 - uniform(s));
}

static void let_time_pass(struct simulated *s, double seconds) {
    s->now_s += seconds;
    while (s->trouble->clock_step_s > 0 && s->now_s > s->clock_until_s) {
        s->clock_hz = 2.0e9 + 0.1e9 * floor(uniform(s) * 9);
        s->clock_until_s += after(s, s->trouble->clock_step_s) - s->now_s;
    }
    while (s->trouble->sibling_on_s > 0 && s->now_s > s->sibling_until_s) {
        s->sibling = !s->sibling;
        s->sibling_until_s += after(s, s->sibling ? s->trouble->sibling_on_s : s->trouble->sibling_off_s) - s->now_s;
    }
}

static struct clock_reading read_clock(struct simulated *s) {
    double slices[CLOCK_SLICES];
    for (unsigned i = 0; i < CLOCK_SLICES; i++) {
        double low = i == 0 ? s->trouble->first_slice_slow * (0.2 + 0.8 * uniform(s)) : 0;
        if (uniform(s) < s->trouble->slice_disturbed)
            low += 0.3 * uniform(s);
        slices[i] = s->clock_hz * (1 - low) * (1 + 3e-4 * normal(s));
    }
    return clock_reading_of(slices, CLOCK_SLICES);
}

/* What the sibling, the other way and wild readings make of one repetition's time. */
static double slowdown(struct simulated *s, unsigned lane) {
    double factor = 1 + s->trouble->noise * normal(s);
    if (lane == 0 && s->sibling)
        factor *= 1.5 + 0.03 * normal(s);
    if (lane == 0)
        factor *= 1 + s->trouble->lane_slow;
    if (uniform(s) < s->trouble->second_way)
        factor *= 1.2;
    if (uniform(s) < s->trouble->wild)
        factor *= 0.5 + uniform(s);
    return factor;
}

static bool measure(void *context, const struct campaign_trial *trial, struct sample *out, struct error *err) {
    (void)err;
    struct simulated *s = context;
    static struct repetition repetitions[MOST_REPETITIONS * MOST_LANES];
    const unsigned lanes = trial->step->threads;
    const double truth = s->truth(trial) * (1 + s->trouble->visit_noise * normal(s));
    let_time_pass(s, BETWEEN_VISITS_S);
    for (unsigned i = 0; i < trial->repetitions; i++) {
        double team_s = 0, start_hz = s->clock_hz;
        let_time_pass(s, trial->repetition_s);
        for (unsigned lane = 0; lane < lanes; lane++) {
            struct repetition *r = &repetitions[i * lanes + lane];
            /* a step on the way: some of it at the old clock */
            double hz = start_hz + (s->clock_hz - start_hz) * uniform(s);
            double seconds = (trial->step->paced ? WORK / truth / hz : WORK * lanes / truth) * slowdown(s, lane);
            struct clock_reading reading = read_clock(s);
            *r = (struct repetition){.seconds = seconds, .clock_hz = reading.hz, .clock_spread = reading.spread};
            team_s = fmax(team_s, seconds);
        }
        for (unsigned lane = 0; lane < lanes; lane++)
            repetitions[i * lanes + lane].team_s = team_s;
    }
    *out = (struct sample){.kind = trial->step->kind, .threads = lanes};
    snprintf(out->kernel, sizeof out->kernel, "%s", trial->code.kernel->name);
    snprintf(out->variant, sizeof out->variant, "%s", trial->code.kernel->variant);
    if (trial->code.width > 0)
        snprintf(out->variant, sizeof out->variant, "%ux%u", trial->code.width, trial->code.unroll);
    plan_describe(trial->step, &s->machine, s->levels, out);
    sample_reduce(out,
                  &(struct repetitions){.of = repetitions,
                                        .count = trial->repetitions,
                                        .lanes = lanes,
                                        .work = WORK,
                                        .core_paced = trial->step->paced,
                                        .clock_within = 0.002},
                  STATISTIC_UPPER_QUARTILE);
    s->stop = s->stop_after > 0 && ++s->trials >= s->stop_after;
    return true;
}

static double now_s(void *context) {
    return ((struct simulated *)context)->now_s;
}

static void wait_s(void *context, double seconds) {
    let_time_pass(context, seconds);
}

static double one_truth(const struct campaign_trial *trial) {
    return trial->step->paced ? 16 : 20e9;
}

static void begin(struct simulated *out, const struct trouble *trouble, uint64_t seed) {
    *out = (struct simulated){.trouble = trouble,
                              .machine = fixture_machine(MOST_LANES, FIXTURE_AVX2),
                              .random = seed * 0x9e3779b97f4a7c15u + 88172645463325252u,
                              .clock_hz = 3e9,
                              .truth = one_truth};
    fixture_levels(&out->machine, out->levels);
    for (int i = 0; i < 10; i++)
        uniform(out);
    if (trouble->sibling_on_s > 0) /* as likely in one state as it is in the long run */
        out->sibling = uniform(out) < trouble->sibling_on_s / (trouble->sibling_on_s + trouble->sibling_off_s);
    out->sibling_until_s = after(out, out->sibling ? trouble->sibling_on_s : trouble->sibling_off_s);
}

static struct campaign_bench bench_of(struct simulated *s) {
    return (struct campaign_bench){
        .context = s, .machine = &s->machine, .measure = measure, .now_s = now_s, .wait = wait_s, .stop = &s->stop};
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
    enum { SEEDS = 1000 };
    static const double BUDGET_S = 60, LONGEST_VISIT_S = 0.5; /* one that began in time */
    const struct plan plan = plan_of(trouble);
    unsigned *held = calloc(plan.count, sizeof *held);
    double *bias = calloc(plan.count, sizeof *bias), longest_s = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct simulated machine;
        struct campaign campaign;
        struct error err = {""};
        begin(&machine, trouble, seed);
        const struct campaign_bench bench = bench_of(&machine);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(troubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
