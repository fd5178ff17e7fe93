/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine workload` requests of one carmine-workload: the workload's name and words KEY=VALUE. It has read its own
 * options by then, so these words are no command line for people. */
#ifndef BENCH_WORKLOADS_REQUEST_H
#define BENCH_WORKLOADS_REQUEST_H

#include "caches.h"

enum { REQUEST_MAX_SIZES = 256 };

struct process_request {
    bool list; /* the workloads, and nothing else */
    const char *workload;
    const char *file; /* the library of a workload of the user's own; NULL: a built-in one */
    const char *type; /* "f64" */
    const char *isa;  /* NULL: the widest that the CPU has */
    size_t size_count;
    uint64_t sizes[REQUEST_MAX_SIZES];
    unsigned threads, repetitions;
    uint64_t block;  /* 0: the workload's own */
    uint64_t runs;   /* of a repetition; 0: as many as take so many */
    double cycles;   /* at least */
    double budget_s; /* repetitions end when they took so long, one at least; 0: no limit */
    struct caches_wish caches;
    uint64_t last_level_bytes; /* of the last cache, where a simulated one is to be cold; 0: this machine's */
    bool counted;              /* a thread that is done sleeps instead of spinning, and no clock is read */
    bool simulated; /* caches are: the result is not checked, and warm data has a run before that does not count */
};

/* Error: a word that is none, or no value of its key; no name, or no size. */
bool request_read(int argc, char **argv, struct process_request *out, struct error *err);

#endif
