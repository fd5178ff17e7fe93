/* SPDX-License-Identifier: BSD-3-Clause
 * Caches that are simulated while the program is counted: records of what blocks accessed (bench/count/code/record.h)
 * become accesses to simulated caches (bench/caches).
 *
 * A thread has a core: a buffer for records, and the caches and TLBs that are its own. What they count is kept by the
 * set of regions that cover the thread meanwhile; a region's counts are the sum over all sets that it is in. */
#ifndef BENCH_COUNT_LEVELS_H
#define BENCH_COUNT_LEVELS_H

#include <signal.h>
#include <stdbool.h>

#include "bench/caches/footprint.h"
#include "bench/caches/hierarchy.h"
#include "bench/count/code/context.h"
#include "bench/profile/dump.h"

/* What was touched, by group of the plans; lines by their sampled numbers. */
struct levels_touched {
    struct footprint of_groups;
    uint32_t owner_mask; /* 0: all is as if it were of one group, as was asked for, or since it was too much */
};

struct levels_set {
    struct levels_set *next; /* of the same thread */
    uint64_t regions[CONTEXT_REGIONS / 64];
    struct hierarchy_counts *counts; /* [group of the sampling][group of the plans] */
    struct levels_touched lines, pages;
};

/* Reads FOLDER/levels, if it is there; from then on blocks are recorded. To be called before any is copied. */
void levels_prepare(const char *folder);

/* What was asked for; NULL: nothing is simulated, and none of the following is to be called but for those that say so.
 */
const struct dump_levels_request *levels_request(void);
unsigned levels_group_count(void); /* of the sampling */

/* A thread begins, in it and under the lock: gets a core. Its counts within MPI are apart, and its core is the same. */
void levels_begin(struct context *context);

/* The thread is gone, and has a core: what it left is simulated, and its core is free for the next one. Under the lock.
 */
void levels_end(struct context *context);

/* A thread goes on with another context. */
void levels_move(struct context *from, struct context *to);

/* Simulates what a thread has recorded, which may go on meanwhile. */
void levels_flush(struct context *context);

/* The same, when the regions have changed that cover it: from now on it counts for others. Under the lock. Where
 * nothing is simulated it does nothing, as the next two. */
void levels_change_regions(struct context *context);

/* Adds what one thread counted to that of another one; both are gone. */
void levels_fold(struct context *from, struct context *into);

/* In the child of a fork: forgets all caches and counts. levels_begin() of the thread that is left has to follow. */
void levels_forget(struct context *contexts);

/* A fault that says that the thread's buffer is full: its records are simulated, and the write can be made again. */
bool levels_is_full(struct context *context, const siginfo_t *info, greg_t *registers);

/* At the end: what all threads have recorded is simulated, and what is open ends. */
void levels_finish(void);

/* Of the sampling, for all threads: accesses to another line than the last of its class. */
void levels_changes(uint64_t changes[SAMPLING_CLASSES]);

#endif
