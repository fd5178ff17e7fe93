/* SPDX-License-Identifier: BSD-3-Clause
 * Regions as threads mark them: on which threads they are open, and for how long. */
#ifndef BENCH_COLLECT_VISITS_H
#define BENCH_COLLECT_VISITS_H

#include <stdint.h>

#include "collect.h"

/* The calling thread has come to the begin mark, or to the end mark, of the region of this name. */
void visit_begin(struct thread *thread, const char *name);
void visit_end(struct thread *thread, const char *name);

/* The thread ends: its open regions no longer cover the threads that it has created. */
void visits_close(struct thread *thread);

/* Forgets all regions of the thread, which is as new. */
void visits_forget(struct thread *thread);

/* Adds the thread's calls and times, by region and until `now_ns` (clock_ns()), to the totals. */
void visits_total(const struct thread *thread, struct total totals[MAX_REGIONS], uint64_t now_ns);

/* To be called in the child of a fork, for its only thread: regions that are open belong to the parent. */
void visits_after_fork(struct thread *thread);

#endif
