/* SPDX-License-Identifier: BSD-3-Clause
 * The file format of libcarmine-count.so (docs/count-file.md), read by bench/profile/profile.c: the execution count of
 * each basic block, with its machine code. The reader computes the costs. Both sides use asm/x86/effect.c to decide
 * which instructions have a counter of their own.
 *
 * There is one file per program image and process: COLLECTOR_FOLDER/count.PID.N. N is the number of the process's
 * image, from 0, so an exec does not overwrite the previous file. The file is created with `complete` 0 when counting
 * begins. `complete` is set once the counts are written, so a killed program leaves an incomplete file. Before an exec
 * the header names the new program. If the process has no further file then, that program was not counted (setuid). The
 * child of a vfork has no file of its own. It creates the file exec.PID.0 with the path of the program. The collector
 * of the new image removes this file, and so does a failed exec. An empty file kill.PID means: another process has sent
 * SIGKILL to that one. */
#pragma once

#include <stdint.h>

#include "bench/caches/caches.h"
#include "probe/marks/collector.h"
#include "probe/marks/ranks.h"

#define DUMP_MAGIC "CARMCN10" /* every change of the format raises the number, also in docs/count-file.md */

enum dump_levels_how {
    DUMP_IN_STEP = 1, /* when a thread enters or leaves a region, earlier accesses of the others are simulated first */
    DUMP_WRITE_BACK = 2, /* and changed cache lines are written back */
    DUMP_BY_CODE = 4,    /* footprints are also recorded by code */
};

/* The binary content of COLLECTOR_FOLDER/levels, which requests simulated caches. */
struct dump_levels_request {
    struct hierarchy_geometry geometry;
    uint32_t one_of; /* one class of cache lines in so many is simulated: 1, 4, 16, 64 */
    uint32_t how;    /* enum dump_levels_how */
    uint64_t seed;
};
#define DUMP_LEVELS_REQUEST "levels"

struct dump_header {
    char magic[8];
    uint32_t complete;    /* 1: the rest of the file is valid */
    uint32_t pid, parent; /* parent: the parent process */
    uint32_t object_count, block_count, counter_count, region_count, thread_count, count_count;
    uint32_t clock_calls;      /* system calls that read a clock */
    uint32_t timers;           /* 1: it slept, set a timer, or waited with a timeout */
    uint32_t threads_together; /* most threads that worked at the same time, longer than a moment */
    struct rank rank;          /* of this process */
    uint32_t slice_count;
    uint32_t spare; /* 1: the file may end with meaningless bytes */
    uint64_t code_bytes;
    struct dump_levels_request levels;  /* the simulated caches; geometry.level_count 0: none */
    uint64_t changes[SAMPLING_CLASSES]; /* then: accesses to another cache line than the last one, by class */
    char program[256];                  /* path of the executable */
    char executes[256];                 /* path of the program that this one executed at its end; "": none */
    char failure[256];                  /* why it can't be counted ("it uses transactions, at …"); "": it can */
};
/* The header is followed, without gaps, by objects, blocks, the blocks' code, regions, threads, counts and
 * slices. If caches were simulated, the footprints of the regions (struct touched), a struct dump_traffic for each of
 * the counts, and a struct dump_touches follow. The latter says which code touched which cache lines and pages in the
 * whole program. */

struct dump_object {      /* a mapping of code; [0]: code outside of all mappings */
    uint64_t low, high;   /* addresses */
    uint64_t file_offset; /* of `low` */
    char path[256];       /* "/usr/lib/…", "[vdso]"; COLLECTOR_WRITTEN */
};
struct dump_block {
    uint64_t address;
    uint32_t object;
    uint32_t counter; /* of its executions; its instructions with an effect.dynamic have the next counters, in order */
    uint32_t code_bytes, instruction_count;
};
struct dump_region { /* [0]: the whole program, named "" */
    char name[64];
    uint64_t calls;      /* sum over all threads */
    uint32_t open;       /* how often it was still open at the end */
    uint32_t mismatched; /* ends without a begin, or of another region than the innermost */
};
struct dump_thread {
    uint32_t tid, creator; /* creator: index of the creating thread; the first thread's own index */
    uint32_t in_mpi;       /* 1: its counts are MPI's. A thread's part inside of MPI's calls is a thread of its own */
};
struct dump_counts { /* one region on one thread; followed by the counters that are not zero */
    uint32_t region, thread;
    uint32_t value_count, unused;
};
struct dump_value {
    uint64_t counter, value;
};
struct dump_slice {           /* one thread from tick to tick, in order; followed by the counters that are not zero */
    uint64_t wall_ns, cpu_ns; /* CLOCK_MONOTONIC at its end, and its CPU time */
    uint32_t thread;
    uint32_t counter, offset; /* of the block that the tick interrupted, 0: unknown; and where in it, in bytes */
    uint32_t value_count;
};
struct dump_traffic { /* one region on one thread; followed by values that are not zero */
    uint32_t region, thread;
    uint32_t value_count, unused;
    struct touched footprint;
};
struct dump_traffic_value {
    uint32_t counter;     /* of the block; 0: a block without counts */
    uint16_t instruction; /* index in the block of the first instruction that this value covers */
    uint8_t word, group;  /* word in struct hierarchy_counts; group of the sampling */
    uint64_t value;
};
struct dump_touches {     /* followed by so many values */
    uint64_t value_count; /* DUMP_NOT_KNOWN: none, because they were not requested or were too many */
};
#define DUMP_NOT_KNOWN UINT64_MAX
enum dump_touch_kind { DUMP_TOUCH_LINES, DUMP_TOUCH_PAGES, DUMP_TOUCH_KINDS };
struct dump_touch {
    uint32_t counter;     /* of the block */
    uint16_t instruction; /* index in the block of the first instruction that this touch covers */
    uint16_t kind;        /* enum dump_touch_kind; only sampled cache lines */
    uint64_t group, bits; /* which of 64 neighbours (bench/caches/footprint.h); may be repeated */
};
