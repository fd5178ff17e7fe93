/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated machines for the measuring policy, with known true values and disturbances, and a campaign on one of them.
 * Include cmocka.h before it. */
#pragma once

#include "bench/kernels/campaign.h"
#include "probe/clock.h"
#include "probe/error.h"
#include "fixtures.h"

enum { SIMULATED_LANES = 64, SIMULATED_REPETITIONS = 128, SIMULATED_NORMALS = 4096, SIMULATED_LOG = 32768 };

#define SIMULATED_WORK       1e7
#define SIMULATED_NOOPS      6.0   /* per cycle */
#define SIMULATED_HANDOVER_S 45e-9 /* between two lanes; four times as much where they are apart */
#define SIMULATED_SLICE      15.0  /* a time slice of 3 ms, in repetitions of 200 µs */
/* A machine with late lanes calibrates its repetitions: work of one iteration, and time to begin a repetition. */
#define SIMULATED_ITERATION 1e3
#define SIMULATED_BEGIN_S   20e-9

/* The disturbances of a machine. */
struct trouble {
    const char *name;
    unsigned lanes;
    double noise;                       /* of one repetition, relative, standard deviation */
    double visit_noise;                 /* of one visit */
    double clock_step_s;                /* average interval between changes of the clock; 0: never */
    double first_slice_slow;            /* the first slice reads low by up to this */
    double slice_disturbed;             /* part of the other slices that read low */
    double sibling_on_s, sibling_off_s; /* takes a third of lane 0, in turns; 0: never */
    double apart_on_s, apart_off_s;     /* several lanes have caches of their own, in turns; 0: never */
    double second_way;                  /* part of the repetitions that run 20 % slower */
    double wild;                        /* part of the repetitions that are off by up to a half, either way */
    double lane_slow;                   /* lane 0 is always slower by this */
    double paired_until_s;              /* all lanes of a team share one core until this time; 0: never */
    double lone_until_s;                /* a single lane takes half as long again until this time; 0: never */
    double crowd_clock;                 /* part of the clock when several lanes run; 0: all of it */
    double sliced;                      /* part of lane 0's repetitions that wait for a hog's time slice */
    double memory_slow, memory_s;       /* L3 and memory are slower by up to this, for this long: a third of the time */
    double interrupted, away_s, cold;   /* part of the repetitions, for this long; they run slower by this */
    double late, late_s; /* part of the repetitions in which the last lane of several begins that much later */
};

static const struct trouble SIMULATED_QUIET
    __attribute__((unused)) = {.name = "quiet", .lanes = 2, .noise = 5e-4, .visit_noise = 5e-4};

/* The machine, and its current time. */
struct simulated {
    const struct trouble *trouble;
    struct machine machine;
    struct levels levels[MACHINE_MAX_KINDS];
    uint64_t random;
    double now_s, clock_hz, clock_until_s, sibling_until_s, apart_until_s, memory_until_s, memory, taken_s;
    bool sibling, apart;
    double visit_s, try_s; /* duration of a visit and of a brief one, without repetitions */
    /* The value of a code at a size: per cycle if paced, else per second for the whole team, or seconds per access. 0:
     * it cannot run. */
    double (*truth)(const struct campaign_trial *trial);
    double documented_per_cycle;                              /* for all kernels; 0: unknown */
    double (*documented)(const struct campaign_trial *trial); /* NULL: documented_per_cycle */
    unsigned long trials, stop_after, fail_after; /* stop_after, fail_after: after this many trials; 0: never */
    atomic_int stop;
    struct campaign_trial *log; /* room for SIMULATED_LOG; NULL: not wanted */
};

static inline double simulated_uniform(struct simulated *s) {
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return (double)(s->random >> 11) / 9007199254740992.0;
}

/* From a table: logarithms took most of the tests' time. */
static inline double simulated_normal(struct simulated *s) {
    static double table[SIMULATED_NORMALS];
    if (table[0] == 0) {
        struct simulated own = {.random = 88172645463325252u};
        for (unsigned i = 0; i < SIMULATED_NORMALS; i += 2) {
            table[i] =
                sqrt(-2 * log(1 - simulated_uniform(&own))) * cos(2 * 3.14159265358979 * simulated_uniform(&own));
            table[i + 1] = -table[i];
        }
    }
    return table[(size_t)(simulated_uniform(s) * SIMULATED_NORMALS)];
}

