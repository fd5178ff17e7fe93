/* SPDX-License-Identifier: BSD-3-Clause
 * What simulated caches counted while a program was counted (bench/count/caches), for its parts. */
#ifndef BENCH_PROFILE_PROFILE_TRAFFIC_H
#define BENCH_PROFILE_PROFILE_TRAFFIC_H

#include "profile_dump.h"

#include "bench/caches/counts.h"
#include "bench/caches/sampling.h"

/* By group of the sampling; bench/programs/levels_estimate.h says what all lines would have counted. Loads and stores of
 * the core are not in it: these are counted exactly. */
struct profile_traffic {
    struct hierarchy_counts of_group[SAMPLING_GROUPS_MAX];
};

/* Adds; what is NULL is nothing, and `*to` is allocated when something comes to it. */
void profile_traffic_add(struct profile_traffic **to, const struct profile_traffic *more);

/* A value of a dump, of which block's counter and which instruction of that it is said. */
void profile_traffic_add_value(struct profile_traffic **to, const struct dump_traffic_value *value);

/* All values of a region outside of MPI's calls, sorted by counter, then by instruction. To be freed. */
struct dump_traffic_value *profile_traffic_list(const struct dump *dump, uint32_t region, size_t *count);

#endif
