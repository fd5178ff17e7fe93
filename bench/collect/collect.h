/* SPDX-License-Identifier: BSD-3-Clause
 * Inside of libcarmine-papi.so, which measures the program that it is preloaded into: time, counted events and samples
 * by region; bench/regions/regions.c reads what it leaves behind. Here is what is kept of each thread, and summed up.
 *
 * The program must not notice: nothing here prints, changes errno, or, once PAPI is started, allocates with malloc. The
 * end of a process may come within a signal handler, so there nothing waits for a lock for good. */
#ifndef BENCH_COLLECT_H
#define BENCH_COLLECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "bench/regions/regions.h"
#include "papi.h"

enum {
    MOST_REGIONS = 1024, /* different names; the last one stands for all further ones */
    MOST_DEPTH = 256,    /* of nesting that is checked */
    WHOLE_PROGRAM = 0,   /* the region of that number */
};

struct visit { /* a region as one thread marks it */
    uint64_t calls, mismatched;
    uint64_t ns, start_ns;
    uint32_t depth;   /* entered and not left: more than 1 in a recursion */
    bool not_entered; /* but inherited by a fork: the parent measures it */
};
struct cover {      /* of a region, by the events of one thread */
    uint32_t count; /* the region is open so often on this thread and on those that created it */
    long long start[REGIONS_MOST_EVENTS], sum[REGIONS_MOST_EVENTS];
};
struct covers { /* other threads read and change them too */
    pthread_mutex_t lock;
    struct papi_sets counters;
    struct cover of[MOST_REGIONS];
};
struct thread {
    struct thread *next, *creator;
    atomic_uint children; /* that are alive */
    union {               /* what it runs */
        void *(*start)(void *);
        int (*start_c11)(void *);
    };
    void *argument;
    bool sampled;
    timer_t timer;
    unsigned depth;
    uint16_t open[MOST_DEPTH];
    volatile uint16_t innermost; /* open region; read by the signal handler */
    struct covers covers;
    struct visit visits[MOST_REGIONS];
};
struct total { /* of a region */
    uint64_t calls, mismatched, open;
    uint64_t longest_ns;
    unsigned threads;
    long long events[REGIONS_MOST_EVENTS];
};

static inline uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
