/* SPDX-License-Identifier: BSD-3-Clause
 * Which events of which thread belong to which region. A region that is open on a thread covers that thread and all
 * that it has created. Without a list of events the functions do nothing. */
#ifndef BENCH_COLLECT_EVENTS_H
#define BENCH_COLLECT_EVENTS_H

#include "collect.h"

/* Starts counting: the events of the machine, and from now on those of each thread that is opened. `list` has native
 * events, one per line. */
void events_start(const char *list);

/* Starts the counters of the thread, which has to call this itself. */
void events_open(struct thread *thread);

/* Stops the counters of the thread and forgets its regions. */
void events_close(struct thread *thread);

/* A thread that does not run yet is covered by the regions that cover its creator. */
void events_inherit(struct thread *thread, struct thread *creator);

/* The region is open once more, or once less, on this thread, and covers the threads that it has created. */
void events_enter(struct thread *thread, unsigned region);
void events_leave(struct thread *thread, unsigned region);

/* Adds the events of one thread, by region and up to now, to the totals. */
void events_total(struct thread *thread, struct total totals[MAX_REGIONS]);

/* Adds the events of the machine, by region and up to now, to the totals. */
void events_total_of_machine(struct total totals[MAX_REGIONS]);

/* To be called in the child of a fork, for its only thread: its counters start again. */
void events_after_fork(struct thread *thread);

/* To be called before the totals are written: finds out whether they can be believed, and if not, reports why by
 * papi_fail(). */
void events_settle(void);

#endif
