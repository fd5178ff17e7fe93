/* SPDX-License-Identifier: BSD-3-Clause
 * The counted threads: which exist, and the counts of ended ones. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* The context of the calling thread, which leaves the cache to the address `dispatch`. `creator`: the context of the
 * creating thread, NULL for the first thread. Ends the program if there is no memory. */
struct context *thread_create(struct context *creator, uint64_t dispatch);

/* The context that counts inside the thread's MPI calls. Regions cover it as they cover the thread, as if the thread
 * had created it. Made at the first call. */
struct context *thread_inside(struct context *outside);

/* The thread is about to end. Returns whether it is the last one. */
bool thread_end(struct context *context);

/* All threads, linked by `next`, the newest first. */
struct context *threads_first(void);

/* How many threads live; how many the kernel should list: the first one stays listed until all have ended. */
uint32_t threads_living(void);
uint32_t threads_listed(void);

/* Call in the child of a fork: drops all threads except `own`, which counts from zero. */
void threads_keep_only(struct context *own);

/* Removes copies of blocks between these addresses in the program from all threads' tables for indirect branches.
 * Called under the lock. */
void threads_forget(uint64_t low, uint64_t high);