static inline double simulated_after(struct simulated *s, double mean_s) {
    return s->now_s - mean_s * log(1 - simulated_uniform(s));
}

static inline void simulated_wait(void *context, double seconds) {
    struct simulated *s = context;
    const struct trouble *t = s->trouble;
    s->now_s += seconds;
    while (t->clock_step_s > 0 && s->now_s > s->clock_until_s) {
        s->clock_hz = 2.0e9 + 0.1e9 * floor(simulated_uniform(s) * 9);
        s->clock_until_s += simulated_after(s, t->clock_step_s) - s->now_s;
    }
    while (t->sibling_on_s > 0 && s->now_s > s->sibling_until_s) {
        s->sibling = !s->sibling;
        s->sibling_until_s += simulated_after(s, s->sibling ? t->sibling_on_s : t->sibling_off_s) - s->now_s;
    }
    while (t->apart_on_s > 0 && s->now_s > s->apart_until_s) {
        s->apart = !s->apart;
        s->apart_until_s += simulated_after(s, s->apart ? t->apart_on_s : t->apart_off_s) - s->now_s;
    }
    while (t->memory_s > 0 && s->now_s > s->memory_until_s) {
        s->memory = simulated_uniform(s) > 1.0 / 3 ? 1 : 1 - t->memory_slow * simulated_uniform(s);
        s->memory_until_s += simulated_after(s, t->memory_s) - s->now_s;
    }
}

static inline double simulated_taken(void *context) {
    return ((struct simulated *)context)->taken_s;
}

static inline double simulated_now(void *context) {
    return ((struct simulated *)context)->now_s;
}

static inline struct clock_reading simulated_clock(struct simulated *s) {
    double slices[CLOCK_SLICES];
    for (unsigned i = 0; i < CLOCK_SLICES; i++) {
        double low = 0;
        if (i == 0 && s->trouble->first_slice_slow > 0)
            low = s->trouble->first_slice_slow * (0.2 + 0.8 * simulated_uniform(s));
        if (s->trouble->slice_disturbed > 0 && simulated_uniform(s) < s->trouble->slice_disturbed)
            low += 0.3 * simulated_uniform(s);
        slices[i] = s->clock_hz * (1 - low) * (1 + 3e-4 * simulated_normal(s));
    }
    return clock_reading_of(slices, CLOCK_SLICES);
}

/* Applies the SMT sibling, a second mode and wild readings to one repetition's time. */
static inline double simulated_slowdown(struct simulated *s, unsigned lanes, unsigned lane) {
    const struct trouble *t = s->trouble;
    double factor = 1 + t->noise * simulated_normal(s);
    if (s->now_s < t->paired_until_s)
        factor *= lanes;
    if (lanes == 1 && s->now_s < t->lone_until_s)
        factor *= 1.5;
    if (lane == 0 && s->sibling)
        factor *= 1.5 + 0.03 * simulated_normal(s);
    if (lane == 0)
        factor *= 1 + t->lane_slow;
    if (lane == 0 && t->sliced > 0 && simulated_uniform(s) < t->sliced)
        factor *= 1 + SIMULATED_SLICE / 2 + SIMULATED_SLICE * simulated_uniform(s);
    if (t->second_way > 0 && simulated_uniform(s) < t->second_way)
        factor *= 1.2;
    if (t->wild > 0 && simulated_uniform(s) < t->wild)
        factor *= 0.5 + simulated_uniform(s);
    return factor;
}

/* Whether the scheduler takes the cores from all lanes during a repetition. */
static inline bool simulated_interruption(struct simulated *s) {
    const bool interrupted = s->trouble->interrupted > 0 && simulated_uniform(s) < s->trouble->interrupted;
    if (interrupted && s->trouble->away_s > 0) {
        simulated_wait(s, s->trouble->away_s);
        s->taken_s += s->trouble->away_s;
    }
    return interrupted;
}

