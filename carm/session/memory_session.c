/* SPDX-License-Identifier: BSD-3-Clause
 * A session that measures a memory plan. */
#include "characterise.h"
#include "session_thresholds.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench/memory/memory_run.h"
#include "carm/text/notice.h"
#include "probe/now.h"

static const double SHOW_EVERY_S = 0.2;

struct memory_run {
    struct session *session;
    struct memory_here *here;
    double shown_s, kept_s;
};

static bool visit(void *context, const struct memory_plan *plan, const struct memory_item *item,
                  struct memory_reading readings[MEMORY_AT_ONCE], unsigned *count, struct error *err) {
    return memory_here_visit(((struct memory_run *)context)->here, plan, item, readings, count, err);
}

static double tell_now_s(void *context) {
    (void)context;
    return now_s();
}

/* "loaded: avx512.update in DRAM" */
static void tell_item(const struct memory_plan *plan, const struct memory_item *item, char *out, size_t size) {
    const char *part = memory_part_names[item->part];
    if (item->part == MEMORY_CORES) {
        const struct handover *pair = &plan->pairs[item->subject];
        snprintf(out, size, "%s: CPUs %u and %u", part, pair->first, pair->second);
        return;
    }
    const struct memory_series *series = &plan->subjects[item->subject].series;
    snprintf(out, size, "%s: %s, %s", part, series->kernel, series->level);
}

static void progress(void *context, const struct memory_plan *plan, size_t item, unsigned round) {
    struct memory_run *run = context;
    const double elapsed_s = session_elapsed_s(run->session);
    if (elapsed_s > run->kept_s + checkpoint_wait_s(0)) {
        run->kept_s = elapsed_s;
        memory_plan_keep(plan, &run->session->result.memory);
        checkpoint_if_due(&run->session->checkpoint);
    }
    if (!status_line_is_seen() || elapsed_s < run->shown_s + SHOW_EVERY_S)
        return;
    run->shown_s = elapsed_s;
    const struct memory_progress state = memory_plan_progress(plan);
    char what[96];
    tell_item(plan, &plan->items[item], what, sizeof what);
    if (state.visited < state.wanted)
        status_line_show("%.0f s · first round: %zu of %zu · %s", elapsed_s, state.visited, state.wanted, what);
    else
        status_line_show("%.0f s · round %u: %zu of %zu known · %s", elapsed_s, round + 1, state.settled, state.wanted,
                         what);
}

double memory_session_sweep_s(double budget_s) {
    return session_thresholds.memory_sweep.value * budget_s;
}

/* Finds the levels' ends, unless they are known or belong to no part. */
static bool find_levels(struct session *session, struct plan *sweep, struct error *err) {
    const struct machine *machine = &session->result.machine;
    const struct plan_options none = {.quick = true};
    const struct plan_curve curve = {.kernel = plan_widest_load(machine, &none), .per_octave = 1, .threads = 1};
    return levels_are_judged(&session->result.levels[0]) ||
           plan_sweep(sweep, machine, session->result.levels, &none, &curve, err);
}

/* Adopts what the result holds for the same pages. */
static void begin_plan(struct memory_plan *plan, const struct result *result, const struct session_options *options) {
    for (size_t i = 0; i < plan->subject_count && !options->huge_pages; i++)
        if (plan->subjects[i].series.part != MEMORY_PAGES) /* has all page sizes anyway */
            plan->subjects[i].series.page_bytes = machine_page_bytes(&result->machine);
    memory_plan_resume(plan, &result->memory);
}

bool memory_session_run(struct session *session, struct memory_plan *plan, const bool parts[MEMORY_PARTS],
                        const struct session_options *options, double budget_s, struct error *err) {
    struct result *result = &session->result;
    const struct machine *machine = &result->machine;
    struct plan sweep = {0};
    bool done = true;
    if (parts[MEMORY_LOADED] || parts[MEMORY_PARALLEL] || parts[MEMORY_WRITES])
        done = find_levels(session, &sweep, err);
    session_reserve(session, &sweep);
    const uint64_t node_bytes = memory_here_node_bytes(plan, machine);
    session->node_bytes = node_bytes > session->node_bytes ? node_bytes : session->node_bytes;
    done = done && session_start(session, options, err);
    const size_t curves = result->curve_count;
    if (done && sweep.count > 0) {
        done = session_sweep(
            session, &sweep,
            &(struct campaign_options){.budget_s = memory_session_sweep_s(budget_s), .first_only = true}, err);
        memory_plan_free(plan);
        done = done && memory_plan_make(plan, machine, result->levels, parts, err);
    }
    begin_plan(plan, result, options);
    while (result->curve_count > curves) /* too coarse to be kept */
        free(result->curves[--result->curve_count].points);
    plan_free(&sweep);
    struct memory_run run = {.session = session};
    if (!done || !(run.here = memory_here_open(&session->bench, plan, err)))
        return false;
    const struct memory_bench bench = {
        .context = &run, .visit = visit, .now_s = tell_now_s, .progress = progress, .stop = options->stop};
    done = memory_measure(plan, &bench, budget_s - session_elapsed_s(session), err);
    if (memory_here_missing_pages(run.here)[0])
        memory_plan_omit(plan, "%s", memory_here_missing_pages(run.here));
    memory_plan_keep(plan, &result->memory);
    memory_here_close(run.here);
    status_line_clear();
    return done;
}
