/* SPDX-License-Identifier: BSD-3-Clause
 * A session that measures the core's instructions. */
#include "characterise.h"
#include "session_thresholds.h"

#include <stdlib.h>

#include "bench/core/core_classes.h"
#include "bench/core/core_reduce.h"
#include "bench/core/core_run.h"
#include "bench/kernels/team.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/now.h"
#include "probe/stop.h"

bool core_session_plan(struct core_plan *out, const struct machine *machine, bool classes_only, struct error *err) {
    const bool done = core_plan_make(out, err);
    core_plan_keep(out, machine->cpu.features);
    if (classes_only)
        core_classes_keep(out);
    return done;
}

double core_session_forms_s(bool classes_only, double budget_s) {
    return budget_s * (classes_only ? 1 : 1 - session_thresholds.pairs.value);
}

/* Which instructions share pipes. */
static bool measure_pairs(const struct core_plan *plan, const struct core_bench *bench, struct core_measured *measured,
                          struct error *err) {
    struct core_plan pairs;
    core_pairs_plan(plan, measured, &pairs);
    struct core_slices *slices = need_calloc(pairs.count + 1, sizeof *slices);
    const bool done = core_run(&pairs, bench, slices, err);
    if (done)
        core_pairs_reduce(&pairs, slices, measured);
    free(slices);
    core_plan_free(&pairs);
    return done;
}

static bool measure(struct session *session, const struct core_plan *plan, bool classes_only, struct core_bench bench,
                    struct error *err) {
    struct core_measured *measured = &session->result.core;
    struct core_slices *slices = need_calloc(plan->count + 1, sizeof *slices);
    const double ends_s = now_s() + bench.budget_s;
    bench.budget_s = core_session_forms_s(classes_only, bench.budget_s);
    bool done = core_run(plan, &bench, slices, err);
    if (done) {
        core_measured_free(measured);
        core_reduce(plan, slices, measured);
    }
    free(slices);
    bench.budget_s = ends_s - now_s();
    if (done && !classes_only && !stop_requested(bench.stop))
        done = measure_pairs(plan, &bench, measured, err);
    return done && (measured->count > 0 || error_set(err, "interrupted before anything was measured"));
}

bool core_session_run(struct session *session, const struct core_plan *plan, bool classes_only, double budget_s,
                      const atomic_int *stop, struct error *err) {
    const unsigned cpu = session->result.machine.cores[0].pus[0];
    struct team_cpus *cpus = team_cpus_save();
    const struct core_bench bench = {.clock = &session->bench.clock, .budget_s = budget_s, .stop = stop};
    const bool done = team_pin(cpu)
                          ? measure(session, plan, classes_only, bench, err)
                          : error_set(err, "the system does not let this run on CPU %u any more; run it again", cpu);
    team_cpus_restore(cpus);
    team_cpus_free(cpus);
    return done;
}