/* Repetitions of this much work: in order of time, lane by lane. */
static inline void simulated_repeat(struct simulated *s, const struct campaign_trial *trial, double truth, double work,
                                    unsigned repetitions, struct repetition *out) {
    const unsigned lanes = trial->step->threads;
    for (unsigned i = 0; i < repetitions; i++) {
        const bool late = lanes > 1 && s->trouble->late > 0 && simulated_uniform(s) < s->trouble->late;
        double team_s = 0, start_hz = s->clock_hz;
        const bool interrupted = simulated_interruption(s);
        simulated_wait(s, trial->repetition_s);
        for (unsigned lane = 0; lane < lanes; lane++) {
            /* a clock change in between: part of it at the old clock */
            double hz = start_hz + (s->clock_hz - start_hz) * simulated_uniform(s);
            double undisturbed_s =
                work / truth * (trial->step->paced ? 1 / hz : lanes / s->memory / (lanes > 1 && s->apart ? 1.6 : 1)) +
                (s->trouble->late > 0 ? SIMULATED_BEGIN_S : 0);
            struct clock_reading reading = simulated_clock(s);
            struct repetition *r = &out[i * lanes + lane];
            *r = (struct repetition){.seconds = undisturbed_s * simulated_slowdown(s, lanes, lane) *
                                                (interrupted ? 1 + s->trouble->cold : 1),
                                     .interrupted = interrupted || (late && lane + 1 == lanes),
                                     .clock_hz = reading.hz,
                                     .clock_spread = reading.spread,
                                     .noops_per_cycle = SIMULATED_NOOPS * (lane == 0 && s->sibling ? 0.6 : 1)};
            team_s = fmax(team_s, r->seconds);
        }
        for (unsigned lane = 0; lane < lanes; lane++)
            out[i * lanes + lane].team_s = team_s + (late ? s->trouble->late_s : 0);
    }
}

/* The work of a repetition of the trial's length, found as on a real machine (calibrate() in run.c). */
static inline double simulated_work(struct simulated *s, const struct campaign_trial *trial, double truth) {
    enum { FEW = 3 };
    struct repetition few[FEW * SIMULATED_LANES];
    uint64_t iterations = 16;
    if (s->trouble->late <= 0)
        return SIMULATED_WORK;
    do
        simulated_repeat(s, trial, truth, (double)iterations * SIMULATED_ITERATION, FEW, few);
    while (!repetitions_lengthen(&iterations, repetitions_fastest_s(few, FEW * trial->step->threads),
                                 trial->repetition_s));
    return (double)iterations * SIMULATED_ITERATION;
}

static inline bool simulated_measure(void *context, const struct campaign_trial *trial, struct sample *out,
                                     struct error *err) {
    struct simulated *s = context;
    static struct repetition repetitions[SIMULATED_REPETITIONS * SIMULATED_LANES];
    double alone[SIMULATED_LANES];
    for (unsigned lane = 0; lane < SIMULATED_LANES; lane++)
        alone[lane] = SIMULATED_NOOPS;
    if (s->log && s->trials < SIMULATED_LOG)
        s->log[s->trials] = *trial;
    s->trials++;
    if (s->trials == s->fail_after)
        return error_set(err, "the machine is gone");
    const bool was_apart = s->apart;
    const double truth = s->truth(trial) * (1 + s->trouble->visit_noise * simulated_normal(s));
    simulated_wait(s, trial->brief ? s->try_s : s->visit_s);
    *out = (struct sample){.kind = trial->step->kind, .threads = trial->step->threads};
    if (truth <= 0)
        return true;
    snprintf(out->kernel, sizeof out->kernel, "%s", trial->code.kernel->name);
    snprintf(out->variant, sizeof out->variant, "%s", trial->code.kernel->variant);
    if (trial->code.width > 0)
        snprintf(out->variant, sizeof out->variant, "%ux%u", trial->code.width, trial->code.unroll);
    plan_describe(trial->step, &s->machine, s->levels, out);
    const double alone_hz = s->clock_hz;
    s->clock_hz *= s->trouble->crowd_clock > 0 && trial->step->threads > 1 ? s->trouble->crowd_clock : 1;
    const double merit = out->kind == SAMPLE_LATENCY ? 1 / truth : truth, work = simulated_work(s, trial, merit);
    simulated_repeat(s, trial, merit, work, trial->repetitions, repetitions);
    s->clock_hz = s->trouble->crowd_clock > 0 ? alone_hz : s->clock_hz; /* else it may have changed */
    sample_reduce(out,
                  &(struct repetitions){.of = repetitions,
                                        .count = trial->repetitions,
                                        .lanes = trial->step->threads,
                                        .work = work,
                                        .core_paced = trial->step->paced,
                                        .clock_within = 0.002,
                                        .alone_noops_per_cycle = alone},
                  STATISTIC_UPPER_QUARTILE);
    if (trial->step->threads > 1 && !trial->step->paced)
        out->handover_s = SIMULATED_HANDOVER_S * (s->apart || was_apart ? 4 : 1) * (1 + 0.2 * simulated_uniform(s));
    out->documented_per_cycle = s->documented ? s->documented(trial) : s->documented_per_cycle;
    s->stop = s->stop_after > 0 && s->trials >= s->stop_after;
    return true;
}

