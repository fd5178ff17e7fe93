/* SPDX-License-Identifier: BSD-3-Clause
 * A thread's life: actions at its begin and end, and the data of ended threads. */

#include <string.h>

#include "events.h"
#include "samples.h"
#include "threads.h"
#include "visits.h"

static struct total ended[MAX_REGIONS]; /* sum over ended threads */
static pthread_key_t at_end;

static struct thread *inherit(struct thread *thread) {
    struct thread *creator = thread ? thread_creator(thread) : NULL;
    if (creator)
        events_inherit(thread, creator);
    return thread;
}

/* Resets it without touching memory that it has not used. */
static void forget(struct thread *thread, bool lived) {
    const bool was_main = threads_remove(thread, lived);
    events_close(thread);
    visits_forget(thread);
    if (was_main)
        descriptors_forget();
}

static void thread_end(void *argument) {
    struct thread *thread = argument;
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    threads_lock();
    samples_end(thread);
    threads_unlock();
    visits_close(thread);
    threads_lock();
    visits_total(thread, ended, clock_ns());
    events_total(thread, ended);
    forget(thread, true);
    threads_unlock();
    thread_here = NULL;
    pthread_setcancelstate(cancel, NULL);
}

bool thread_prepare(void) {
    return pthread_key_create(&at_end, thread_end) == 0;
}

struct thread *thread_new(struct thread *creator) {
    threads_lock();
    struct thread *thread = inherit(threads_add(creator));
    threads_unlock();
    return thread;
}

/* PAPI's system calls are cancellation points: cancelling the thread there would leave PAPI's locks held. */
void thread_begin(struct thread *thread) {
    int cancel;
    if (!thread)
        return;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    thread_here = thread;
    pthread_setspecific(at_end, thread);
    threads_lock(); /* prevents a fork while PAPI holds its own locks */
    events_open(thread);
    samples_begin(thread);
    threads_unlock();
    pthread_setcancelstate(cancel, NULL);
}

void thread_discard(struct thread *thread) {
    threads_lock();
    forget(thread, false);
    threads_unlock();
}

struct thread *thread_self(void) {
    if (thread_here)
        return thread_here;
    threads_lock();
    struct thread *thread = inherit(threads_add_unknown());
    threads_unlock();
    thread_begin(thread);
    return thread;
}

void thread_totals(struct total totals[MAX_REGIONS], uint64_t now_ns) {
    const bool locked = threads_lock_for_the_end();
    memcpy(totals, ended, sizeof ended);
    for (struct thread *thread = threads_living(); thread; thread = thread->next) {
        visits_total(thread, totals, now_ns);
        events_total(thread, totals);
    }
    totals[WHOLE_PROGRAM].threads = threads_existed();
    totals[WHOLE_PROGRAM].calls = 1;
    if (locked)
        threads_unlock();
}

void thread_after_fork(void) {
    memset(ended, 0, sizeof ended);
    struct thread *thread = threads_after_fork();
    if (!thread)
        return;
    pthread_setspecific(at_end, thread);
    visits_after_fork(thread);
    events_after_fork(thread);
    samples_after_fork(thread);
}
