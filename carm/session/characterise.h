/* SPDX-License-Identifier: BSD-3-Clause
 * Characterises a machine within a time limit: sweeps find the ends of its levels, then its roofs are measured. */
#pragma once

#include "measure.h"

#include "bench/kernels/plan.h"

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
