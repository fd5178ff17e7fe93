/* SPDX-License-Identifier: BSD-3-Clause
 * Characterises a machine within a time limit: sweeps find the ends of its levels, then its roofs are measured. */
#pragma once

#include "measure.h"

#include "bench/core/core_plan.h"
#include "bench/kernels/plan.h"
#include "bench/memory/memory_plan.h"

/* The time limit in s: from the options, else the default of a normal or quick run. */
double characterise_budget_s(const struct plan_options *options);

/* Whether the best-known instructions of the core belong to it: the options choose no roofs, and the result has none.
 */
bool characterise_has_core(const struct result *result, const struct plan_options *options);

/* The most of the time limit that they take, in s. */
double characterise_core_s(const struct plan_options *options);

/* Their time after so much of it, in s; 0: too little is left. */
double characterise_core_left_s(const struct plan_options *options, double elapsed_s);

/* The time limit of each sweep in s, for a machine with so many kinds of cores. */
double characterise_sweep_s(const struct plan_options *options, bool has_core, unsigned kinds);

/* Sets what the result's sweeps show of the steps (`swept`). */
void characterise_expect(struct plan *plan, const struct result *result);

/* Measures the plan's roofs that the session's result lacks. Sweeps find the ends of the levels first, and the plan's
 * working sets follow them. The core comes last, if there is time. Error: nothing can be measured. */
bool characterise(struct session *session, const struct session_options *how, const struct plan_options *options,
                  struct plan *plan, struct error *err);

/* Measures the core's instructions within a session. */

/* What this machine's first core executes; or of these only the forms that stand for classes
 * (bench/core/core_classes.h). Ends with core_plan_free(). */
bool core_session_plan(struct core_plan *out, const struct machine *machine, bool classes_only, struct error *err);

/* The part of the time for the instructions themselves, in s; pairs of them have the rest. */
double core_session_forms_s(bool classes_only, double budget_s);

/* Measures a plan within `budget_s` on the first core, in a session that has started, and which pipes instructions
 * share unless the plan holds classes only. The values replace those of the session's result. Stopped, it keeps what
 * was measured. Error: no CPU, no executable memory, or nothing was measured. */
bool core_session_run(struct session *session, const struct core_plan *plan, bool classes_only, double budget_s,
                      const atomic_int *stop, struct error *err);

/* Measures a memory plan within a session. */

/* The time limit of the sweep that finds the levels, in s. */
double memory_session_sweep_s(double budget_s);

/* Measures until all is known or the budget is spent; everything known so far is in the session's result before each
 * visit, where its checkpoint may save it. A session without judged levels is swept first, and the plan made again for
 * the levels found. Error: as memory_measure(); what was measured is kept. */
bool memory_session_run(struct session *session, struct memory_plan *plan, const bool parts[MEMORY_PARTS],
                        const struct session_options *options, double budget_s, struct error *err);
