/* SPDX-License-Identifier: BSD-3-Clause
 * Regions as marked by threads: which are open, and for how long. */
#include "visits.h"

#include <sched.h>
#include <string.h>

#include "events.h"

static void set_innermost(struct thread *thread, unsigned region) {
    atomic_store_explicit(&thread->innermost, (uint16_t)region, memory_order_relaxed);
}

static void push(struct thread *thread, unsigned region) {
    if (thread->depth < MAX_DEPTH) {
        thread->open[thread->depth] = (uint16_t)region;
        set_innermost(thread, region);
    }
    thread->depth++;
}

/* The innermost region should end first; another one is removed from the middle. */
static void pop(struct thread *thread, unsigned region) {
    if (--thread->depth >= MAX_DEPTH)
        return;
    unsigned at = thread->depth;
    while (at > 0 && thread->open[at] != region)
        at--;
    if (at < thread->depth)
        thread->visits[region].mismatched++;
    for (; at < thread->depth; at++)
        thread->open[at] = thread->open[at + 1];
    set_innermost(thread, thread->depth ? thread->open[thread->depth - 1] : WHOLE_PROGRAM);
}

void visit_begin(struct thread *thread, const char *name) {
    const unsigned region = names_find(name);
    struct visit *visit = &thread->visits[region];
    push(thread, region);
    if (visit->depth > 0) {
        visit->depth++;
        return;
    }
    events_enter(thread, region);
    change_begin(&thread->changes);
    visit->depth = 1;
    visit->calls++;
    visit->mpi_ns -= thread->mpi.ns;
    visit->mpi_calls -= thread->mpi.calls;
    visit->start_ns = clock_ns();
    change_end(&thread->changes);
}

void visit_end(struct thread *thread, const char *name) {
    const uint64_t now_ns = clock_ns();
    const unsigned region = names_find(name);
    struct visit *visit = &thread->visits[region];
    if (visit->depth == 0) {
        visit->mismatched++;
        return;
    }
    pop(thread, region);
    if (visit->depth > 1) {
        visit->depth--;
        return;
    }
    const bool entered = !visit->not_entered;
    change_begin(&thread->changes);
    if (entered) {
        visit->ns += now_ns - visit->start_ns;
        visit->mpi_ns += thread->mpi.ns;
        visit->mpi_calls += thread->mpi.calls;
    }
    visit->depth = 0;
    visit->not_entered = false;
    change_end(&thread->changes);
    if (entered)
        events_leave(thread, region);
}

static bool is_open(const struct visit *visit) {
    return visit->depth > 0 && !visit->not_entered;
}

void visits_close(struct thread *thread) {
    for (unsigned region = 1; region < names_count(); region++)
        if (is_open(&thread->visits[region]))
            events_leave(thread, region);
}

void visits_forget(struct thread *thread) {
    memset(thread->visits, 0, names_count() * sizeof thread->visits[0]);
    thread->depth = 0;
    set_innermost(thread, WHOLE_PROGRAM);
    thread->mpi = (struct mpi_time){0};
}

/* Copies what belongs together, though the thread may be changing it. A thread that is interrupted amid a change, by
 * this very report or for long, is taken as it is. */
static void look_at(const struct thread *thread, unsigned region, struct visit *visit, struct mpi_time *mpi) {
    for (unsigned tries = 0; tries < 20; tries++) {
        const unsigned before = change_count(&thread->changes);
        *visit = thread->visits[region];
        *mpi = thread->mpi;
        if (change_none(&thread->changes, before))
            return;
        sched_yield();
    }
}

/* The thread with the longest time in MPI decides: the others call it less, or not at all. */
static void total_program(const struct mpi_time *mpi, struct total *total, uint64_t now_ns) {
    const uint64_t ns = mpi->ns + (mpi->depth && now_ns > mpi->start_ns ? now_ns - mpi->start_ns : 0);
    total->mpi_calls += mpi->calls;
    if (ns > total->longest_mpi_ns)
        total->longest_mpi_ns = ns;
}

void visits_total(const struct thread *thread, struct total totals[MAX_REGIONS], uint64_t now_ns) {
    struct visit visit;
    struct mpi_time mpi;
    for (unsigned region = 1; region < names_count(); region++) {
        struct total *total = &totals[region];
        look_at(thread, region, &visit, &mpi);
        const uint64_t open = is_open(&visit);
        const uint64_t ns = visit.ns + (open && now_ns > visit.start_ns ? now_ns - visit.start_ns : 0);
        total->calls += visit.calls;
        total->mismatched += visit.mismatched;
        total->open += open;
        total->mpi_calls += visit.mpi_calls + open * mpi.calls;
        total->threads += visit.calls > 0;
        if (ns > total->longest_ns) {
            total->longest_ns = ns;
            total->longest_mpi_ns = visit.mpi_ns + open * mpi.ns;
        }
    }
    look_at(thread, WHOLE_PROGRAM, &visit, &mpi);
    total_program(&mpi, &totals[WHOLE_PROGRAM], now_ns);
}

/* The child may end a region that the parent opened, but the region belongs to the parent. */
void visits_after_fork(struct thread *thread) {
    names_after_fork();
    thread->mpi = (struct mpi_time){0};
    for (unsigned region = 1; region < names_count(); region++) {
        struct visit *visit = &thread->visits[region];
        *visit = (struct visit){.depth = visit->depth, .not_entered = visit->depth > 0};
    }
}
