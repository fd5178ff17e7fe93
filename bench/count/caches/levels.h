/* SPDX-License-Identifier: BSD-3-Clause
 * Caches that are simulated while the program is counted: the records of the blocks' accesses
 * (bench/count/code/record.h) become accesses to simulated caches (bench/caches).
 *
 * A thread has a core: a buffer for records, and private caches and TLBs. A core counts into one set for each
 * combination of regions that covers its thread. A region's counts are the sum over all sets that include it. */
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "bench/caches/footprint.h"
#include "bench/caches/hierarchy.h"
#include "bench/count/code/context.h"
#include "bench/profile/dump.h"

/* What was touched, by group of the plans; lines by sampled number. */
struct levels_touched {
    struct footprint of_groups;
    uint32_t owner_mask; /* 0: groups are not told apart, by request, or because the table grew too large */
};

enum { LEVELS_RECENT_PAGES = 1024 };

struct levels_set {
    struct levels_set *next; /* of the same thread */
    uint64_t regions[CONTEXT_REGIONS / 64];
    struct hierarchy_counts *counts; /* [group of the sampling][group of the plans] */
    struct levels_touched lines, pages;
    uint64_t recent_pages[LEVELS_RECENT_PAGES]; /* pages with their groups that `pages` has, by the page's last bits */
};

/* Reads FOLDER/levels if it exists; from then on blocks are recorded. Call before any block is copied. */
void levels_prepare(const char *folder);

/* The request; NULL: nothing is simulated, and the functions below must not be called, except where noted. */
const struct dump_levels_request *levels_request(void);
unsigned levels_group_count(void); /* of the sampling */

/* A thread begins: gets a core. Called in the thread, under the lock. Within MPI it has separate counts and the same
 * core. */
void levels_begin(struct context *context);

/* A thread that has a core is gone: simulates its remaining records and frees the core for the next thread. Under the
 * lock. */
void levels_end(struct context *context);

/* A thread continues with another context. */
void levels_move(struct context *from, struct context *to);

/* Simulates a thread's records so far; the thread may continue meanwhile. */
void levels_flush(struct context *context);

/* The same when the set of regions that covers the thread has changed: from now on it counts for the new set. Under the
 * lock. If nothing is simulated, this and the next two do nothing. */
void levels_change_regions(struct context *context);

/* Adds the counts of one thread to those of another; both have ended. */
void levels_fold(struct context *from, struct context *into);

/* In the child of a fork: drops all caches and counts. Call levels_begin() for the remaining thread next. */
void levels_forget(struct context *contexts);

/* Whether a fault means that the thread's buffer is full: simulates its records, and the store can be repeated. */
bool levels_is_full(struct context *context, const siginfo_t *info, greg_t *registers);

/* At the end: simulates the remaining records of all threads and ends their caches (hierarchy_end()). */
void levels_finish(void);

/* Sampling, over all threads: accesses to a line other than the last one of the class. */
void levels_changes(uint64_t changes[SAMPLING_CLASSES]);
