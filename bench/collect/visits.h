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

/* The names of regions, and their numbers from 1; number 0 is the whole program, which has no name. */

/* The number of the region with this name; a new name gets the next number, or the last one when there are
 * MAX_REGIONS. NULL and "" stand for the name "(no name)". */
unsigned names_find(const char *name);

/* Number of regions, including the whole program. */
unsigned names_count(void);

/* The name of the region with this number. */
const char *names_text(unsigned region);

/* For the child of a fork: makes the lock usable again. */
void names_after_fork(void);
