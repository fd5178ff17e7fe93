/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of carmine-workload. */
#ifndef BENCH_WORKLOADS_OPTIONS_H
#define BENCH_WORKLOADS_OPTIONS_H

#include "caches.h"

enum { OPTIONS_MAX_SIZES = 256 };

struct options {
    bool help, list, counted, simulated;
    const char *workload;
    const char *file; /* the library of a workload of the user's own; NULL: a built-in one */
    const char *type; /* "f64" */
    const char *isa;  /* NULL: the widest that the CPU has */
    size_t size_count;
    uint64_t sizes[OPTIONS_MAX_SIZES];
    unsigned threads, repetitions;
    uint64_t block;  /* 0: the workload's own */
    uint64_t runs;   /* 0: as many as the threshold takes */
    double cycles;   /* the threshold: of a repetition, */
    double seconds;  /* or if more than 0 this */
    double budget_s; /* of all repetitions; 0: no limit */
    struct caches_wish caches;
    uint64_t last_level_bytes; /* 0: this machine's */
};

extern const char options_help[];

/* Error: one line that names the option and what it takes. */
bool options_parse(int argc, char **argv, struct options *out, struct error *err);

#endif
