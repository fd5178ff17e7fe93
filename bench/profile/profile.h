/* SPDX-License-Identifier: BSD-3-Clause
 * The work of a counted program: flop, bytes and instructions by region, function, thread, loop and line, from the
 * counter's files. The one header of the counter that other code includes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/instruction.h"
#include "bench/caches/caches.h"

struct error;

enum count_type { COUNT_F64, COUNT_F32, COUNT_F16, COUNT_BF16, COUNT_X87, COUNT_I8, COUNT_I16, COUNT_TYPES };
enum count_width { COUNT_SCALAR, COUNT_128, COUNT_256, COUNT_512, COUNT_TILE, COUNT_WIDTHS };
extern const char *const count_type_names[COUNT_TYPES + 1];   /* "f64" … "x87", "i8", "i16"; NULL at the end */
extern const char *const count_width_names[COUNT_WIDTHS + 1]; /* "scalar", "128", …, "tile" */

enum { COUNT_WORDS = 16 + (int)COUNT_TYPES * (int)COUNT_WIDTHS + CLASS_COUNT };
struct count {
    union {
        struct {
            uint64_t instructions;
            uint64_t load_instructions, store_instructions; /* except implicit stack accesses */
            uint64_t flop[COUNT_TYPES][COUNT_WIDTHS]; /* of active lanes; of integers operations, which are no flop */
            uint64_t fused_flop;                      /* of these, floating point by fused multiply-adds */
            uint64_t unfused_flop; /* floating point, of pairs that could be fused; also 0 if not determined */
            uint64_t full_flop;    /* floating point, if every masked lane were active */
            uint64_t load_bytes, store_bytes; /* requested by active lanes, without the implicit stack */
            uint64_t full_load_bytes, full_store_bytes;
            uint64_t stack_load_bytes, stack_store_bytes; /* push, pop, call, ret */
            uint64_t bytes_unknown;                       /* instructions with an unknown number of bytes */
            uint64_t unknown_instructions;                /* newer than the decoder */
            uint64_t mix[CLASS_COUNT];
            uint64_t waiting_instructions, waiting_bytes; /* of loops that wait for another thread; not in the above */
        };
        uint64_t words[COUNT_WORDS]; /* all of them, to add up */
    };
};
_Static_assert(offsetof(struct count, waiting_bytes) + sizeof(uint64_t) == sizeof(struct count),
               "a word for each count");

bool count_is_integer(enum count_type type);
uint64_t count_flop(const struct count *count); /* Sum of all floating-point types and widths. */
void count_add(struct count *sum, const struct count *more);

/* Adds executions of one instruction without its dynamic part; and elements of one with a dynamic cost. */
void count_executions(struct count *sum, const struct effect *effect, uint64_t executions);
void count_elements(struct count *sum, const struct effect *effect, uint64_t elements);

/* The counts of caches that were simulated while the program was counted. */

/* By group of the sampling; point_levels_make() extrapolates to all cache lines. Loads and stores of the core
 * are counted exactly elsewhere. */
struct profile_traffic {
    struct hierarchy_counts of_group[SAMPLING_GROUPS_MAX];
};

