/* SPDX-License-Identifier: BSD-3-Clause
 * What simulated caches counted while a program was counted (bench/count/caches), for its parts. */
#ifndef BENCH_PROFILE_PROFILE_TRAFFIC_H
#define BENCH_PROFILE_PROFILE_TRAFFIC_H

#include "profile_dump.h"

#include "bench/caches/counts.h"
#include "bench/caches/footprint.h"
#include "bench/caches/sampling.h"

/* Which lines and pages the parts of a counted program touched, each once: what a dump tells of the groups of accesses
 * (dump.h), put together for functions, loops and source lines. */

/* Of parts by their numbers, in one process; zero to begin with. */
struct touched_sets {
    struct footprint of_kind[DUMP_TOUCH_KINDS];
};

/* A part beyond FOOTPRINT_OWNERS is left out: its footprint is not known. */
void touched_add(struct touched_sets *sets, size_t part, const struct dump_touch *touch);

/* Adds what each part touched to where `of_part` says that its own is kept, and frees the sets. */
void touched_end(struct touched_sets *sets, void *parts, struct touched *(*of_part)(void *parts, size_t part));

/* All touches, sorted by counter, then by instruction. To be freed. */
struct dump_touch *touched_list(const struct dump *dump);

/* By group of the sampling; bench/programs/app_point.h says what all lines would have counted. Loads and stores of
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
