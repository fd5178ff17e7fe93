/* SPDX-License-Identifier: BSD-3-Clause
 * Assigns events to regions. A region covers the thread that marks it and all threads that this one created. A
 * thread that is covered twice, as by marks within an OpenMP parallel region, counts once. Events of the whole
 * machine are covered while any thread is in the region. */
#include "events.h"

#include <string.h>

#include "papi.h"
#include "threads.h"
#include "visits.h"

static atomic_bool counting; /* each reader asks once; what it stands for is there before process.c says `active` */
static bool is_counting(void) {
    return atomic_load_explicit(&counting, memory_order_relaxed);
}
static struct covers machine = {.lock = PTHREAD_MUTEX_INITIALIZER};

void events_start(const char *list) {
    atomic_store_explicit(&counting, papi_prepare(list), memory_order_relaxed);
    if (is_counting())
        papi_open(&machine.counters, true);
}

void events_open(struct thread *thread) {
    if (is_counting())
        papi_open(&thread->covers.counters, false);
}
void events_close(struct thread *thread) {
    if (!is_counting())
        return;
    papi_close(&thread->covers.counters);
    memset(thread->covers.of, 0, names_count() * sizeof thread->covers.of[0]);
}

/* For a thread that is not yet running: its counters will start at 0. */
void events_inherit(struct thread *thread, struct thread *creator) {
    if (!is_counting())
        return;
    pthread_mutex_lock(&creator->covers.lock);
    for (unsigned region = 1; region < names_count(); region++)
        thread->covers.of[region].count = creator->covers.of[region].count;
    pthread_mutex_unlock(&creator->covers.lock);
}

static void cover(struct covers *covers, unsigned region) {
    struct cover *cover = &covers->of[region];
    pthread_mutex_lock(&covers->lock);
    if (cover->count++ == 0)
        papi_read(&covers->counters, cover->start);
    pthread_mutex_unlock(&covers->lock);
}

static void uncover(struct covers *covers, unsigned region) {
    struct cover *cover = &covers->of[region];
    pthread_mutex_lock(&covers->lock);
    if (cover->count > 0 && --cover->count == 0) {
        long long now[REGIONS_MAX_EVENTS] = {0};
        papi_read(&covers->counters, now);
        for (unsigned i = 0; i < papi_event_count(); i++)
            cover->sum[i] += now[i] - cover->start[i];
    }
    pthread_mutex_unlock(&covers->lock);
}

void events_enter(struct thread *thread, unsigned region) {
    if (!is_counting())
        return;
    if (atomic_load_explicit(&thread->children, memory_order_relaxed) > 0)
        threads_created_by(thread, cover, region);
    if (machine.counters.set_count > 0)
        cover(&machine, region);
    cover(&thread->covers, region);
}

void events_leave(struct thread *thread, unsigned region) {
    if (!is_counting())
        return;
    uncover(&thread->covers, region);
    if (machine.counters.set_count > 0)
        uncover(&machine, region);
    if (atomic_load_explicit(&thread->children, memory_order_relaxed) > 0)
        threads_created_by(thread, uncover, region);
}

/* Open regions count up to now. */
static void add(struct covers *covers, struct total totals[MAX_REGIONS]) {
    long long now[REGIONS_MAX_EVENTS] = {0};
    if (covers->counters.set_count == 0)
        return;
    const bool locked = threads_lock_other_for_the_end(&covers->lock);
    papi_read(&covers->counters, now);
    for (unsigned i = 0; i < papi_event_count(); i++) {
        totals[WHOLE_PROGRAM].events[i] += now[i];
        for (unsigned region = 1; region < names_count(); region++) {
            const struct cover *cover = &covers->of[region];
            totals[region].events[i] += cover->sum[i] + (cover->count > 0 ? now[i] - cover->start[i] : 0);
        }
    }
    if (locked)
        pthread_mutex_unlock(&covers->lock);
}

void events_settle(void) {
    if (!is_counting())
        return;
    const bool locked = threads_lock_for_the_end(); /* the first thread closes and forgets them under it, at its end */
    const bool intact = descriptors_intact();
    if (locked)
        threads_unlock();
    if (!intact) {
        papi_fail("the program closed the descriptors of its counters");
        atomic_store_explicit(&counting, false, memory_order_relaxed);
    } else if (threads_unknown() > 0)
        papi_fail("a thread was started by other means than pthread_create or thrd_create, and is not fully counted");
}

void events_total(struct thread *thread, struct total totals[MAX_REGIONS]) {
    if (is_counting())
        add(&thread->covers, totals);
}
void events_total_of_machine(struct total totals[MAX_REGIONS]) {
    if (is_counting())
        add(&machine, totals);
}

void events_after_fork(struct thread *thread) {
    if (!is_counting())
        return;
    papi_after_fork();
    descriptors_forget();
    struct covers *const both[] = {&thread->covers, &machine};
    for (unsigned i = 0; i < 2; i++) {
        pthread_mutex_init(&both[i]->lock, NULL);
        memset(both[i]->of, 0, names_count() * sizeof both[i]->of[0]);
        both[i]->counters.set_count = 0;
        papi_open(&both[i]->counters, both[i] == &machine);
    }
}
