/* SPDX-License-Identifier: BSD-3-Clause
 * A thread's life: what begins and ends with it, and what those that have ended leave. */
#ifndef BENCH_COLLECT_THREAD_H
#define BENCH_COLLECT_THREAD_H

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

bool thread_prepare(void);
struct thread *thread_self(void); /* NULL: no memory */
struct thread *thread_new(void);  /* to be created by this thread */
void thread_begin(struct thread *thread);
void thread_discard(struct thread *thread); /* it could not be created */

/* What all threads did, those that have ended and those that live. */
void thread_totals(struct total totals[MOST_REGIONS], uint64_t now_ns);

void thread_after_fork(void); /* in the child, on its only thread */

#endif