/* machine_free(&out->machine) afterwards. */
static inline void simulated_begin(struct simulated *out, const struct trouble *trouble, uint64_t seed) {
    *out = (struct simulated){.trouble = trouble,
                              .machine = fixture_machine(trouble->lanes, FIXTURE_AVX2),
                              .random = seed * 0x9e3779b97f4a7c15u + 88172645463325252u,
                              .clock_hz = 3e9,
                              .memory = 1};
    fixture_levels(&out->machine, out->levels);
    for (int i = 0; i < 10; i++)
        simulated_uniform(out);
    if (trouble->sibling_on_s > 0) /* with the long-run probability of each state */
        out->sibling =
            simulated_uniform(out) < trouble->sibling_on_s / (trouble->sibling_on_s + trouble->sibling_off_s);
    out->sibling_until_s = simulated_after(out, out->sibling ? trouble->sibling_on_s : trouble->sibling_off_s);
}

static inline struct campaign_bench simulated_bench(struct simulated *s) {
    return (struct campaign_bench){.context = s,
                                   .machine = &s->machine,
                                   .measure = simulated_measure,
                                   .now_s = simulated_now,
                                   .taken_s = simulated_taken,
                                   .wait = simulated_wait,
                                   .stop = &s->stop};
}

/* A plan, a machine and a campaign, from scene_begin() to scene_end(). */
struct scene {
    struct simulated machine;
    struct plan plan;
    struct campaign_bench bench;
    struct campaign campaign;
    struct campaign_trial log[SIMULATED_LOG];
};

/* The plan with these options; a visit takes 5 ms, a try one. */
static inline void scene_begin(struct scene *scene, const struct trouble *trouble, uint64_t seed,
                               const struct plan_options *options, double (*truth)(const struct campaign_trial *)) {
    struct error err;
    simulated_begin(&scene->machine, trouble, seed);
    scene->machine.truth = truth;
    scene->machine.visit_s = 5e-3;
    scene->machine.try_s = 1e-3;
    scene->machine.log = scene->log;
    if (!plan_roofs(&scene->plan, &scene->machine.machine, scene->machine.levels, options, &err))
        fail_msg("%s", err.text);
    scene->bench = simulated_bench(&scene->machine);
}

static inline bool scene_run(struct scene *scene, const struct campaign_options *options, struct error *err) {
    campaign_open(&scene->campaign, &scene->plan, &scene->bench, options);
    return campaign_run(&scene->campaign, err);
}

static inline void scene_end(struct scene *scene) {
    campaign_close(&scene->campaign);
    plan_free(&scene->plan);
    machine_free(&scene->machine.machine);
}

static inline size_t scene_step(const struct scene *scene, unsigned long trial) {
    return (size_t)(scene->log[trial].step - scene->plan.steps);
}

/* Full and brief visits to a step so far; with `shapes`, only those of shapes. */
static inline unsigned scene_trials(const struct scene *scene, size_t step, bool brief, bool shapes) {
    unsigned count = 0;
    for (unsigned long i = 0; i < scene->machine.trials && i < SIMULATED_LOG; i++)
        count +=
            scene_step(scene, i) == step && scene->log[i].brief == brief && (!shapes || scene->log[i].code.width > 0);
    return count;
}

static inline bool scene_has(const struct scene *scene, size_t step) {
    struct sample sample;
    return campaign_number(&scene->campaign, step, &sample);
}
