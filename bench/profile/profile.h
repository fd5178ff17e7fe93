/* SPDX-License-Identifier: BSD-3-Clause
 * What a counted program did: flop, bytes and instructions by region, function and thread, from what the collector
 * left. */
#ifndef BENCH_PROFILE_H
#define BENCH_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/instruction.h"
#include "bench/caches/footprint.h"
#include "bench/caches/hierarchy.h"
#include "probe/error.h"

enum count_type { COUNT_F64, COUNT_F32, COUNT_F16, COUNT_BF16, COUNT_X87, COUNT_I8, COUNT_TYPES };
enum count_width { COUNT_SCALAR, COUNT_128, COUNT_256, COUNT_512, COUNT_TILE, COUNT_WIDTHS };
extern const char *const count_type_names[COUNT_TYPES + 1];   /* "f64" … "x87", "i8"; NULL at the end */
extern const char *const count_width_names[COUNT_WIDTHS + 1]; /* "scalar", "128", …, "tile" */

struct count { /* nothing but uint64_t, so that it can be summed as an array */
    uint64_t instructions;
    uint64_t load_instructions, store_instructions; /* those that access memory otherwise than as the implicit stack */
    uint64_t flop[COUNT_TYPES][COUNT_WIDTHS];       /* of active lanes; COUNT_I8: operations, which are no flop */
    uint64_t fused_flop;                            /* of these, floating point by fused multiply-adds */
    uint64_t unfused_flop; /* floating point, of pairs that fused multiply-adds could do; 0 too where nobody looked */
    uint64_t full_flop;    /* floating point, if every masked lane were active */
    uint64_t load_bytes, store_bytes; /* asked for by active lanes, without the implicit stack */
    uint64_t full_load_bytes, full_store_bytes;
    uint64_t stack_load_bytes, stack_store_bytes; /* push, pop, call, ret */
    uint64_t bytes_unknown;                       /* instructions whose bytes are not known */
    uint64_t mix[CLASS_COUNT];
    uint64_t waiting_instructions, waiting_bytes; /* of loops that wait for another thread; not in the above */
};
enum { COUNT_WORDS = sizeof(struct count) / sizeof(uint64_t) };

uint64_t count_flop(const struct count *count); /* of all floating-point types and widths */
void count_add(struct count *sum, const struct count *more);

/* Adds executions of one instruction, without what depends on its elements; and elements of one with a dynamic cost. */
void count_executions(struct count *sum, const struct effect *effect, uint64_t executions);
void count_elements(struct count *sum, const struct effect *effect, uint64_t elements);

struct profile_function {
    char name[512];   /* as in its file; "" where no symbol covers it: then it is the object's remainder */
    char object[128]; /* file name, "libm.so.6" */
    struct count count;
    struct profile_traffic *traffic; /* of simulated caches (profile_traffic.h); NULL: none */
    struct touched touched;          /* by each process; 0 of those of regions */
};
struct profile_rank { /* what one rank did in a region */
    unsigned number;
    struct count count, mpi; /* as of the region */
    size_t thread_count;
    struct count *threads; /* without what they did inside of MPI's calls */
};
struct profile_region {
    char name[64]; /* "" for the whole program, which comes first */
    uint64_t calls;
    unsigned open, mismatched; /* marks without their counterpart */
    struct count count;
    struct count mpi; /* inside of MPI's calls; in none of the others */
    size_t function_count, thread_count, rank_count;
    struct profile_function *functions;      /* most instructions first */
    struct count *threads;                   /* those that did something in it, in the order of their creation */
    struct profile_traffic **thread_traffic; /* likewise; NULL, or of each NULL: none */
    struct touched *thread_touched;          /* likewise */
    struct profile_traffic *traffic;         /* NULL: none */
    struct touched touched;
    struct profile_rank *ranks; /* in any order; of a program that was started as none there are none */
};
struct profile {
    unsigned process_count;      /* program images */
    uint64_t own_bytes;          /* that the counter wrote in all of them */
    uint64_t children_own_bytes; /* of these, in processes that the program started */
    unsigned killed_count;       /* images among these that left no counts */
    uint64_t time_readings;      /* of clocks */
    bool has_timers;             /* it slept, set timers, or waited for limited times */
    unsigned threads_together;   /* of one process: the most that worked at the same time; 0: not known */
    size_t region_count;         /* at least 1 */
    struct profile_region *regions;
    struct hierarchy_geometry caches;         /* that were simulated; level_count 0: none */
    unsigned one_of;                          /* of how many classes of lines one was */
    uint64_t seed, changes[SAMPLING_CLASSES]; /* of struct sampling */
    bool touches_unknown;        /* what functions, loops and lines touched is not known: it was too much to keep */
    struct profile_parts *parts; /* loops and lines of the whole program, where they were asked for; else NULL */
};

/* Sums up all reports in the folder; where some are of ranks, those: what started them is no part of the program. Of
 * processes that were killed, those that the program killed itself and up to `killed_most` others leave none. Errors:
 * none there; none complete, more were killed, or one still runs; a program that was started and not counted; a program
 * that can't be counted, with the reason; damaged. */
bool profile_read_ended(const char *folder, unsigned killed_most, struct profile *out, struct error *err);
/* Likewise, with loops and lines, which takes longer. */
bool profile_read_parts(const char *folder, unsigned killed_most, struct profile *out, struct error *err);
/* Where all must have ended by themselves. */
bool profile_read(const char *folder, struct profile *out, struct error *err);
void profile_free(struct profile *profile);

const struct profile_region *profile_region_find(const struct profile *profile, const char *name); /* NULL: none */

#endif