struct profile_function {
    char name[512];   /* as in its file; "": the part of the object without symbols */
    char object[128]; /* file name, "libm.so.6" */
    struct count count;
    struct profile_traffic *traffic; /* of simulated caches; NULL: none */
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

/* The work by loop and by line, and the places of their code in its files, so that samples of CPU time find both. */

#define PART_NONE UINT32_MAX

/* The source of a part, and its function. Each text is stored once, in the parts; "" is unknown. */
struct part_source {
    const char *object;   /* file name of the code, "libm.so.6" */
    const char *function; /* as in that file; "" if no symbol covers it */
    const char *inlined;  /* the innermost inlined function that the code is from */
    const char *file;     /* of the source */
    unsigned line;        /* 0: no debug information */
    uint64_t offset; /* of the loop's header, or of code without a line: from the function's start; without a function,
                        in the file */
};
struct profile_loop {
    struct part_source source;
    uint32_t parent;     /* enclosing loop in the same function; PART_NONE */
    unsigned depth;      /* 1: outermost */
    uint64_t iterations; /* executions of its header: if the loop tests at its top, one more for each entry */
    uint64_t entries;
    bool entries_known;
    struct count count;              /* with inner loops, without called functions */
    struct count own;                /* without inner loops */
    struct profile_traffic *traffic; /* of simulated caches, as `count`; NULL: none */
    struct touched touched;          /* as `count` */
};
struct profile_line {
    struct part_source source; /* of one function, if several have code of the line */
    struct count count;
    struct profile_traffic *traffic; /* NULL: none */
    struct touched touched;
};
enum { PLACE_CODE_BYTES = 15 }; /* length of the longest instruction */
struct profile_place {          /* an executed instruction, of one loop and one line */
    const char *path;
    uint64_t start, function_start;         /* in the file; function_start: 0 if no symbol covers it */
    uint64_t executions;                    /* of all processes */
    uint64_t flop, load_bytes, store_bytes; /* of all executions; without the implicit stack */
    uint32_t loop, line;                    /* the innermost loop; PART_NONE */
    uint16_t data_bytes;                    /* width of its computation, load or store; 0: none */
    uint8_t code_bytes, code[PLACE_CODE_BYTES];
};
struct profile_parts {
    size_t loop_count, line_count, place_count;
    struct profile_loop *loops; /* most instructions first */
    struct profile_line *lines; /* most instructions first */
    struct profile_place *places;
    struct count outside;       /* of all loops */
    uint64_t irreducible_turns; /* executions of these edges' targets */
    size_t irreducible_count;   /* back edges that make no loop because the cycle has several entries */
    struct part_index *index;   /* of profile_parts.c alone */
};

/* The executed instruction that covers an offset in a file; NULL: none. */
const struct profile_place *profile_place_find(const struct profile_parts *parts, const char *path,
                                               uint64_t file_offset);

/* The first instructions that are newer than the decoder. */
enum { UNKNOWN_CODES = 4 };
struct unknown_code {
    uint8_t bytes[PLACE_CODE_BYTES], length; /* 0: no more */
    uint64_t executions;                     /* of all processes */
};

struct profile {
    unsigned process_count;    /* program images */
    unsigned killed_count;     /* images of these that left no counts */
    uint64_t time_readings;    /* of clocks */
    bool has_timers;           /* it slept, set timers, or waited with a timeout */
    unsigned threads_together; /* most threads of one process that worked at the same time; 0: unknown */
    size_t region_count;       /* at least 1 */
    struct profile_region *regions;
    struct hierarchy_geometry caches;         /* the simulated ones; level_count 0: none */
    unsigned one_of;                          /* one class of cache lines in so many was simulated */
    uint64_t seed, changes[SAMPLING_CLASSES]; /* of struct sampling */
    bool touches_unknown;                     /* footprints by code are unknown: they were too large to store */
    size_t slice_count;
    struct profile_slice *slices; /* by rank, process and thread, and a thread's in order */
    struct profile_parts *parts;  /* loops and lines of the whole program, if requested; else NULL */
    struct unknown_code unknown[UNKNOWN_CODES];
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

/* Simulated caches: the request, before the program starts, and the traffic in bytes afterwards. */

/* The parameters of the simulation. One class of cache lines in so many, at random from `seed`. `in_step`: when a
 * thread enters or leaves a region, earlier accesses of other threads are simulated first; otherwise some may be
 * simulated later. `write_back`: changed cache lines are written back there, at the begin (not the region's own) and at
 * the end. `by_code`: footprints of functions, loops and source lines are recorded, too, which takes longer. */
struct levels_how {
    unsigned one_of;
    uint64_t seed;
    bool in_step, write_back, by_code;
};

/* Writes into the folder for the counter's reports. Error: not writable. */
bool levels_request_write(const char *folder, const struct hierarchy_geometry *caches, const struct levels_how *how,
                          struct error *err);

/* Traffic over one link between simulated caches, in bytes of one run. At the link between the core and L1 it is the
 * core's requests: loads, ordinary stores as write-backs, and non-temporal stores. Further out it is whole cache lines
 * of 64 bytes; non-temporal stores appear again at the last link, the one to memory. */
struct point_link {
    unsigned level;    /* outside of this level: 0: the core and L1; 1: L1 and the next; …; the last: and memory */
    double load_bytes; /* fetched for loads */
    double allocate_bytes;        /* fetched for stores (write-allocate) */
    double write_back_bytes;      /* evicted changed cache lines */
    double victim_bytes;          /* evicted unchanged cache lines, to a victim cache */
    double nontemporal_bytes;     /* non-temporal stores */
    double low_bytes, high_bytes; /* 95 % interval of their sum */
};

enum { POINT_LINKS_MAX = HIERARCHY_LEVELS_MAX + 1 };

struct point_levels {
    unsigned links;  /* 0: nothing was simulated */
    unsigned one_of; /* 1: all cache lines were simulated; 64: one class of 64 */
    struct point_link link[POINT_LINKS_MAX];
    double utilisation;     /* used share of the bytes of each cache line from memory, 0 to 1; 0: unknown */
    double footprint_bytes; /* cache lines touched, each once; 0: unknown, also for pages */
    double pages;           /* pages of 4 KiB touched, each once */
    double tlb_misses[HIERARCHY_TLBS], tlb_entries[HIERARCHY_TLBS]; /* by TLB level; 0: there is none */
    char caches[128]; /* "L1 32 KiB 8 ways, L2 1 MiB 16 ways, L3 32 MiB 16 ways (victims)" */
};

/* Total traffic over the link, in bytes. */
double point_link_bytes(const struct point_link *link);

/* Capacity for data near the core: of the last cache, plus the inner ones if it is a victim cache. */
double levels_kept_bytes(const struct hierarchy_geometry *caches);

/* The source of the counts. */
struct levels_origin {
    const struct hierarchy_geometry *caches;
    unsigned one_of;
    uint64_t seed;
    const uint64_t *changes; /* sum over all threads; NULL: a part of the program */
};

/* `load_bytes` and `store_bytes`: the core's requests, with non-temporal stores. The footprint is unchanged. */
void point_levels_make(const struct levels_origin *origin, const struct profile_traffic *traffic, double load_bytes,
                       double store_bytes, struct point_levels *out);

/* Scales all traffic except the core's requests. */
void point_levels_scale(struct point_levels *levels, double scale);
