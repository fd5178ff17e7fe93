/* SPDX-License-Identifier: BSD-3-Clause
 * The counts of caches that were simulated while a program was counted (bench/count/caches), by part of the program. */
#pragma once

#include "profile.h"
#include "profile_dump.h"

#include "bench/caches/footprint.h"
#include "bench/caches/sampling.h"

/* The cache lines and pages that each part of a program touched, each counted once: a dump's touches (dump.h), combined
 * by function, loop and source line. */

/* By number of the part, in one process; zero before first use. */
struct touched_sets {
    struct footprint of_kind[DUMP_TOUCH_KINDS];
};

/* A part beyond FOOTPRINT_OWNERS is ignored: its footprint is unknown. */
void touched_add(struct touched_sets *sets, size_t part, const struct dump_touch *touch);

/* Adds each part's footprint to the place that `of_part` returns, and frees the sets. */
void touched_end(struct touched_sets *sets, void *parts, struct touched *(*of_part)(void *parts, size_t part));

/* All touches, sorted by counter, then by instruction. To be freed. */
struct dump_touch *touched_list(const struct dump *dump);

/* Adds; `more` may be NULL. `*to` is allocated when first needed. */
void profile_traffic_add(struct profile_traffic **to, const struct profile_traffic *more);

/* Adds a value of a dump; its counter and its instruction are ignored. */
void profile_traffic_add_value(struct profile_traffic **to, const struct dump_traffic_value *value);

/* All values of a region outside of MPI's calls, sorted by counter, then by instruction. To be freed. */
struct dump_traffic_value *profile_traffic_list(const struct dump *dump, uint32_t region, size_t *count);

/* An extrapolated count for all cache lines. */

struct levels_estimate {
    double value, low, high; /* 95 % interval; equal if nothing was sampled */
    bool crowded;            /* most of the interval's width is due to classes with more accesses than others */
};

/* `of_group` is one count, by group of the sampling. The interval is Student's, with the groups' totals as a sample
 * without replacement (Cochran, "Sampling Techniques", 1977, chapter 2). It is at least as wide as one cache line more
 * or less per group makes it.
 *
 * `changes` is the sum of sampling.changes over the threads, or NULL. An access fetches at most one cache line over a
 * link, and each fetched line may evict others (`lines_each` in all). So unsampled classes with more accesses than any
 * sampled one may add that excess, and sampled classes above their share may count too much. For counts of a single
 * owner it is NULL. */
struct levels_estimate levels_estimate(const struct sampling *sampling, const uint64_t *of_group,
                                       const uint64_t *changes, double lines_each);
