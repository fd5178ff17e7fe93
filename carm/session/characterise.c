/* SPDX-License-Identifier: BSD-3-Clause
 * Sweeps first, then roofs, then the core. */
#include "characterise.h"

#include <math.h>
#include <string.h>

#include "carm/text/next_step.h"
#include "carm/text/notice.h"
#include "probe/error.h"
#include "probe/stop.h"
#include "session_thresholds.h"

enum { SWEEPS = 2, MAX_SWEEPS = SWEEPS * MACHINE_MAX_KINDS };

static const struct curve *find_curve(const struct result *result, const struct plan_step *step) {
    const char *kind = step->core_kind == TEAM_ANY_KIND ? "" : result->machine.kinds[step->core_kind].name;
    for (size_t i = 0; i < result->curve_count; i++)
        if (strcmp(result->curves[i].kernel, step->kernel) == 0 && strcmp(result->curves[i].core_kind, kind) == 0 &&
            result->curves[i].threads == step->threads && !result->curves[i].small_pages)
            return &result->curves[i];
    return NULL;
}

/* Plans stage 1 for each core kind: bandwidth, and latency for levels whose step bandwidth does not show. Nothing if no
 * roof needs memory, or if the levels are known already from roofs and curves. */
static bool plan_stage_one(struct plan *sweeps, const struct result *result, const struct plan *roofs,
                           const struct plan_options *options, struct error *err) {
    const char *kernels[SWEEPS] = {plan_widest_load(&result->machine, options), options->quick ? NULL : "chase"};
    bool memory = false;
    for (size_t i = 0; i < roofs->count; i++)
        memory |= roofs->steps[i].size_count > 0 && !roofs->steps[i].paced; /* L1 and L2 belong to the core */
    const bool hybrid = result->machine.kind_count > 1;
    memory &= result->curve_count == 0 || result->sample_count == 0;
    for (unsigned i = 0; i < SWEEPS * result->machine.kind_count && memory; i++) {
        struct plan_options of_kind = *options;
        of_kind.only_kind = hybrid ? i / SWEEPS + 1 : 0;
        const struct plan_curve curve = {
            .kernel = kernels[i % SWEEPS], .per_octave = options->quick || i % SWEEPS ? 1 : 2, .threads = 1};
        if (curve.kernel && !plan_sweep(&sweeps[i], &result->machine, result->levels, &of_kind, &curve, err))
            return false;
    }
    return true;
}

/* The second highest value of the curve from the step's middle size on: two sizes support it. At smaller sizes an inner
 * level may add to it. */
static double swept_value(const struct curve *curve, const struct plan_step *step) {
    double highest = 0, second = 0;
    for (size_t i = 0; i < curve->count; i++) {
        const struct curve_point *point = &curve->points[i];
        const uint64_t bytes = point->working_set_bytes;
        if (bytes < step->size_bytes[step->middle_size] ||
            (!step->memory && bytes > step->size_bytes[step->size_count - 1]))
            continue;
        const double value = step->paced ? point->per_cycle : point->value;
        second = fmax(second, fmin(value, highest));
        highest = fmax(highest, value);
    }
    return second;
}

void characterise_expect(struct plan *plan, const struct result *result) {
    for (size_t i = 0; i < plan->count; i++) {
        struct plan_step *step = &plan->steps[i];
        const bool is_swept = step->size_count > 0 && step->kind == SAMPLE_BANDWIDTH && !step->small_pages &&
                              step->place.memory_node == 0 && step->place.memory_like == 0;
        const struct curve *curve = is_swept ? find_curve(result, step) : NULL;
        step->swept = curve ? swept_value(curve, step) : 0;
    }
}

double characterise_budget_s(const struct plan_options *options) {
    return options->budget_s > 0 ? options->budget_s
           : options->quick      ? session_thresholds.quick_budget_s.value
                                 : session_thresholds.budget_s.value;
}

