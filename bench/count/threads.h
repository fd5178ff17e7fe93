/* SPDX-License-Identifier: BSD-3-Clause
 * Threads under control: which there are, and what becomes of the counts of those that have ended. */
#ifndef BENCH_COUNT_THREADS_H
#define BENCH_COUNT_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* For the calling thread, which leaves the cache to `dispatch`; of the first, `creator` is NULL. Ends the program when
 * there is no memory. */
struct context *thread_create(struct context *creator, uint64_t dispatch);

/* The thread is about to end. Returns whether it is the last one. */
bool thread_end(struct context *context);

/* All, newest first. */
struct context *threads_first(void);

/* Drops all but `own`, which counts from zero: after a fork. */
void threads_keep_only(struct context *own);

/* Forgets what indirect branches led to between the addresses. Called under the lock. */
void threads_forget(uint64_t low, uint64_t high);

#endif
