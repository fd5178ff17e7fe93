/* SPDX-License-Identifier: BSD-3-Clause
 * A native run, with times and without counts, and a counted run, with counts and slower, as one course of events.
 *
 * Both runs execute the same instructions, and both are sampled by CPU time. Their ruler is the code: all CPU time that
 * the native run spends at a place is spread over the counted run's samples there, which gives each slice its native
 * time. Where both runs clearly go from one place to another, these moments are the same one. So what a thread
 * executes, its sum and its order, is exact; when it executes a slice is an estimate. Pure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "regions.h"

#include "bench/profile/profile.h"

struct joined;

/* `tick_places`: profile_place() of each tick; 0: none. Both lists in the order of their structs' comments. NULL: one
 * of the runs has no samples. */
struct joined *join(const struct sampled_tick *ticks, const uint64_t *tick_places, size_t tick_count,
                    const struct profile_slice *slices, size_t slice_count);
void joined_free(struct joined *joined);

double joined_seconds(const struct joined *joined);  /* from the first tick to the last */
double joined_border_s(const struct joined *joined); /* estimated error of a moment: of a sample, and the ruler's */

/* Everything from the begin to a moment, of all threads. */
struct joined_sum {
    double cpu_s, ready_s;
    struct count count; /* at the end the whole count */
};
void joined_until(const struct joined *joined, double seconds, struct joined_sum *out);
