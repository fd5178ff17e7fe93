/* SPDX-License-Identifier: BSD-3-Clause
 * Measures the core's instructions within a session. */
#pragma once

#include "bench/core/core_plan.h"
#include "measure.h"

/* What this machine's first core executes; or of these only the forms that stand for classes
 * (bench/core/core_classes.h). Ends with core_plan_free(). */
bool core_session_plan(struct core_plan *out, const struct machine *machine, bool classes_only, struct error *err);

/* The part of the time for the instructions themselves, in s; pairs of them have the rest. */
double core_session_forms_s(bool classes_only, double budget_s);

/* Measures a plan within `budget_s` on the first core, in a session that has started, and which pipes instructions
 * share unless the plan holds classes only. The values replace those of the session's result. Stopped, it keeps what
 * was measured. Error: no CPU, no executable memory, or nothing was measured. */
bool core_session_run(struct session *session, const struct core_plan *plan, bool classes_only, double budget_s,
                      const volatile sig_atomic_t *stop, struct error *err);
