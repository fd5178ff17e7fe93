/* SPDX-License-Identifier: BSD-3-Clause
 * Which threads there are, and who created them. */
#ifndef BENCH_COLLECT_THREADS_H
#define BENCH_COLLECT_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

bool threads_start(void);
struct thread *thread_self(void); /* NULL: no memory */
struct thread *thread_new(void);  /* to be created by this thread */
void thread_begin(struct thread *thread);
void thread_discard(struct thread *thread); /* it could not be created */
void threads_created_by(struct thread *creator, void (*each)(struct covers *covers, unsigned region), unsigned region);
void threads_each(void (*each)(struct thread *thread));
void threads_total(struct total totals[MOST_REGIONS], uint64_t now_ns);
unsigned threads_unknown(void); /* that nobody saw being created, and who live */
void threads_before_fork(void), threads_after_fork(bool in_child);
extern __thread struct thread *thread_here __attribute__((tls_model("initial-exec"))); /* NULL: not known yet */

#endif
