/* SPDX-License-Identifier: BSD-3-Clause
 * The life of a thread: actions at its begin and end, and the data of ended threads. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

/* Call once, before all others. False: the end of threads cannot be detected. */
bool thread_prepare(void);

/* The data of the calling thread, created if the thread is not known yet. NULL: no memory. */
struct thread *thread_self(void);

/* The data of a thread that the calling one is about to create. NULL: no memory. */
struct thread *thread_new(void);

/* Begins the calling thread; its creator got `thread` from thread_new(). */
void thread_begin(struct thread *thread);

/* Discards a thread from thread_new() that could not be created. */
void thread_discard(struct thread *thread);

/* Sums up, by region, the data of all threads until `now_ns` (clock_ns()), living or ended. */
void thread_totals(struct total totals[MAX_REGIONS], uint64_t now_ns);

/* For the child of a fork, on its only thread. */
void thread_after_fork(void);
