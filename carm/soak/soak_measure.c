/* SPDX-License-Identifier: BSD-3-Clause */
#include "soak_measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/kernels/others.h"
#include "bench/kernels/doubt.h"
#include "bench/kernels/estimate.h"
#include "carm/session/characterise.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/sensors.h"
#include "probe/stop.h"
#include "probe/text.h"

static const char PROC_STAT[] = "/proc/stat";
static const double CHOOSE_MOST_S = 60;                   /* to find the roofs: a few seconds on a quiet host */
static const double ROUND_LEAST_S = 1, ROUND_MOST_S = 30; /* a log of days is no longer than one of hours */
static const double ROUNDS = 3600;                        /* number of rounds, if their length is within these bounds */
static const double VISIT_LIMIT_S = 30e-3;
enum { VISIT_REPETITIONS = 32, SEGMENTS_PER_VISIT = 16, VISITS_LEAST = 2, ISA_BYTES = 16 };

static bool is_stopped(const struct session *session) {
    return stop_requested(session->bench.stop);
}

/* Whether a sample uses all cores or one core, with no restriction of place; of latencies only memory's. */
static bool is_repeated(const struct result *result, const struct sample *sample) {
    const struct levels *levels = &result->levels[0];
    const bool everywhere = sample->package == 0 && sample->node == 0 && sample->memory_node == 0;
    return everywhere && sample_cores(sample) == sample->threads &&
           (sample->kind != SAMPLE_LATENCY || strcmp(sample->level, levels->level[levels->count - 1].name) == 0);
}

/* The most cores first; then the ceiling, levels from the core outwards (L1, L2, …, DRAM), and the latency. */
static int by_worth(const void *a, const void *b) {
    const struct sample *x = a, *y = b;
    if (x->threads != y->threads)
        return x->threads > y->threads ? -1 : 1;
    if (x->kind != y->kind)
        return (int)x->kind - (int)y->kind;
    return levels_compare(x->level, y->level);
}

/* Removes all samples that rounds do not repeat. */
static void keep_repeated(struct result *result) {
    bool *headline = need_calloc(result->sample_count + 1, sizeof *headline);
    size_t kept = 0;
    trust_headline(result->samples, result->sample_count, headline);
    for (size_t i = 0; i < result->sample_count; i++)
        if (headline[i] && !sample_is_blank(&result->samples[i]) && is_repeated(result, &result->samples[i]))
            result->samples[kept++] = result->samples[i];
    free(headline);
    result->sample_count = kept;
    qsort(result->samples, kept, sizeof *result->samples, by_worth);
}

static const struct plan_step *step_of(const struct plan *plan, const struct result *result,
                                       const struct sample *sample) {
    for (size_t i = 0; i < plan->count; i++) {
        struct sample wanted = {0};
        plan_describe(&plan->steps[i], &result->machine, &result->levels[0], &wanted);
        if (!wanted.small_pages && strcmp(sample->kernel, plan->steps[i].kernel) == 0 &&
            strcmp(sample->level, wanted.level) == 0 && sample_same_place(sample, &wanted))
            return &plan->steps[i];
    }
    return NULL;
}

/* The options of a plan that finds all headlines, in the widest instruction set. `isa` gets its name, and must
 * outlive the options. */
static struct plan_options what_is_planned(const struct machine *machine, char isa[ISA_BYTES]) {
    static const char *const OPERATIONS[] = {"fma",  "fmaadd", "addmul", "add",    "mul",
                                             "load", "2ld1st", "store",  "update", "chase"};
    struct plan_options out = {.quick = true,
                               .glance = true,
                               .budget_s = CHOOSE_MOST_S,
                               .types = {"f64"},
                               .type_count = 1,
                               .mix_count = sizeof OPERATIONS / sizeof OPERATIONS[0]};
    const char *widest = plan_widest_load(machine, &out);
    memcpy(out.mixes, OPERATIONS, sizeof OPERATIONS);
    snprintf(isa, ISA_BYTES, "%.*s", widest ? (int)strcspn(widest, ".") : 0, widest ? widest : "");
    if (*isa)
        out.isas[out.isa_count++] = isa;
    return out;
}