static bool stopped(const struct session_options *how) {
    return stop_requested(how->stop);
}

bool characterise_has_core(const struct result *result, const struct plan_options *options) {
    struct error ignored;
    return result->core.count == 0 && core_plan_assembles(&ignored) && !options->isas[0] && !options->types[0] &&
           !options->levels[0] && !options->mixes[0] && !options->glance;
}

double characterise_core_s(const struct plan_options *options) {
    return fmin(session_thresholds.core_s.value, session_thresholds.core_share.value * characterise_budget_s(options));
}

double characterise_core_left_s(const struct plan_options *options, double elapsed_s) {
    const double left_s = fmin(characterise_core_s(options), characterise_budget_s(options) - elapsed_s);
    return left_s < session_thresholds.core_least_s.value ? 0 : left_s;
}

double characterise_sweep_s(const struct plan_options *options, bool has_core, unsigned kinds) {
    const double budget_s = characterise_budget_s(options) - (has_core ? characterise_core_s(options) : 0);
    return session_thresholds.sweeps.value * budget_s / (SWEEPS * kinds);
}

/* The roofs are worth storing whatever becomes of the core. */
static void measure_core(struct session *session, const struct session_options *how,
                         const struct plan_options *options) {
    const double left_s = characterise_core_left_s(options, session_elapsed_s(session));
    struct core_plan plan;
    struct error err;
    if (left_s <= 0) {
        notice_print("no time was left for the instructions of the core; `%s FILE` measures it",
                     next_steps[NEXT_CORE].command);
        return;
    }
    if (status_line_is_seen())
        status_line_show("%.0f s · instructions of the core", session_elapsed_s(session));
    const bool done = core_session_plan(&plan, &session->result.machine, true, &err) &&
                      core_session_run(session, &plan, true, left_s, how->stop, &err);
    core_plan_free(&plan);
    status_line_clear();
    if (done && !stopped(how) && core_measured_believed(&session->result.core))
        return;
    core_measured_free(&session->result.core);
    if (!stopped(how))
        notice_print("the instructions of the core are not measured: %s; `%s FILE` measures it",
                     done ? "other programs disturbed them" : err.text, next_steps[NEXT_CORE].command);
}

bool characterise(struct session *session, const struct session_options *how, const struct plan_options *options,
                  struct plan *plan, struct error *err) {
    struct result *result = &session->result;
    const bool has_core = characterise_has_core(result, options);
    const double budget_s = characterise_budget_s(options) - (has_core ? characterise_core_s(options) : 0);
    struct plan sweeps[MAX_SWEEPS] = {{0}};
    bool done = plan_stage_one(sweeps, result, plan, options, err);
    session_reserve(session, plan);
    for (size_t i = 0; i < MAX_SWEEPS; i++)
        session_reserve(session, &sweeps[i]);
    done = done && session_start(session, how, err);
    const double sweep_s = characterise_sweep_s(options, has_core, result->machine.kind_count);
    for (size_t i = 0; i < MAX_SWEEPS && done && !stopped(how); i++)
        if (sweeps[i].count > 0 && !find_curve(result, &sweeps[i].steps[0]))
            done = session_sweep(session, &sweeps[i],
                                 &(struct campaign_options){.budget_s = sweep_s, .first_only = true}, err);
    if (done && !stopped(how)) {
        plan_size(plan, &result->machine, result->levels, options->quick);
        characterise_expect(plan, result);
        const struct campaign_options campaign = {.budget_s = budget_s - session_elapsed_s(session),
                                                  .first_only = options->glance,
                                                  .no_shapes = options->glance,
                                                  .trusts_wisdom = options->quick};
        done = session_run(session, plan, &campaign, err);
    }
    if (done && has_core && !stopped(how))
        measure_core(session, how, options);
    for (size_t i = 0; i < MAX_SWEEPS; i++)
        plan_free(&sweeps[i]);
    return done;
}
