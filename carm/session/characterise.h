/* SPDX-License-Identifier: BSD-3-Clause
 * A machine characterised within a time: sweeps find where its levels end, then come its roofs. */
#ifndef CARM_CHARACTERISE_H
#define CARM_CHARACTERISE_H

#include "measure.h"

#include "bench/kernels/plan.h"

/* The time that the whole takes at most, in s: what the options say, or the default of a whole or a quick run. */
double characterise_budget_s(const struct plan_options *options);

/* Measures what the session's result lacks of the plan's roofs. Sweeps find where the levels end; the plan's working
 * sets follow. Error: nothing can be measured. */
bool characterise(struct session *session, const struct session_options *how, const struct plan_options *options,
                  struct plan *plan, struct error *err);

#endif
