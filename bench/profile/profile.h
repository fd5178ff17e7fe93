/* SPDX-License-Identifier: BSD-3-Clause
 * The work of a counted program: flop, bytes and instructions by region, function and thread, from the collector's
 * files. */
#ifndef BENCH_PROFILE_H
#define BENCH_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/instruction.h"
#include "bench/caches/footprint.h"
#include "bench/caches/hierarchy.h"
#include "probe/error.h"

enum count_type { COUNT_F64, COUNT_F32, COUNT_F16, COUNT_BF16, COUNT_X87, COUNT_I8, COUNT_I16, COUNT_TYPES };
enum count_width { COUNT_SCALAR, COUNT_128, COUNT_256, COUNT_512, COUNT_TILE, COUNT_WIDTHS };
extern const char *const count_type_names[COUNT_TYPES + 1];   /* "f64" … "x87", "i8", "i16"; NULL at the end */
extern const char *const count_width_names[COUNT_WIDTHS + 1]; /* "scalar", "128", …, "tile" */

struct count { /* only uint64_t, so that it can be added up as an array */
    uint64_t instructions;
    uint64_t load_instructions, store_instructions; /* except implicit stack accesses */
    uint64_t flop[COUNT_TYPES][COUNT_WIDTHS];       /* of active lanes; of integers operations, which are no flop */
    uint64_t fused_flop;                            /* of these, floating point by fused multiply-adds */
    uint64_t unfused_flop; /* floating point, of pairs that could be fused multiply-adds; also 0 if not determined */
    uint64_t full_flop;    /* floating point, if every masked lane were active */
    uint64_t load_bytes, store_bytes; /* requested by active lanes, without the implicit stack */
    uint64_t full_load_bytes, full_store_bytes;
    uint64_t stack_load_bytes, stack_store_bytes; /* push, pop, call, ret */
    uint64_t bytes_unknown;                       /* instructions with an unknown number of bytes */
    uint64_t mix[CLASS_COUNT];
    uint64_t waiting_instructions, waiting_bytes; /* of loops that wait for another thread; not in the above */
};
enum { COUNT_WORDS = sizeof(struct count) / sizeof(uint64_t) };

bool count_is_integer(enum count_type type);
uint64_t count_flop(const struct count *count); /* Sum of all floating-point types and widths. */
void count_add(struct count *sum, const struct count *more);

/* Adds executions of one instruction without its dynamic part; and elements of one with a dynamic cost. */
void count_executions(struct count *sum, const struct effect *effect, uint64_t executions);
void count_elements(struct count *sum, const struct effect *effect, uint64_t elements);

struct profile_function {
    char name[512];   /* as in its file; "": the part of the object without symbols */
    char object[128]; /* file name, "libm.so.6" */
    struct count count;
    struct profile_traffic *traffic; /* of simulated caches (profile_traffic.h); NULL: none */
    struct touched touched;          /* sum over processes; 0 in regions */
};
struct profile_rank { /* one rank in a region */
    unsigned number;
    struct count count, mpi; /* as in the region */
    size_t thread_count;
    struct count *threads; /* without MPI's calls */
};
struct profile_region {
    char name[64]; /* the whole program comes first, named "" */
    uint64_t calls;
    unsigned open, mismatched; /* marks without their counterpart */
    struct count count;
    struct count mpi; /* inside of MPI's calls; not in the other counts */
    size_t function_count, thread_count, rank_count;
    struct profile_function *functions;      /* most instructions first */
    struct count *threads;                   /* those with work in it, in the order of their creation */
    struct profile_traffic **thread_traffic; /* likewise; NULL, or each NULL: none */
    struct touched *thread_touched;          /* likewise */
    struct profile_traffic *traffic;         /* NULL: none */
    struct touched touched;
    struct profile_rank *ranks; /* in any order; none if the program was not started as ranks */
};
struct profile_slice { /* a thread's work from tick to tick of its CPU time (COLLECTOR_EVERY) */
    uint32_t rank, pid, tid;
    uint64_t wall_ns, cpu_ns; /* CLOCK_MONOTONIC at its end, and its CPU time */
    uint64_t place;           /* profile_place() of the code at its end; 0: unknown */
    struct count count;       /* differences modulo 2^64: only sums are counts. 0 for MPI's threads */
};
/* A number for the code around an offset in a file; 0 is none. */
uint64_t profile_place(const char *path, uint64_t file_offset);

struct profile {
    unsigned process_count;      /* program images */
    unsigned killed_count;       /* images of these that left no counts */
    uint64_t time_readings;      /* of clocks */
    bool has_timers;             /* it slept, set timers, or waited with a timeout */
    unsigned threads_together;   /* most threads of one process that worked at the same time; 0: unknown */
    size_t region_count;         /* at least 1 */
    struct profile_region *regions;
    struct hierarchy_geometry caches;         /* the simulated ones; level_count 0: none */
    unsigned one_of;                          /* one class of cache lines in so many was simulated */
    uint64_t seed, changes[SAMPLING_CLASSES]; /* of struct sampling */
    bool touches_unknown;                     /* footprints by code are unknown: they were too large to store */
    size_t slice_count;
    struct profile_slice *slices; /* by rank, process and thread, and a thread's in order */
    struct profile_parts *parts;  /* loops and lines of the whole program, if requested; else NULL */
};

/* Adds up all reports in the folder. If some are of ranks, only those: the launcher is not part of the program.
 * Processes that the program itself killed, and up to `killed_most` others, may lack counts. Errors: no report; none
 * complete, more processes were killed, or one still runs; a program that was started without the counter; a program
 * that can't be counted, with the reason; damaged files. */
bool profile_read_ended(const char *folder, unsigned killed_most, struct profile *out, struct error *err);
/* Likewise, with loops and lines, which takes longer. */
bool profile_read_parts(const char *folder, unsigned killed_most, struct profile *out, struct error *err);
/* Likewise, if all processes must have ended by themselves. */
bool profile_read(const char *folder, struct profile *out, struct error *err);
void profile_free(struct profile *profile);

const struct profile_region *profile_region_find(const struct profile *profile, const char *name); /* NULL: none. */

#endif
