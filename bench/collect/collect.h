/* SPDX-License-Identifier: BSD-3-Clause
 * What libcarmine-papi.so keeps of each thread, and sums up. The library measures the program into which it is
 * preloaded: time, counted events and samples by region. bench/programs/regions.c reads the report that it leaves.
 *
 * The program must not notice: nothing here prints, changes errno, or, once PAPI is started, allocates with malloc. A
 * process may end within a signal handler, so what runs at its end waits for no lock without limit. */
#ifndef BENCH_COLLECT_H
#define BENCH_COLLECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "papi.h"

#include "bench/programs/regions.h"
#include "probe/marks/collector.h"

enum {
    MAX_REGIONS = COLLECTOR_REGIONS,
    MAX_DEPTH = 256,   /* open regions of a thread whose nesting is checked */
    WHOLE_PROGRAM = 0, /* the number of the region that is the whole program */
};

struct visit {                  /* one region as one thread marks it */
    uint64_t calls, mismatched; /* begin marks; marks without their counterpart */
    uint64_t ns, start_ns;      /* time inside so far, and clock_ns() when it was entered last */
    uint32_t depth;             /* how often it is entered and not left: more than 1 in a recursion */
    bool not_entered;           /* it is open because a fork inherited it, so that the parent measures it */
    uint64_t mpi_ns, mpi_calls; /* in calls of MPI meanwhile; while it is entered, less the thread's at its begin */
};
struct cover {      /* what the events of one thread add to one region */
    uint32_t count; /* how often the region is open on this thread and on those that created it, together */
    long long start[REGIONS_MAX_EVENTS], sum[REGIONS_MAX_EVENTS]; /* events when it was opened, and counted before */
};
struct covers { /* all regions of one thread; other threads read and change them too, under the lock */
    pthread_mutex_t lock;
    struct papi_sets counters;
    struct cover of[MAX_REGIONS];
};
struct thread {
    struct thread *next, *creator;
    atomic_uint children; /* threads that it created and that are alive */
    union {               /* the function that it runs, of pthread_create or of thrd_create */
        void *(*start)(void *);
        int (*start_c11)(void *);
    };
    void *argument;              /* of that function */
    bool sampled;                /* `timer` is running */
    timer_t timer;               /* asks for a sample after each interval of the thread's CPU time */
    unsigned mpi_depth;          /* calls of MPI, one within the other */
    uint64_t mpi_ns, mpi_calls;  /* time in calls of MPI so far, and their number */
    uint64_t mpi_start_ns;       /* clock_ns() when the outermost began */
    unsigned depth;              /* how many regions are open */
    uint16_t open[MAX_DEPTH];    /* the open regions, the innermost last */
    volatile uint16_t innermost; /* the innermost open region, for the signal handler */
    struct covers covers;
    struct visit visits[MAX_REGIONS];
};
struct total {                        /* one region over all threads */
    uint64_t calls, mismatched, open; /* begin marks, marks without their counterpart, threads where it is open */
    uint64_t longest_ns;              /* the time inside of the thread that was inside the longest */
    uint64_t longest_mpi_ns;          /* of that thread's time, in calls of MPI */
    uint64_t mpi_calls;               /* of all threads */
    unsigned threads;                 /* threads that entered it */
    long long events[REGIONS_MAX_EVENTS];
};

/* CLOCK_MONOTONIC in ns. */
static inline uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