/* Plans a step for each sample, with the sample's size. */
static bool plan_rounds(struct soak_bench *bench, const struct result *repeated, struct error *err) {
    const struct result *result = &bench->session.result;
    char isa[ISA_BYTES];
    const struct plan_options options = what_is_planned(&result->machine, isa);
    struct plan all = {0};
    bool done = plan_roofs(&all, &result->machine, result->levels, &options, err);
    bench->plan = (struct plan){.steps = need_calloc(repeated->sample_count + 1, sizeof *bench->plan.steps)};
    for (size_t i = 0; i < repeated->sample_count && done; i++) {
        const struct sample *sample = &repeated->samples[i];
        const struct plan_step *step = step_of(&all, result, sample);
        if (!step || !kernel_find_variant(sample->kernel, sample->variant)) {
            done =
                error_set(err, "this version of carmine, or this machine, does not measure %s; start a new log with -o",
                          sample->kernel);
            break;
        }
        struct plan_step *own = &bench->plan.steps[bench->plan.count++];
        *own = *step;
        own->size_count = sample->working_set_bytes > 0;
        own->size_bytes[0] = sample->working_set_bytes;
    }
    plan_free(&all);
    return done;
}

static void tell_what_is_read(struct soak *log) {
    const struct sensors sensors = sensors_read("");
    char heat[64];
    log->has_activity = activity_now(PROC_STAT).known;
    log->has_temperature = sensors.has_temperature;
    log->has_throttling = sensors.has_throttling;
    log->has_memory_errors = sensors.has_memory_errors;
    snprintf(heat, sizeof heat, "temperature (%s, %u sensor%s)", sensors.driver, sensors.temperatures,
             sensors.temperatures == 1 ? "" : "s");
    const struct {
        bool read;
        const char *name, *absent;
    } THINGS[] = {{sensors.has_temperature, heat, "temperature (no hwmon of a CPU)"},
                  {sensors.has_throttling, "throttling", "throttling (no thermal_throttle)"},
                  {sensors.has_memory_errors, "memory errors", "memory errors (no EDAC)"},
                  {log->has_activity, "steal time, other programs", "steal time, other programs (no /proc/stat)"}};
    for (size_t i = 0; i < sizeof THINGS / sizeof THINGS[0]; i++) {
        char *list = THINGS[i].read ? log->reads : log->absent;
        text_append(list, sizeof log->reads, "%s%s", *list ? ", " : "",
                    THINGS[i].read ? THINGS[i].name : THINGS[i].absent);
    }
}

/* Moves the session's findings into the log; the session keeps its machine, because it continues to measure. */
static bool begin_log(struct session *session, struct soak *log, struct error *err) {
    struct result *found = &session->result;
    keep_repeated(found);
    if (found->sample_count == 0)
        return error_set(err, "nothing could be measured");
    found->environment.planned_samples = 0;
    found->environment.interrupted = false;
    log->result.environment = found->environment;
    log->result.kind_count = found->kind_count;
    memcpy(log->result.levels, found->levels, sizeof found->levels);
    memcpy(log->result.uarch, found->uarch, sizeof found->uarch);
    log->result.samples = found->samples, log->result.sample_count = found->sample_count;
    found->samples = NULL, found->sample_count = 0;
    results_clean(&log->result);
    tell_what_is_read(log);
    return true;
}

static void begin_rounds(struct soak_bench *bench, const struct soak *log) {
    const double last_s = log->count ? log->rounds[log->count - 1].at_s : 0;
    bench->began_s = now_s();
    bench->base_s = fmax(last_s, difftime(time(NULL), (time_t)log->started_s)); /* the clock may have been set back */
    bench->round_s = fmin(ROUND_MOST_S, fmax(ROUND_LEAST_S, log->for_s / ROUNDS));
}

bool soak_bench_choose(struct soak_bench *bench, struct soak *log, double for_s, const struct session_options *how,
                       struct error *err) {
    struct session *session = &bench->session;
    char isa[ISA_BYTES];
    const struct plan_options options = what_is_planned(&session->result.machine, isa);
    struct plan plan = {0};
    *log = (struct soak){.for_s = for_s};
    /* A copy of the machine for the log, made before threads are pinned. */
    bool done = machine_load(&log->result.machine, NULL, err) &&
                plan_roofs(&plan, &session->result.machine, session->result.levels, &options, err) &&
                characterise(session, how, &options, &plan, err);
    plan_free(&plan);
    if (done)
        session_finish(session);
    if (done && is_stopped(session))
        done = error_set(err, "interrupted before the first round; nothing was written");
    done = done && begin_log(session, log, err) && plan_rounds(bench, &log->result, err);
    log->started_s = (uint64_t)time(NULL);
    begin_rounds(bench, log);
    return done;
}

