/* SPDX-License-Identifier: BSD-3-Clause
 * Times a plan's items on the calling thread's CPU, in slices of microseconds with the clock beside each. */
#pragma once

#include <stdatomic.h>

#include "core_reduce.h"
#include "probe/clock.h"

struct core_bench {
    const struct clock *clock;
    double budget_s;        /* disturbed items are measured again within it */
    const atomic_int *stop; /* ends the measuring after the current item; NULL: never */
};

/* Adds to `slices`, one for each of the plan's items. Error: no executable memory, with the remedy. */
bool core_run(const struct core_plan *plan, const struct core_bench *bench, struct core_slices *slices,
              struct error *err);
