/* SPDX-License-Identifier: BSD-3-Clause
 * Timed slices → what was measured of a core. Pure. */
#pragma once

#include "core_plan.h"

#include "asm/incore/core_measured.h"

enum { CORE_SLICES_LEAST = 20, CORE_SLICES_ALONE = 8, CORE_SLICES_MOST = 96 };

struct core_slices { /* of one item */
    unsigned count;
    double cycles[CORE_SLICES_MOST]; /* of a unit, by the mean of the clocks before and behind it */
    double clock_hz[CORE_SLICES_MOST];
    bool steady[CORE_SLICES_MOST];            /* these agreed within CLOCK_UNCERTAIN */
    double noops_per_cycle[CORE_SLICES_MOST]; /* that the core renamed, the least of before and behind */
    double alone_noops_per_cycle; /* when no other program used it; 0: unknown, and all slices count as alone */
};

/* Whether more slices would help: too few are steady, fewer than CORE_SLICES_ALONE are alone too, or they differ too
 * much. */
bool core_slices_disturbed(const struct core_slices *slices);

/* Of a unit; 0: no slices. */
double core_slices_cycles(const struct core_slices *slices);

/* One value for each form, in the plan's order. The caller ends with core_measured_free(). */
void core_reduce(const struct core_plan *plan, const struct core_slices *slices, struct core_measured *out);

/* Which instructions share pipes: forms of two classes (asm/incore/pipes.h) side by side, as often as both keep
 * their pipes busy for about as long. With pipes of their own they take as long as the longer ones alone, with all
 * pipes in common as long as both one after the other. Pure. */

/* A unit for each pair: `count` instructions of `form`, the rest of `less[0]`, taken from the plan's independent ones.
 * Their measured throughputs decide how many. A pair is left out if chains through its registers would take longer.
 * Ends with core_plan_free(). */
void core_pairs_plan(const struct core_plan *plan, const struct core_measured *measured, struct core_plan *out);

/* Adds to `measured` the pairs whose common share is known: undisturbed, and not hidden by renaming. */
void core_pairs_reduce(const struct core_plan *pairs, const struct core_slices *slices, struct core_measured *measured);
