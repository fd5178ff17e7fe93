/* SPDX-License-Identifier: BSD-3-Clause
 * What libcarmine-count.so leaves behind, and bench/profile/profile.c reads: how often each basic block ran, with its
 * machine code. What that costs is worked out by the reader; the two agree through asm/x86/effect.c on which
 * instructions have a counter of their own.
 *
 * One file per program image and process: COLLECTOR_FOLDER/count.PID.N (N: the process's image, from 0, so that an exec
 * does not replace what was there). It is created with `complete` 0 when counting begins, and is complete only once the
 * counts stand in it: a program that was killed leaves an incomplete file. Before an exec its header says so: where the
 * process has no further image then, that program was not counted (setuid). The child of a vfork, which has no file of
 * its own, creates the file exec.PID.0 holding the path of the program; the new image's collector removes it, and so
 * does an exec that fails. An empty file kill.PID: another process has sent that one a SIGKILL. */
#ifndef BENCH_PROFILE_DUMP_H
#define BENCH_PROFILE_DUMP_H

#include <stdint.h>

#include "bench/caches/footprint.h"
#include "bench/caches/hierarchy.h"
#include "probe/marks/collector.h"
#include "probe/marks/ranks.h"

#define DUMP_MAGIC "CARMCNT7"

enum dump_levels_how {
    DUMP_IN_STEP = 1,    /* where a region begins or ends for a thread, what others did before is simulated before */
    DUMP_WRITE_BACK = 2, /* changed lines are written back there */
    DUMP_BY_CODE = 4,    /* which code touched what is kept apart, too */
};

/* What COLLECTOR_FOLDER/levels holds, as it is, where caches are to be simulated meanwhile. */
struct dump_levels_request {
    struct hierarchy_geometry geometry;
    uint32_t one_of; /* of how many classes of lines one is simulated: 1, 4, 16, 64 */
    uint32_t how;    /* enum dump_levels_how */
    uint64_t seed;
};
#define DUMP_LEVELS_REQUEST "levels"

struct dump_header {
    char magic[8];
    uint32_t complete;    /* 1: all that follows is there */
    uint32_t pid, parent; /* parent: of the process */
    uint32_t object_count, block_count, counter_count, region_count, thread_count, count_count;
    uint32_t clock_calls;      /* system calls that read a clock */
    uint32_t timers;           /* 1: it slept, set a timer, or waited for a limited time */
    uint32_t threads_together; /* the most that worked at the same time, for more than a moment */
    struct rank rank;          /* that the process is */
    uint32_t spare;            /* 1: bytes without a meaning may stand behind all others */
    uint64_t code_bytes;
    uint64_t own_bytes;                 /* that the counter itself wrote into files while this image ran */
    struct dump_levels_request levels;  /* what was simulated; geometry.level_count 0: nothing */
    uint64_t changes[SAMPLING_CLASSES]; /* then: accesses to another line than the last of each class */
    char program[256];                  /* path of the executable */
    char executes[256];                 /* path of the program that it became at its end; "": none */
    char failure[256]; /* why this program can't be counted ("it uses transactions, at …"); "": it can
                        */
};
/* Behind it stand, without gaps: objects, blocks, the blocks' code, regions, threads, counts; then, if caches were
 * simulated, what was touched (struct touched) in each region, with each of the counts those of caches, and a struct
 * dump_touches, which tells of the whole program, which of its code touched what. */

struct dump_object {      /* a mapping of code; [0] stands for code that is in none */
    uint64_t low, high;   /* addresses */
    uint64_t file_offset; /* of low */
    char path[256];       /* "/usr/lib/…", "[vdso]"; DUMP_WRITTEN */
};
#define DUMP_WRITTEN COLLECTOR_WRITTEN
struct dump_block {
    uint64_t address;
    uint32_t object;
    uint32_t counter; /* of its executions; its instructions with an effect.dynamic have the next ones, in order */
    uint32_t code_bytes, instruction_count;
};
struct dump_region { /* [0] is the whole program, with the name "" */
    char name[64];
    uint64_t calls;      /* on all threads */
    uint32_t open;       /* how often it was still open at the end */
    uint32_t mismatched; /* ends without a begin, or not of the innermost region */
};
struct dump_thread {
    uint32_t tid, creator; /* creator: index of the thread that created it; of the first, its own */
    uint32_t in_mpi;       /* 1: what it has is MPI's. What a thread does inside of MPI's calls is a thread by itself */
};
struct dump_counts { /* of one region on one thread; as many values as counters that are not zero follow it */
    uint32_t region, thread;
    uint32_t value_count, unused;
};
struct dump_value {
    uint64_t counter, value;
};
struct dump_traffic { /* of one region on one thread; as many values follow it, none of which is 0 */
    uint32_t region, thread;
    uint32_t value_count, unused;
    struct touched footprint;
};
struct dump_traffic_value {
    uint32_t counter;     /* of the block; 0: one that is not in the report */
    uint16_t instruction; /* the index in the block of the first one that counts for this */
    uint8_t word, group;  /* of struct hierarchy_counts; of the sampling */
    uint64_t value;
};
struct dump_touches {     /* so many values follow it */
    uint64_t value_count; /* DUMP_NOT_KNOWN: none, since it was not asked for, or was too much to keep */
};
#define DUMP_NOT_KNOWN UINT64_MAX
enum dump_touch_kind { DUMP_TOUCH_LINES, DUMP_TOUCH_PAGES, DUMP_TOUCH_KINDS };
struct dump_touch {
    uint32_t counter;     /* of the block */
    uint16_t instruction; /* the index in the block of the first one that counts for this */
    uint16_t kind;        /* enum dump_touch_kind: lines, of those that were sampled */
    uint64_t group, bits; /* which of 64 neighbours (bench/caches/footprint.h); the same may be told again */
};

#endif
