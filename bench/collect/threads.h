/* SPDX-License-Identifier: BSD-3-Clause
 * Threads: the list of them and their creators, their begin and end. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

/* The data of the calling thread; NULL: the thread is not known yet. */
extern __thread struct thread *thread_here __attribute__((tls_model("initial-exec")));

/* The lock of the list of threads and of all links in it. */
void threads_lock(void), threads_unlock(void);

/* Takes a lock, that of the list or another one, at the end of the process, possibly within a signal handler that
 * interrupted the lock's holder. False: the lock was not free within a limited time; the caller continues without it.
 */
bool threads_lock_for_the_end(void);
bool threads_lock_other_for_the_end(pthread_mutex_t *other);

/* For signal handlers, too: without the lock. */
static inline struct thread *thread_creator(const struct thread *thread) {
    return atomic_load_explicit(&thread->creator, memory_order_relaxed);
}

/* Adds a thread created by `creator`; the first added thread is the main thread. Called under the lock. NULL: no
 * memory. */
struct thread *threads_add(struct thread *creator);

/* Adds a thread with unknown creation; the main thread counts as its creator. Called under the lock. NULL: no
 * memory. */
struct thread *threads_add_unknown(void);

/* Removes a thread; its children become its creator's. `lived` is false if it could not be created. Called under the
 * lock. Returns whether it was the main thread. */
bool threads_remove(struct thread *thread, bool lived);

/* The living threads, linked by `next`. */
struct thread *threads_living(void);

/* Number of threads so far, including ended ones. Called under the lock. */
unsigned threads_existed(void);

/* Number of living threads with unknown creation. */
unsigned threads_unknown(void);

/* Calls `each`, under the lock, with `region` and each living thread that `creator` created, directly or through
 * other threads. */
void threads_created_by(struct thread *creator, void (*each)(struct covers *covers, unsigned region), unsigned region);

/* Calls `each`, under the lock, for every living thread. */
void threads_each(void (*each)(struct thread *thread));

/* For the child of a fork: forgets all threads but the calling one, which it returns. NULL: no memory. */
struct thread *threads_after_fork(void);

/* The life of a thread: actions at its begin and end, and the data of ended threads. */

/* Call once, before all others. False: the end of threads cannot be detected. */
bool thread_prepare(void);

/* The data of the calling thread, created if the thread is not known yet. NULL: no memory. */
struct thread *thread_self(void);

/* The data of a thread that the calling one, `creator`, is about to create; NULL: of the first one. NULL: no memory. */
struct thread *thread_new(struct thread *creator);

/* Begins the calling thread; its creator got `thread` from thread_new(). */
void thread_begin(struct thread *thread);

/* Discards a thread from thread_new() that could not be created. */
void thread_discard(struct thread *thread);

/* Sums up, by region, the data of all threads until `now_ns` (clock_ns()), living or ended. */
void thread_totals(struct total totals[MAX_REGIONS], uint64_t now_ns);

/* For the child of a fork, on its only thread. */
void thread_after_fork(void);
