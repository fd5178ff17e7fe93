/* SPDX-License-Identifier: BSD-3-Clause
 * What a workload is: a row with its arithmetic, the arrays that it works on, its analytic work and traffic, and the
 * check of its result. The families (blas1.c, dgemm.c, …) are written once and compiled for every element type and
 * instruction set (variant.c); table.c finds a row. */
#ifndef BENCH_WORKLOADS_KERNELS_WORKLOAD_H
#define BENCH_WORKLOADS_KERNELS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "probe/error.h"
#include "probe/isa.h"

/* One size of one workload, as it was asked for. */
struct task {
    const struct workload *workload;
    const struct isa *isa; /* that it was compiled for */
    uint64_t n;            /* the size */
    unsigned threads;
    unsigned block;         /* of workloads that have one, else 0 */
    unsigned element_bytes; /* of its type */
    bool repeated;          /* the data has to stay normal numbers however often it is worked on */
    void *library;          /* what open() made, for run() and close() */
    char library_name[160]; /* "OpenBLAS 0.3.21, SkylakeX"; "" without one */
};

/* One thread's part: elements (or rows) [first, end) of n, in whole cache lines. */
struct lane {
    const struct task *task;
    unsigned thread;
    uint64_t first, end;
};
struct lane lane_of(const struct task *task, unsigned thread, uint64_t count);

/* What one run does to an array. Data that is written without being read is nevertheless fetched by a cache that
 * allocates on writes, unless the stores go past the caches. */
enum access { SCRATCH = 0, READ = 1, WRITTEN = 2, UPDATED = READ | WRITTEN, PAST_CACHES = 4 };

struct array {
    const char *name;
    uint64_t (*elements)(const struct task *task);
    unsigned access;        /* enum access */
    unsigned element_bytes; /* 0: of the task's type */
};
enum { MAX_ARRAYS = 10 };

/* Of one run. */
struct work {
    uint64_t flop;
    bool flop_unknown;    /* a library's own */
    uint64_t pseudo_flop; /* 5 n log2 n of a Fourier transform; else 0 */
    uint64_t load_bytes, store_bytes;
    bool bytes_exact; /* else what the core asks for is the compiler's or a library's own */
};
struct workload_traffic {
    uint64_t read_bytes, write_bytes; /* compulsory: every input once in, every output once out */
    uint64_t allocate_bytes;          /* read besides where caches allocate on writes */
    uint64_t data_bytes;              /* of all arrays */
};

struct workload {
    const char *name, *summary;
    const char *size;                /* what n counts */
    const char *block;               /* what `block` is; NULL: it has none */
    unsigned block_default;          /* where it has one */
    uint64_t size_least;             /* 0: 1 */
    bool power_of_two;               /* the size must be */
    bool one_thread;                 /* it is not parallel */
    bool own_threads;                /* a library brings its own: run() is called once, not by every thread */
    double tolerance;                /* of the result, in the type's epsilons */
    bool sums;                       /* over about n terms: the tolerance grows with sqrt(n) */
    uint64_t alike_from;             /* a run of this size takes the ways through the code that larger ones take; and on
                                        their arrays, whatever these hold; 0: no such size is known */
    struct array arrays[MAX_ARRAYS]; /* up to the first without a name */
    uint64_t (*array_bytes)(const struct task *task, unsigned array); /* NULL: as the arrays' elements() say */

    /* Work: either so much of each of n elements, with loads and stores of one element, or work(). */
    struct {
        unsigned flop, loads, stores;
    } each;
    void (*work)(const struct task *task, struct work *out);

    bool (*open)(struct task *task, struct error *err); /* NULL: nothing to do. Error: a library is absent */
    void (*close)(struct task *task);
    void (*fill)(const struct lane *lane, void *const *arrays); /* NULL: value() of every element of inputs */
    double (*value)(const struct task *task, unsigned array, uint64_t index); /* NULL: between 0.5 and 1.5 */
    void (*run)(const struct lane *lane, void *const *arrays);

    /* The error of what one run made of freshly filled arrays, relative to its size: either each element of the first
     * array that is written against expected(), or check(). */
    double (*expected)(const struct task *task, uint64_t index);
    double (*check)(const struct task *task, void *const *arrays);
};

/* The rows for a type ("f64", "f32") and ISA, NULL-terminated; NULL where there are no such. */
const struct workload *const *workload_rows(const char *type, const char *isa);

/* Error: unknown (the known ones are listed), or of f64 only. */
const struct workload *workload_find(const char *name, const char *type, const struct isa *isa, struct error *err);

/* The widest ISA that these CPU features (enum cpu_feature) allow and that there are rows for. */
const struct isa *workload_isa(uint32_t features);

unsigned workload_array_count(const struct workload *workload);
uint64_t workload_array_bytes(const struct task *task, unsigned array);
struct work workload_work(const struct task *task);
struct workload_traffic workload_traffic(const struct task *task);

/* What an input's element starts with, as far as value() says. */
double workload_value(const struct task *task, unsigned array, uint64_t index);

/* Fills one lane's part of all arrays. */
void workload_fill(const struct lane *lane, void *const *arrays);

/* The error of the result after one run, by expected() or check(), and what it may be. NaN is an error, too. */
double workload_error(const struct task *task, void *const *arrays);
double workload_tolerance(const struct task *task);

#endif
