/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines and pages the parts of a counted program touched, each once: what a dump tells of the groups of accesses
 * (dump.h), put together for functions, loops and source lines. */
#ifndef BENCH_PROFILE_TOUCHED_H
#define BENCH_PROFILE_TOUCHED_H

#include "profile_dump.h"

#include "bench/caches/footprint.h"

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

#endif
