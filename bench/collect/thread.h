/* SPDX-License-Identifier: BSD-3-Clause
 * The life of a thread: what begins and ends with it, and what remains of threads that have ended. */
#ifndef BENCH_COLLECT_THREAD_H
#define BENCH_COLLECT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

/* To be called once, before all others. False: the end of threads cannot be noticed. */
bool thread_prepare(void);

/* What is kept of the calling thread, made where the thread was not known yet. NULL: no memory. */
struct thread *thread_self(void);

/* What will be kept of a thread that the calling one is about to create. NULL: no memory. */
struct thread *thread_new(void);

/* The calling thread begins; `thread` comes from thread_new() on its creator. */
void thread_begin(struct thread *thread);

/* A thread from thread_new() could not be created. */
void thread_discard(struct thread *thread);

/* Sums up, by region, what all threads have done until `now_ns` (clock_ns()), whether they live or have ended. */
void thread_totals(struct total totals[MAX_REGIONS], uint64_t now_ns);

/* To be called in the child of a fork, on its only thread. */
void thread_after_fork(void);

#endif
