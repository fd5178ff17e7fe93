/* SPDX-License-Identifier: BSD-3-Clause
 * Which threads there are, and who created them. What begins and ends with a thread is thread.h's. */
#ifndef BENCH_COLLECT_THREADS_H
#define BENCH_COLLECT_THREADS_H

#include <stdbool.h>

#include "collect.h"

extern __thread struct thread *thread_here __attribute__((tls_model("initial-exec"))); /* NULL: not known yet */

/* The lock of the list and all links in it. The process may end within a signal handler, above whoever holds it; then
 * the last one gives up after a while (false). */
void threads_lock(void), threads_unlock(void);
bool threads_lock_for_the_end(void);

/* Under the lock: a new thread, the first of which is the main thread; or one that nobody saw being created, and which
 * is taken for the main thread's. NULL: no memory. */
struct thread *threads_add(struct thread *creator);
struct thread *threads_add_unknown(void);

/* Under the lock. Its children are its creator's from now on. `lived` is false where it could not be created. Returns
 * whether it was the main thread. */
bool threads_remove(struct thread *thread, bool lived);

struct thread *threads_living(void); /* linked by `next` */
unsigned threads_existed(void);      /* and may have ended */
unsigned threads_unknown(void);      /* that nobody saw being created, and who live */

/* Call `each` under the lock. */
void threads_created_by(struct thread *creator, void (*each)(struct covers *covers, unsigned region), unsigned region);
void threads_each(void (*each)(struct thread *thread));

/* In the child: its only thread; NULL: no memory. */
struct thread *threads_after_fork(void);

#endif
