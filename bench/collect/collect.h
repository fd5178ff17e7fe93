/* SPDX-License-Identifier: BSD-3-Clause
 * The per-thread data of libcarmine-papi.so, and its sums. The library is preloaded into the program and measures it:
 * time, counted events and samples by region. bench/programs/regions.c reads its report.
 *
 * The program must not notice: nothing here prints, changes errno, or, once PAPI is started, allocates with malloc.
 * A process may end within a signal handler, so the code at its end waits for no lock without limit. */
#pragma once

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
    MAX_DEPTH = 256,   /* open regions of a thread with checked nesting */
    WHOLE_PROGRAM = 0, /* the number of the region that is the whole program */
};

/* The order of all shared variables is in docs/memory-order.md. Signal handlers use these. */
_Static_assert(ATOMIC_BOOL_LOCK_FREE == 2 && ATOMIC_SHORT_LOCK_FREE == 2 && ATOMIC_INT_LOCK_FREE == 2 &&
                   ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_POINTER_LOCK_FREE == 2,
               "a signal handler waits for no lock");

struct visit {                  /* one region as marked by one thread */
    uint64_t calls, mismatched; /* begin marks; unmatched marks */
    uint64_t ns, start_ns;      /* time inside so far, and clock_ns() at the last entry */
    uint32_t depth;             /* entries not yet left: more than 1 in a recursion */
    bool not_entered;           /* a fork inherited it open, so the parent measures it */
    uint64_t mpi_ns,
        mpi_calls; /* in MPI calls inside the region; while it is open, minus the thread's values at its begin */
};
struct cover {      /* one thread's events in one region */
    uint32_t count; /* times that the region is open, summed over this thread and its creators */
    long long start[REGIONS_MAX_EVENTS],
        sum[REGIONS_MAX_EVENTS]; /* events at its opening, and the sum of earlier visits */
};
struct covers { /* all regions of one thread; other threads read and change them too, under the lock */
    pthread_mutex_t lock;
    struct papi_sets counters;
    struct cover of[MAX_REGIONS];
};
struct mpi_time {       /* of one thread */
    unsigned depth;     /* nested MPI calls */
    uint64_t ns, calls; /* time in MPI calls so far, and their number */
    uint64_t start_ns;  /* clock_ns() at the begin of the outermost */
};
struct thread {
    struct thread *next;
    _Atomic(struct thread *) creator;
    atomic_uint children; /* living threads that it created */
    atomic_uint changes;  /* of `visits` and `mpi`, see change_begin() */
    union {               /* its start function, from pthread_create or thrd_create */
        void *(*start)(void *);
        int (*start_c11)(void *);
    };
    void *argument; /* of that function */
    bool sampled;   /* `timer` is running */
    uint32_t tid;   /* set with it */
    timer_t timer;  /* triggers a sample after each interval of the thread's CPU time */
    struct mpi_time mpi;
    unsigned depth;             /* number of open regions */
    uint16_t open[MAX_DEPTH];   /* the open regions, the innermost last */
    _Atomic uint16_t innermost; /* the innermost open region; also read by the handlers of threads that it created */
    struct covers covers;
    struct visit visits[MAX_REGIONS];
};
struct total {                        /* one region over all threads */
    uint64_t calls, mismatched, open; /* begin marks, unmatched marks, threads where it is open */
    uint64_t longest_ns;              /* time of the thread with the longest time inside */
    uint64_t longest_mpi_ns;          /* that thread's time in MPI calls */
    uint64_t mpi_calls;               /* sum over all threads */
    unsigned threads;                 /* threads that entered it */
    long long events[REGIONS_MAX_EVENTS];
};

/* Data that one thread changes, and that the report reads meanwhile: `changes` is odd during a change (a sequence
 * lock). The next change repairs one that a long jump has left. */
static inline void change_begin(atomic_uint *changes) {
    atomic_store_explicit(changes, atomic_load_explicit(changes, memory_order_relaxed) | 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release); /* no store of the change is seen before this one */
}
static inline void change_end(atomic_uint *changes) {
    atomic_store_explicit(changes, (atomic_load_explicit(changes, memory_order_relaxed) | 1) + 1, memory_order_release);
}
/* To be read before the data, and passed to change_none() after them. */
static inline unsigned change_count(const atomic_uint *changes) {
    return atomic_load_explicit(changes, memory_order_acquire);
}
static inline bool change_none(const atomic_uint *changes, unsigned before) {
    atomic_thread_fence(memory_order_acquire); /* no load of the data is later than the next one */
    return before % 2 == 0 && atomic_load_explicit(changes, memory_order_relaxed) == before;
}

/* CLOCK_MONOTONIC in ns. */
static inline uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
