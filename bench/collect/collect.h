/* SPDX-License-Identifier: BSD-3-Clause
 * Inside of libcarmine-papi.so, which measures the program that it is preloaded into: time, counted events and samples
 * by region. bench/regions/regions.c reads what it leaves behind.
 *
 * The program must not notice: nothing here prints, changes errno, or, once PAPI is started, allocates with malloc. The
 * end of a process may come within a signal handler, so there nothing waits for a lock for good. */
#ifndef BENCH_COLLECT_H
#define BENCH_COLLECT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "probe/marks/collector.h"
#include "bench/regions/regions.h"

enum {
    MOST_REGIONS = 1024, /* different names; the last one stands for all further ones */
    MOST_DEPTH = 256,    /* of nesting that is checked */
    MOST_SETS = 8,       /* of events: kinds of cores, components */
    WHOLE_PROGRAM = 0,   /* the region of that number */
};

struct visit { /* a region as one thread marks it */
    uint64_t calls, mismatched;
    uint64_t ns, start_ns;
    uint32_t depth;   /* entered and not left: more than 1 in a recursion */
    bool not_entered; /* but inherited by a fork: the parent measures it */
};
struct counters { /* PAPI's event sets; none: nothing is counted */
    unsigned set_count;
    int sets[MOST_SETS];
    unsigned first[MOST_SETS]; /* where their values stand among all events */
};
struct cover {      /* of a region, by the events of one thread */
    uint32_t count; /* the region is open so often on this thread and on those that created it */
    long long start[REGIONS_MOST_EVENTS], sum[REGIONS_MOST_EVENTS];
};
struct covers { /* other threads read and change them too */
    pthread_mutex_t lock;
    struct counters counters;
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

/* process.c: start, end and forks of the process. */
bool collecting(void);     /* starts when it is called for the first time; false: nobody wants to know */
void process_report(void); /* all that is known now; for the time before an exec */
void process_stays(void);  /* the exec failed */
void process_end(void);

/* threads.c: which threads there are, and who created them. */
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

/* visits.c: regions: their names, where they are open, for how long. */
void visit_begin(struct thread *thread, const char *name);
void visit_end(struct thread *thread, const char *name);
void visits_close(struct thread *thread); /* its end */
void visits_total(const struct thread *thread, struct total totals[MOST_REGIONS], uint64_t now_ns);
void visits_after_fork(struct thread *thread);
unsigned region_count(void);
const char *region_name(unsigned region);

/* events.c: whose events belong to which region. */
void events_start(const char *list);
void events_open(struct thread *thread);  /* on the thread itself */
void events_close(struct thread *thread); /* and forgets its regions */
void events_inherit(struct thread *thread, struct thread *creator);
void events_enter(struct thread *thread, unsigned region);
void events_leave(struct thread *thread, unsigned region);
void events_total(struct thread *thread, struct total totals[MOST_REGIONS]);
void events_total_of_machine(struct total totals[MOST_REGIONS]);
void events_after_fork(struct thread *thread);
void events_settle(void); /* before the totals: whether they can be believed */

/* papi.c: the events of one thread, or of the machine. */
bool papi_start(const char *list);
void papi_open(struct counters *counters, bool of_machine);
void papi_close(struct counters *counters);
void papi_read(const struct counters *counters, long long values[REGIONS_MOST_EVENTS]);
void papi_after_fork(void);
unsigned papi_event_count(void);
const char *papi_event(unsigned event, bool *of_machine);
bool papi_multiplexed(void);
void papi_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *papi_failure(void);

/* descriptors.c: keeps those of the first counters out of the program's way. */
void descriptors_hold(void);
void descriptors_release(void);
bool descriptors_intact(void);
void descriptors_forget(void); /* the first counters end, or are those of a forked child's parent */

/* samples.c: where CPU time is spent. */
void samples_start(void);
void samples_begin(struct thread *thread); /* on the thread itself */
void samples_end(struct thread *thread);
void samples_give_way(const char *why); /* the program wants the signal */
bool samples_running(void);
void samples_after_fork(struct thread *thread);
const char *samples_failure(void);
typedef void sample_visitor(const char *path, uint64_t file_offset, unsigned region, unsigned hits);
void samples_each(sample_visitor *each); /* path "": of code that is no longer there */

/* report.c: what is left behind. */
bool report_create(const char *folder);
void report_begin(void); /* an incomplete one */
void report_write(uint64_t start_ns, uint64_t now_ns);

/* wrap.c: the C library's functions that start threads, end the process or replace it. */
int real_sigaction(int signal, const struct sigaction *action, struct sigaction *old);

static inline uint64_t clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
