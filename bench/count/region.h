/* SPDX-License-Identifier: BSD-3-Clause
 * Regions: what was counted between their marks. A region that is open on a thread covers that thread and all that it
 * created; what they count meanwhile is the region's, once, however often it covers them. Called under the lock. */
#ifndef BENCH_COUNT_REGION_H
#define BENCH_COUNT_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

struct region {
    char name[64];
    uint64_t calls;
    uint32_t mismatched;
};

/* The thread has come to a mark; `name`: of MARK_NAME_BEGIN and MARK_NAME_END. `threads`: all, linked by `next`. */
void region_mark(struct context *context, struct context *threads, uint32_t mark, const char *name);

/* A number for a new thread, and what is kept of one that is folded into another. */
uint32_t region_new_thread(void);
void region_inherit(struct context *thread); /* it is covered as its creator is */
void region_fold(uint32_t thread, uint32_t into);
bool region_any_open(void);

/* In the child of a fork, whose counters are zero now and which is alone: its open regions start again. */
void region_forked(struct context *context);

uint32_t region_count(void); /* with [0], the whole program */
const struct region *region_get(uint32_t region);
/* How often it is open on these threads, linked by `next`; not those that a fork inherited. */
uint32_t region_open(uint32_t region, const struct context *threads);
bool region_has(uint32_t region, const struct context *context);                 /* whether there may be counts */
const uint64_t *region_counters(uint32_t region, const struct context *context); /* as of now, until the next call */

#endif
