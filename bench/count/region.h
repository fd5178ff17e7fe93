/* SPDX-License-Identifier: BSD-3-Clause
 * Regions: counts between their marks. An open region of a thread covers that thread and all threads that it created.
 * Their counts belong to the region, once, however many of its frames cover them. Called under the lock. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

struct region {
    char name[64];       /* cut if longer */
    uint64_t calls;      /* begin marks */
    uint32_t mismatched; /* marks without counterpart */
};

/* Maps the memory of region_counters(). Call once, before all others. */
void region_prepare(void);

/* The thread has reached a mark (marks.h). `name`: for marks of the hooks; `threads`: all threads, linked by `next`. */
void region_mark(struct context *context, struct context *threads, uint32_t mark, const char *name);

/* The number of a new thread, its identity in region_fold(). */
uint32_t region_new_thread(void);

/* The regions that cover the creator also cover the new thread. */
void region_inherit(struct context *thread);

/* Adds the sums of the thread with this number, which has ended, to another thread's sums. */
void region_fold(uint32_t thread, uint32_t into);

/* Whether a region is open on any thread. */
bool region_any_open(void);

/* Call in the child of a fork, on its only thread, once its counters are zero: its open regions start again. */
void region_forked(struct context *context);

/* How many regions there are, including number 0, the whole program. */
uint32_t region_count(void);

/* The region with this number. */
const struct region *region_get(uint32_t region);

/* How often the region is open on these threads, linked by `next`, not counting inherited frames of a fork. */
uint32_t region_open(uint32_t region, const struct context *threads);

/* Whether the thread may have counts in the region. */
bool region_has(uint32_t region, const struct context *context);

/* The thread's current counters in the region; valid until the next call. */
const uint64_t *region_counters(uint32_t region, const struct context *context);
