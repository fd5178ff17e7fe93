/* SPDX-License-Identifier: BSD-3-Clause
 * One size of one workload as a point: carmine-workload (bench/workloads/) is counted in one process, perhaps with
 * simulated caches, and timed in another. What is counted or simulated is the same whatever runs beside it, and takes
 * longer than to time it: so many are counted side by side, and then timed one after the other. */
#ifndef BENCH_PROGRAMS_WORKLOAD_H
#define BENCH_PROGRAMS_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app_point.h"
#include "levels_geometry.h"
#include "workload_report.h"

#include "bench/profile/profile.h"
#include "probe/events/events.h"
#include "probe/machine.h"

/* A workload of the user's own, in place of the built-in ones. */
struct workload_own {
    const char *file;           /* its source, as it was named */
    const char *label;          /* of its points */
    const char *library;        /* that it was compiled to */
    const char *compiler;       /* with version and flags */
};

struct workload_request {
    const char *program;    /* path of carmine-workload */
    const char *collectors; /* the folder that holds the collectors */
    const char *name, *type;
    const struct workload_own *own; /* then `name` is the region's; NULL: a built-in one */
    const char *command;            /* that is kept with its points; NULL: that of carmine-workload */
    const char *isa;                /* of its code; NULL: the widest that the CPU has */
    uint64_t size;
    unsigned block; /* 0: as usual */
    unsigned threads;
    unsigned cores, cpus; /* that they run on, where fewer, as of a point: workload_place() */
    enum app_state data, code;
    enum app_state tlb;     /* STATE_COLD: it is emptied before each run */
    const char *write_back; /* of what a run leaves changed in the caches: "counted", "left-out"; NULL: what is left of
                               others' makes up for it */
    unsigned repeat;        /* repetitions that count; 0: it is not timed */
    unsigned least_of;      /* each is the fastest of so many; 1: each is itself */
    double cycles;          /* that a repetition takes at least, with as many runs as it needs; 0: as usual */
    double budget_s;        /* repetitions end when they took so long; 0: no limit */
    struct levels_choice levels; /* its traffic at all levels, while it is counted */
    uint64_t other_size;         /* at which its data takes so many bytes; 0: none is known */
    double other_bytes;
    unsigned traffic_repeat; /* so often, of other lines each time, for the quartiles of DRAM bytes; 1 at least */
    const struct machine *machine;
    uint64_t own_llc_bytes;         /* of this machine's last cache; 0: as detected */
    const struct event_set *events; /* of this CPU: DRAM traffic is counted where they may be */
    bool tlb_misses;                /* are counted by them, too */
    bool annotate;                  /* the code of its own run() */
    bool alone;                     /* nothing is counted beside it */
    void (*progress)(const struct workload_request *request, const char *what); /* NULL after the last */
};

struct workload_outcome {
    struct app_point point;
    char isa[16];            /* of its code, natively */
    char library[160];       /* that it calls; "" none */
    unsigned runs;           /* of each repetition */
    unsigned wanted, repeat; /* repetitions; fewer than wanted where the budget was spent */
    bool flop_known;         /* by theory; else they are a library's own */
    double check_error;      /* of the result, as the workload defines it; small enough, or there is no outcome */
    struct levels_geometry levels;  /* that were simulated at all levels */
    struct annotation *annotations; /* of run(), by annotations_free(); NULL: none */
    size_t annotation_count;
};

/* What is the same on a busy machine: what one run does, and what caches would see of it. Errors: carmine-workload
 * refuses, in its own words; its result is wrong; it cannot be counted; interrupted. */
bool workload_count(const struct workload_request *request, struct workload_outcome *out, struct error *err);

/* Adds the time to what was counted: nothing else should run meanwhile. Errors: as those. */
bool workload_time(const struct workload_request *request, struct workload_outcome *out, struct error *err);

/* Two sizes of one workload by as many threads: points that a line joins, where all else is the same. Pure. */
bool workload_same_series(const struct workload_request *a, const struct workload_request *b);

/* So many of the requests are counted together, the first among them: whole series by one thread, until each of `cpus`
 * has some to count, so that little is lost when counting is interrupted. Pure. */
size_t workload_counted_together(const struct workload_request *requests, size_t count, unsigned cpus);

/* Counts those side by side, one at a time on each CPU that is allowed, and returns how many can be timed now, from the
 * first on: fewer where one failed, which the next call counts alone, and then says why. What their data takes is told
 * to the requests that follow. 0: interrupted, or the first one's error, as of workload_count(). */
size_t workload_count_some(struct workload_request *requests, size_t count, struct workload_outcome *outcomes,
                           struct error *err);

/* Each run ends by writing back what it changed. Pure. */
bool workload_counts_write_back(const struct workload_request *request);

/* All its data is less than that, by what it takes at another size, since none grows faster than the cube of the size;
 * false where that does not tell. Pure. */
bool workload_has_less(const struct workload_request *request, double bytes);

/* So many threads, and on how many cores and CPUs of the request's machine they run. Pure. */
void workload_place(struct workload_request *request, unsigned threads);

/* "daxpy cold 1 thread", and "daxpy 1000000": what is not as usual (f64, the widest vectors, cold data, warm code, a
 * TLB that is not emptied, one thread, the usual block) is said: "stream-add cold 8 threads on 2 CPUs". Pure. */
void workload_series(const struct workload_request *request, char *out, size_t size);
void workload_point_name(const struct workload_request *request, char *out, size_t size);

/* What a report of the native process says: of time, whose order it changes, and what theory says of one run. Pure. */
void workload_take_time(const struct workload_request *request, struct workload_report *report,
                        struct workload_outcome *out);
void workload_take_theory(const struct workload_report *report, struct workload_outcome *out);

/* Of each `least_of` seconds the least; what is left over is dropped, unless that were all. Returns how many. Pure. */
size_t workload_least(double *seconds, size_t count, unsigned least_of);

#endif
