/* SPDX-License-Identifier: BSD-3-Clause
 * Whose events belong to which region. */
#ifndef BENCH_COLLECT_EVENTS_H
#define BENCH_COLLECT_EVENTS_H

#include "collect.h"

void events_start(const char *list);
void events_open(struct thread *thread);  /* on the thread itself */
void events_close(struct thread *thread); /* and forgets its regions */
void events_inherit(struct thread *thread, struct thread *creator);
void events_enter(struct thread *thread, unsigned region);
void events_leave(struct thread *thread, unsigned region);
void events_total(struct thread *thread, struct total totals[MOST_REGIONS]);
void events_total_of_machine(struct total totals[MOST_REGIONS]);
void events_after_fork(struct thread *thread);
void events_settle(void); /* before the totals: whether they can be believed */

#endif
