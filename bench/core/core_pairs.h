/* SPDX-License-Identifier: BSD-3-Clause
 * Which instructions share pipes: forms of two classes (asm/incore/pipe_classes.h) side by side, as often as both keep
 * their pipes busy for about as long. With pipes of their own they take as long as the longer ones alone, with all
 * pipes in common as long as both one after the other. Pure. */
#pragma once

#include "core_reduce.h"

/* A unit for each pair: `count` instructions of `form`, the rest of `less[0]`, taken from the plan's independent ones.
 * Their measured throughputs decide how many. A pair is left out if chains through its registers would take longer.
 * Ends with core_plan_free(). */
void core_pairs_plan(const struct core_plan *plan, const struct core_measured *measured, struct core_plan *out);

/* Adds to `measured` the pairs whose common share is known: undisturbed, and not hidden by renaming. */
void core_pairs_reduce(const struct core_plan *pairs, const struct core_slices *slices, struct core_measured *measured);
