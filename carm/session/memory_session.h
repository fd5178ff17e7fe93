/* SPDX-License-Identifier: BSD-3-Clause
 * Measures a memory plan within a session. */
#pragma once

#include "bench/memory/memory_plan.h"
#include "measure.h"

/* The time limit of the sweep that finds the levels, in s. */
double memory_session_sweep_s(double budget_s);

/* Measures until all is known or the budget is spent; everything known so far is in the session's result before each
 * visit, where its checkpoint may save it. A session without judged levels is swept first, and the plan made again for
 * the levels found. Error: as memory_measure(); what was measured is kept. */
bool memory_session_run(struct session *session, struct memory_plan *plan, const bool parts[MEMORY_PARTS],
                        const struct session_options *options, double budget_s, struct error *err);
