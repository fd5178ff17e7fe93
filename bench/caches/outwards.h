/* SPDX-License-Identifier: BSD-3-Clause
 * Lines on their way between the levels of struct hierarchy_thread. Private to this room. */
#ifndef BENCH_CACHES_OUTWARDS_H
#define BENCH_CACHES_OUTWARDS_H

#include "hierarchy.h"

/* The line's counts for an owner. Lines are by their sampled numbers here. */
static inline struct hierarchy_counts *outwards_counts(const struct hierarchy_thread *thread, uint64_t line,
                                                       uint32_t owner) {
    return &thread->counts[(size_t)sampling_group(&thread->sampling, line) * thread->owner_count + owner];
}

/* Brings a line that the first level lacks (`place` there) into it, and into what is between; gives its entry. */
uint64_t outwards_fetch(struct hierarchy_thread *thread, uint64_t line, const struct lru_place *place, uint32_t owner,
                        bool store);

/* Removes a line from all levels, and writes it to memory if it was changed. */
void outwards_expel(struct hierarchy_thread *thread, uint64_t line, uint64_t hash);

/* These bytes of a line were used: told to the innermost level that holds it. */
void outwards_use(struct hierarchy_thread *thread, uint64_t line, uint64_t hash, uint64_t used);

/* Writes all changed lines of a level to memory, from the innermost on: each passes all links from there, and copies
 * further outside are unchanged then, too. */
void outwards_write_back(struct hierarchy_thread *thread, unsigned level);

/* Counts all lines that the levels hold as gone. */
void outwards_end(struct hierarchy_thread *thread);

#endif
