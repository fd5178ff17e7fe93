/* SPDX-License-Identifier: BSD-3-Clause
 * One size of one workload as a point. One process of carmine-workload (bench/workloads/) is counted, perhaps with
 * simulated caches; another is timed. Counts and simulations do not depend on the machine's load and take longer than
 * timing. So several sizes are counted side by side, and then timed one after the other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app_point.h"
#include "levels_geometry.h"

#include "bench/profile/profile.h"
#include "probe/events/events.h"

/* The output of carmine-workload for one size: the runs, their times, and the theory of one run. Pure. */

struct error;

struct workload_report {
    char workload[64], type[8], isa[16];
    char library[160]; /* called by it, "OpenBLAS 0.3.21"; "" none */
    uint64_t size, block, working_set_bytes;
    unsigned threads, runs; /* runs per repetition */
    enum app_state data, code, tlb;
    size_t seconds_count;
    double *seconds;                      /* of one run, by repetition */
    double clock_hz;                      /* median of the repetitions; 0: unknown */
    bool flop_known;                      /* otherwise it is up to a library, and `flop` is 0 */
    double flop, load_bytes, store_bytes; /* of one run; no bytes if theory gives no exact value */
    double read_bytes, write_bytes;       /* compulsory; includes reads for write-allocate */
    double pseudo_flop;
    double check_error; /* of the result */
    bool ok;            /* it is small enough */
};

/* Reads one line of JSON. Error: not JSON, or something is missing. */
bool workload_report_read(const char *text, struct workload_report *out, struct error *err);
void workload_report_free(struct workload_report *report);

struct machine;

/* A user's workload instead of a built-in one. */
struct workload_own {
    const char *file;     /* its source, as given */
    const char *label;    /* of its points */
    const char *library;  /* the compiled library */
    const char *compiler; /* with version and flags */
};

struct workload_request {
    const char *program;    /* path of carmine-workload */
    const char *collectors; /* the folder with the collectors */
    const char *name, *type;
    const struct workload_own *own; /* then `name` is the region's; NULL: a built-in one */
    const char *command;            /* stored with its points; NULL: that of carmine-workload */
    const char *isa;                /* of its code; NULL: the widest of the CPU */
    uint64_t size;
    unsigned block; /* 0: default */
    unsigned threads;
    unsigned cores, cpus; /* used by its threads, if fewer, as in a point: workload_place() */
    enum app_state data, code;
    enum app_state tlb;     /* STATE_COLD: it is flushed before each run */
    const char *write_back; /* changed cache lines that a run leaves: "counted", "left-out"; NULL: earlier runs' lines
                               compensate for them */
    unsigned repeat;        /* repetitions that count; 0: no timing */
    unsigned least_of;      /* each is the fastest of so many; 1: each is itself */
    double cycles;          /* least cycles of a repetition, with as many runs as needed; 0: default */
    double budget_s;        /* repetitions end after this time; 0: no limit */
    struct levels_choice levels; /* simulated traffic at all levels, while counting */
    uint64_t other_size;         /* size with a known amount of data, other_bytes; 0: none is known */
    double other_bytes;
    unsigned traffic_repeat; /* simulations with other samples of lines, for the quartiles of DRAM bytes; at least 1 */
    const struct machine *machine;
    uint64_t own_llc_bytes;         /* measured size of this machine's last cache; 0: as detected */
    const struct event_set *events; /* of this CPU: counts DRAM traffic, if readable */
    bool tlb_misses;                /* counted by them, too */
    bool annotate;                  /* the code of a user's run() */
    bool alone;                     /* nothing is counted beside it */
    bool uncounted;                 /* by a build without the exact counter: the theory's flop and bytes replace it */
    void (*progress)(const struct workload_request *request, const char *what); /* NULL after the last */
};

/* The words for a request's states, as names of points have them. */
struct workload_state {
    const char *word;
    size_t field;           /* of the request: an enum app_state, */
    enum app_state state;   /* and its value; */
    const char *write_back; /* or not NULL, of request.write_back */
};
enum { WORKLOAD_STATES = 7 };
extern const struct workload_state workload_states[WORKLOAD_STATES];

struct workload_outcome {
    struct app_point point;
    char isa[16];                   /* of its code, natively */
    char library[160];              /* called by it; "" none */
    unsigned runs;                  /* per repetition */
    unsigned wanted, repeat;        /* repetitions; fewer than wanted if the budget was spent */
    bool flop_known;                /* by theory; otherwise up to a library */
    double check_error;             /* of the result, as the workload defines it; small enough if there is an outcome */
    struct levels_geometry levels;  /* the simulated caches */
    struct annotation *annotations; /* of run(), freed by annotations_free(); NULL: none */
    size_t annotation_count;
};

/* Counts, which a busy machine does not disturb: the work of one run, and its traffic in simulated caches. Errors:
 * carmine-workload refuses, in its own words; its result is wrong; it cannot be counted; interrupted. */
bool workload_count(const struct workload_request *request, struct workload_outcome *out, struct error *err);

/* Adds the time to the counts: nothing else should run meanwhile. Errors: as above. */
bool workload_time(const struct workload_request *request, struct workload_outcome *out, struct error *err);

/* Two sizes of one workload with equal threads: a line joins their points if all else is equal. Pure. */
bool workload_same_series(const struct workload_request *a, const struct workload_request *b);

/* The number of requests to count together, from the first on: whole series with one thread, until each of `cpus` has
 * some to count. So an interruption loses little. Pure. */
size_t workload_counted_together(const struct workload_request *requests, size_t count, unsigned cpus);

/* Counts those side by side, one at a time on each allowed CPU. Returns how many can be timed now, from the first on.
 * There are fewer if one failed; the next call counts it alone, and reports the error. The following requests learn the
 * size of their data. 0: interrupted, or the first one's error, as for workload_count(). */
size_t workload_count_some(struct workload_request *requests, size_t count, struct workload_outcome *outcomes,
                           struct error *err);

/* Each run ends with the write-back of its changed cache lines. Pure. */
bool workload_counts_write_back(const struct workload_request *request);

/* Whether all its data is less than `bytes`, judged from another size: no workload's data grows faster than the cube of
 * the size. False if unknown. Pure. */
bool workload_has_less(const struct workload_request *request, double bytes);

/* Sets the threads, and on how many cores and CPUs of the request's machine they run. Pure. */
void workload_place(struct workload_request *request, unsigned threads);

/* "daxpy cold 1 thread" and "daxpy 1000000". Only deviations from the defaults (f64, the widest vectors, cold data,
 * warm code, no TLB flush, one thread, the default block) are named: "stream-add cold 8 threads on 2 CPUs". Pure. */
void workload_series(const struct workload_request *request, char *out, size_t size);
void workload_point_name(const struct workload_request *request, char *out, size_t size);

/* The results of a report of the native process: the times, which are reordered, and the theory of one run. Pure. */
void workload_take_time(const struct workload_request *request, struct workload_report *report,
                        struct workload_outcome *out);
void workload_take_theory(const struct workload_report *report, struct workload_outcome *out);
/* What theory knows becomes the point's flop and bytes. */
void workload_state_work(const struct workload_request *request, struct workload_outcome *out);

/* The least of each `least_of` seconds. An incomplete rest is dropped, unless there is nothing else. Returns their
 * number. Pure. */
size_t workload_least(double *seconds, size_t count, unsigned least_of);
