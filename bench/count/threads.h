/* SPDX-License-Identifier: BSD-3-Clause
 * Threads under control: which there are, and what becomes of the counts of those that have ended. */
#ifndef BENCH_COUNT_THREADS_H
#define BENCH_COUNT_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* The context of the calling thread, which leaves the cache to the address `dispatch`. `creator` is the context of the
 * thread that created it, NULL for the first thread. Ends the program when there is no memory. */
struct context *thread_create(struct context *creator, uint64_t dispatch);

/* The context that counts while the thread is in a call of MPI, as if it were a thread that this one created: what
 * regions cover of the thread, they cover of it. Made when it is asked for first. */
struct context *thread_inside(struct context *outside);

/* The thread is about to end. Returns whether it is the last one. */
bool thread_end(struct context *context);

/* All threads, linked by `next`, the newest first. */
struct context *threads_first(void);

/* How many threads live; how many the kernel should list, where the first one stays until all have ended. */
uint32_t threads_living(void);
uint32_t threads_listed(void);

/* To be called in the child of a fork: drops all threads but `own`, which counts from zero. */
void threads_keep_only(struct context *own);

/* Makes all threads forget the copies of blocks between these addresses in the program, as their indirect branches know
 * them. Called under the lock. */
void threads_forget(uint64_t low, uint64_t high);

#endif
