/* SPDX-License-Identifier: BSD-3-Clause
 * The request of `carmine workload` to carmine-workload: the workload's name and words KEY=VALUE. `carmine workload`
 * has parsed its own options before, so these words are not meant for people. */
#pragma once

#include "caches.h"

#include "bench/workloads/kernels/workload.h"

enum { REQUEST_MAX_SIZES = 256 };

struct process_request {
    bool list; /* only list the workloads */
    const char *workload;
    const char *file; /* the library of a user's own workload; NULL: a built-in one */
    const char *type; /* "f64" */
    const char *isa;  /* NULL: the CPU's widest */
    size_t size_count;
    uint64_t sizes[REQUEST_MAX_SIZES];
    unsigned threads, repetitions;
    uint64_t block;  /* 0: the workload's own */
    uint64_t runs;   /* per repetition; 0: enough to take `cycles` */
    double cycles;   /* at least, per repetition */
    double budget_s; /* repetitions end after this time, with at least one; 0: no limit */
    struct caches_wish caches;
    uint64_t last_level_bytes; /* size of a simulated last-level cache that is to be cold; 0: this machine's */
    bool counted;              /* waiting threads sleep instead of spinning, and no clock is read */
    bool simulated; /* the caches are: the result is not checked, and warm data gets an uncounted run before */
};

/* Error: an unknown word, an invalid value, a repeated key; no name, or no size. */
bool request_read(int argc, char **argv, struct process_request *out, struct error *err);

/* A user's own workload: a library compiled from a file with the functions of carmine_workload.h, as a row. */

/* Loads the library and makes its row, for one task; its close() unloads it. Errors: it cannot be loaded; buffers()
 * or run() is missing; buffers() defines no buffers, or invalid ones. From here on the file's output goes to stderr,
 * and a crash in the file ends the process with status 2 and a line with the function's name. */
const struct workload *workload_file_load(const char *path, const char *name, uint64_t n, struct error *err);

/* Later output belongs to the report and goes to stdout again. */
void workload_file_report(void);
