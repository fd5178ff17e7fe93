/* SPDX-License-Identifier: BSD-3-Clause
 * What a run would measure, as text. */
#ifndef CARM_REPORT_PLAN_REPORT_H
#define CARM_REPORT_PLAN_REPORT_H

#include <stdio.h>

#include "bench/kernels/plan.h"
#include "carm/store/results.h"

/* Prints a row for each step of the plan for this machine and its levels, how many there are and what they take;
 * `budget_s` is that of the whole run. */
void plan_report_print(const struct plan *plan, const struct result *result, double budget_s, FILE *out);

#endif
