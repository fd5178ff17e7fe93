/* SPDX-License-Identifier: BSD-3-Clause
 * Regions as marked by threads: where they are open, and for how long. */
#pragma once

#include <stdint.h>

#include "collect.h"

/* The calling thread has reached the begin mark, or the end mark, of the region with this name. */
void visit_begin(struct thread *thread, const char *name);
void visit_end(struct thread *thread, const char *name);

/* At the end of the thread: its open regions no longer cover the threads that it has created. */
void visits_close(struct thread *thread);

/* Resets all regions of the thread. */
void visits_forget(struct thread *thread);

/* Adds the thread's calls and times, by region and until `now_ns` (clock_ns()), to the totals. */
void visits_total(const struct thread *thread, struct total totals[MAX_REGIONS], uint64_t now_ns);

/* For the child of a fork, on its only thread: regions that are open belong to the parent. */
void visits_after_fork(struct thread *thread);
