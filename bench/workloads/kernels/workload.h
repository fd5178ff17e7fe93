/* SPDX-License-Identifier: BSD-3-Clause
 * A workload is a row: its arithmetic, its arrays, its analytic work and traffic, and the check of its result. The
 * families (blas1.c, dgemm.c, …) are written once and compiled for every element type and instruction set
 * (variant.c); table.c finds a row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/isa.h"

struct error;

/* One requested size of one workload. */
struct task {
    const struct workload *workload;
    const struct isa *isa; /* compiled for it */
    uint64_t n;            /* the size */
    unsigned threads;
    unsigned block;         /* 0: the workload has none */
    unsigned element_bytes; /* of its type */
    bool repeated;          /* the data has to stay normal numbers over any number of runs */
    void *library;          /* from open(), for run() and close() */
    char library_name[160]; /* "OpenBLAS 0.3.21, SkylakeX"; "" without one */
};

/* One thread's part: elements (or rows) [first, end) of n, in whole cache lines. */
struct lane {
    const struct task *task;
    unsigned thread;
    uint64_t first, end;
};
struct lane lane_of(const struct task *task, unsigned thread, uint64_t count);

/* The use of an array by one run. A cache that allocates on writes also fetches data that is only written, unless
 * the stores bypass the caches. */
enum access { SCRATCH = 0, READ = 1, WRITTEN = 2, UPDATED = READ | WRITTEN, PAST_CACHES = 4 };

struct array {
    const char *name;
    uint64_t (*elements)(const struct task *task);
    unsigned access;        /* enum access */
    unsigned element_bytes; /* 0: of the task's type */
};
enum { MAX_ARRAYS = 10 };

/* The work of one run. */
struct work {
    uint64_t flop;
    bool flop_unknown;    /* a library decides */
    uint64_t pseudo_flop; /* 5 n log2 n of a Fourier transform; else 0 */
    uint64_t load_bytes, store_bytes;
    bool bytes_exact; /* false: the compiler or a library decides the core's loads and stores */
};
struct workload_traffic {
    uint64_t read_bytes, write_bytes; /* compulsory: every input once in, every output once out */
    uint64_t allocate_bytes;          /* also read if caches allocate on writes */
    uint64_t data_bytes;              /* of all arrays */
};

struct workload {
    const char *name, *summary;
    const char *size;       /* what n counts */
    const char *block;      /* meaning of `block`; NULL: it has none */
    unsigned block_default; /* if it has one */
    uint64_t size_least;    /* 0: 1 */
    bool power_of_two;      /* the size must be */
    bool one_thread;        /* it is not parallel */
    bool own_threads;       /* a library starts its own threads: run() is called once, not by every thread */
    double tolerance;       /* of the result, in the type's epsilons */
    bool sums;              /* over about n terms: the tolerance grows with sqrt(n) */
    uint64_t alike_from; /* a run of this size takes the same code paths as larger ones, even on their arrays with any
                            content; 0: no such size is known */
    struct array arrays[MAX_ARRAYS];                                  /* up to the first without a name */
    uint64_t (*array_bytes)(const struct task *task, unsigned array); /* NULL: the arrays' elements() decide */

    /* Work: either a fixed amount for each of n elements, with loads and stores of one element each, or work(). */
    struct {
        unsigned flop, loads, stores;
    } each;
    void (*work)(const struct task *task, struct work *out);

    bool (*open)(struct task *task, struct error *err); /* NULL: nothing to do. Error: a library is not installed */
    void (*close)(struct task *task);
    void (*fill)(const struct lane *lane, void *const *arrays); /* NULL: value() for every element of inputs */
    double (*value)(const struct task *task, unsigned array, uint64_t index); /* NULL: between 0.5 and 1.5 */
    void (*run)(const struct lane *lane, void *const *arrays);

    /* The error of one run's result on freshly filled arrays, relative to its size: either each element of the first
     * written array against expected(), or check(). */
    double (*expected)(const struct task *task, uint64_t index);
    double (*check)(const struct task *task, void *const *arrays);
};

/* The rows for a type ("f64", "f32") and ISA, NULL-terminated; NULL if there are none. */
const struct workload *const *workload_rows(const char *type, const char *isa);

/* Error: unknown (the known ones are listed), or of f64 only. */
const struct workload *workload_find(const char *name, const char *type, const struct isa *isa, struct error *err);

/* The widest ISA with rows that these CPU features (enum cpu_feature) allow. */
const struct isa *workload_isa(cpu_features features);

unsigned workload_array_count(const struct workload *workload);
uint64_t workload_array_bytes(const struct task *task, unsigned array);
struct work workload_work(const struct task *task);
struct workload_traffic workload_traffic(const struct task *task);

/* An input's first value according to value(). */
double workload_value(const struct task *task, unsigned array, uint64_t index);

/* Fills one lane's part of all arrays. */
void workload_fill(const struct lane *lane, void *const *arrays);

/* The error of the result after one run, by expected() or check(), and its limit. NaN is an error too. */
double workload_error(const struct task *task, void *const *arrays);
double workload_tolerance(const struct task *task);

/* Optional libraries: used if they are installed, not needed for the build. */

/* Stays loaded until the end. NULL and an error with the Debian package: not installed. */
void *library_open(const char *file, const char *name, const char *package, struct error *err);

/* `function` points to a function pointer. Error: the library has no function of this name. */
bool library_function(void *library, const char *name, void *function, struct error *err);

/* The string in the library's character array of this name; "" if there is none. */
void library_text(void *library, const char *name, char *out, size_t size);
