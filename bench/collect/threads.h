/* SPDX-License-Identifier: BSD-3-Clause
 * Which threads there are, and who created them; thread.h has what begins and ends with a thread. */
#ifndef BENCH_COLLECT_THREADS_H
#define BENCH_COLLECT_THREADS_H

#include <stdbool.h>

#include "collect.h"

/* What is kept of the calling thread; NULL: the thread is not known yet. */
extern __thread struct thread *thread_here __attribute__((tls_model("initial-exec")));

/* The lock of the list of threads and of all links in it. */
void threads_lock(void), threads_unlock(void);

/* Takes the lock at the end of the process, which may come within a signal handler that has interrupted the holder of
 * the lock. False: the lock could not be had within a while, and the caller goes on without it. */
bool threads_lock_for_the_end(void);

/* Adds a thread that `creator` creates; the first thread to be added is the main thread. Called under the lock. NULL:
 * no memory. */
struct thread *threads_add(struct thread *creator);

/* Adds a thread that nobody saw being created; the main thread is taken for its creator. Called under the lock. NULL:
 * no memory. */
struct thread *threads_add_unknown(void);

/* Removes a thread, whose children are those of its creator from now on. `lived` is false where it could not be
 * created. Called under the lock. Returns whether it was the main thread. */
bool threads_remove(struct thread *thread, bool lived);

/* The threads that live, linked by `next`. */
struct thread *threads_living(void);

/* How many threads have existed, those that have ended included. */
unsigned threads_existed(void);

/* How many threads live that nobody saw being created. */
unsigned threads_unknown(void);

/* Calls `each`, under the lock, with `region` and what is kept of each living thread that `creator` has created, or
 * that these have created in turn. */
void threads_created_by(struct thread *creator, void (*each)(struct covers *covers, unsigned region), unsigned region);

/* Calls `each`, under the lock, for every living thread. */
void threads_each(void (*each)(struct thread *thread));

/* To be called in the child of a fork: forgets all threads but the calling one, which it returns. NULL: no memory. */
struct thread *threads_after_fork(void);

#endif
