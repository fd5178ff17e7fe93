/* SPDX-License-Identifier: BSD-3-Clause
 * Assigns each thread's events to regions. A region that is open on a thread covers that thread and all that it has
 * created. Without a list of events the functions do nothing. */
#pragma once

#include <stdbool.h>

#include "collect.h"

/* Starts counting: the events of the machine now, and those of each thread when it is opened. `list` has native
 * events, one per line. */
void events_start(const char *list);

/* Starts the counters of the thread, which has to call this itself. */
void events_open(struct thread *thread);

/* Stops the counters of the thread and forgets its regions. */
void events_close(struct thread *thread);

/* For a thread that does not run yet: the regions that cover its creator cover it too. */
void events_inherit(struct thread *thread, struct thread *creator);

/* The region is open once more, or once less, on this thread, and also covers the threads that it has created. */
void events_enter(struct thread *thread, unsigned region);
void events_leave(struct thread *thread, unsigned region);

/* Adds the events of one thread, by region and up to now, to the totals. */
void events_total(struct thread *thread, struct total totals[MAX_REGIONS]);

/* Adds the events of the machine, by region and up to now, to the totals. */
void events_total_of_machine(struct total totals[MAX_REGIONS]);

/* For the child of a fork, on its only thread: restarts its counters. */
void events_after_fork(struct thread *thread);

/* Call before writing the totals: checks whether they are valid, and if not, reports the reason by papi_fail(). */
void events_settle(void);

/* Moves the descriptors of the first counters out of the program's way. */

/* Occupies the low descriptors before the first counters are opened, so that these get higher ones than the
 * program's. */
void descriptors_hold(void);

/* Frees the low descriptors once the first counters are open, and records those of the counters. */
void descriptors_release(void);

/* Whether the descriptors of the first counters are unchanged; false once the program has closed or replaced one. */
bool descriptors_intact(void);

/* Forgets the recorded descriptors: the first counters end, or belong to the parent of a forked child. */
void descriptors_forget(void);