bool soak_bench_resume(struct soak_bench *out, const struct soak *log, const char *command_line,
                       const struct session_options *how, struct error *err) {
    *out = (struct soak_bench){0};
    if (!session_open(&out->session, NULL, command_line, err))
        return false;
    struct result *here = &out->session.result;
    const struct machine *then = &log->result.machine;
    if (strcmp(then->cpu.brand, here->machine.cpu.brand) != 0 || then->core_count != here->machine.core_count ||
        log->result.kind_count != here->kind_count)
        return error_set(err, "it is from another machine (%s, %u cores); resume it there, or start a new log with -o",
                         then->cpu.brand, then->core_count);
    memcpy(here->levels, log->result.levels, sizeof here->levels);
    if (!plan_rounds(out, &log->result, err))
        return false;
    session_reserve(&out->session, &out->plan);
    if (!session_start(&out->session, how, err))
        return false;
    begin_rounds(out, log);
    return true;
}

/* Visits to one roof in this round. */
struct visits {
    size_t count;
    struct sample of[ESTIMATE_MAX_VISITS];
};

static bool visit(struct soak_bench *bench, const struct sample *repeated, const struct plan_step *step,
                  struct visits *visits, struct error *err) {
    const unsigned most = step->memory ? SEGMENTS_PER_VISIT : VISIT_REPETITIONS;
    const struct campaign_trial trial = {
        .step = step,
        .code.kernel = kernel_find_variant(repeated->kernel, repeated->variant),
        .bytes = step->size_bytes[0],
        .repetitions = step->repetitions < most ? step->repetitions : most,
        .repetition_s = step->repetition_s,
        .limit_s = VISIT_LIMIT_S,
    };
    struct sample *sample = &visits->of[visits->count];
    if (!bench_measure(&bench->session.bench, &trial, sample, err))
        return false;
    visits->count += sample->value > 0 && !doubts_has(sample->doubts, DOUBT_INTERRUPTED); /* an interrupted visit
                                                                                           * does not count */
    return true;
}

/* Measures each roof in turn, repeatedly, so that a passing disturbance affects all of them. */
static bool visit_all(struct soak_bench *bench, const struct soak *log, struct visits *visits, struct error *err) {
    const double began_s = now_s();
    for (unsigned pass = 0; pass < ESTIMATE_MAX_VISITS; pass++) {
        if (pass >= VISITS_LEAST && now_s() - began_s >= bench->round_s)
            return true;
        for (size_t i = 0; i < bench->plan.count; i++) {
            if (is_stopped(&bench->session))
                return error_set(err, "interrupted");
            if (!visit(bench, &log->result.samples[i], &bench->plan.steps[i], &visits[i], err))
                return false;
        }
        status_line_show("round %zu: %.0f of %.0f s · visit %u", log->count + 1, now_s() - bench->began_s, log->for_s,
                         pass + 1);
    }
    return true;
}

static void tell_time(const struct soak_bench *bench, struct soak_round *out, double began_s) {
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(out->utc, sizeof out->utc, "%Y-%m-%dT%H:%M:%SZ", &utc);
    out->seconds = round(1e3 * (now_s() - began_s)) / 1e3;
    out->at_s = round(1e3 * (bench->base_s + now_s() - bench->began_s)) / 1e3;
}

static void tell_system(struct soak_round *out, const struct activity *before) {
    const struct activity after = activity_now(PROC_STAT);
    const struct sensors sensors = sensors_read("");
    out->stolen_cpus = activity_stolen(before, &after);
    out->others_cpus = activity_of_others(before, &after);
    out->temperature_c = fmax(0, sensors.temperature_c);
    out->throttled = sensors.throttled;
    out->corrected = sensors.corrected;
    out->uncorrected = sensors.uncorrected;
}

bool soak_bench_round(struct soak_bench *bench, struct soak *log, struct error *err) {
    struct visits *visits = need_calloc(bench->plan.count + 1, sizeof *visits);
    const struct activity before = activity_now(PROC_STAT);
    const double began_s = now_s();
    const bool done = visit_all(bench, log, visits, err);
    struct soak_round *round = done ? soak_add(log) : NULL;
    for (size_t i = 0; i < bench->plan.count && done; i++) {
        struct sample number = {0};
        if (visits[i].count > 0)
            estimate_combine(&number, visits[i].of, visits[i].count, bench->plan.steps[i].paced,
                             (struct estimate_habit){0});
        round->values[i] = (struct soak_value){number.value, number.low, number.high, number.clock_hz, number.doubts};
    }
    if (done) {
        round->clock_hz = round->values[0].clock_hz;
        tell_system(round, &before);
        tell_time(bench, round, began_s);
    }
    free(visits);
    return done;
}

void soak_bench_close(struct soak_bench *bench) {
    plan_free(&bench->plan);
    session_close(&bench->session);
}
