/* SPDX-License-Identifier: BSD-3-Clause
 * Regions: what was counted between their marks. A region that is open on a thread covers that thread and all that it
 * created; what they count meanwhile is the region's, once, however often it covers them. Called under the lock. */
#ifndef BENCH_COUNT_REGION_H
#define BENCH_COUNT_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

struct region {
    char name[64];       /* cut where it is longer */
    uint64_t calls;      /* begin marks */
    uint32_t mismatched; /* marks without their counterpart */
};

/* Maps what region_counters() needs. To be called once, first. */
void region_prepare(void);

/* The thread has come to a mark (marks.h). `name` comes with those of the hooks; `threads` are all threads, linked by
 * `next`. */
void region_mark(struct context *context, struct context *threads, uint32_t mark, const char *name);

/* The number of a new thread, which stands for it in region_fold(). */
uint32_t region_new_thread(void);

/* A new thread is covered by the regions that cover its creator. */
void region_inherit(struct context *thread);

/* Adds what is kept of the thread with this number, which has ended, to what is kept of another thread. */
void region_fold(uint32_t thread, uint32_t into);

/* Whether a region is open on any thread. */
bool region_any_open(void);

/* To be called in the child of a fork, on its only thread, once its counters are zero: its open regions start again. */
void region_forked(struct context *context);

/* How many regions there are, the whole program, which is number 0, included. */
uint32_t region_count(void);

/* The region of this number. */
const struct region *region_get(uint32_t region);

/* How often the region is open on these threads, linked by `next`, without what a fork inherited. */
uint32_t region_open(uint32_t region, const struct context *threads);

/* Whether the thread may have counts in the region. */
bool region_has(uint32_t region, const struct context *context);

/* The thread's counters in the region, as of now; valid until the next call. */
const uint64_t *region_counters(uint32_t region, const struct context *context);

#endif
