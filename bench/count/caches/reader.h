/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses to the simulated caches of one core. */
#ifndef BENCH_COUNT_READER_H
#define BENCH_COUNT_READER_H

#include "levels.h"

#include "bench/count/code/record.h"

enum {
    CORE_BUFFER_BYTES = 1 << 18,
    CORE_GUARD_BYTES = 1 << 14, /* more than a record */
    CORE_EVENTS = 4096,
};

/* Of one group of accesses: what a record of it would be passed over by. */
struct levels_look {
    uint64_t from, width; /* where it begins, less than so many bytes behind, it spans the pages that it spanned last */
    uint64_t hits;        /* by the line of a page that it begins in, a bit: lines may be simulated */
};

/* And the lines that it spanned last. */
struct levels_span {
    uint64_t low, high;
};

struct levels_core {
    uint64_t buffer, read_at; /* its begin, and up to where it was read; records are read under the lock */
    struct context *context;  /* that it serves now; NULL: it is free */
    struct levels_core *next;
    uint32_t lock;
    uint64_t thread_base; /* of the fs segment */
    struct hierarchy_thread thread;
    struct hierarchy_cache inner[HIERARCHY_LEVELS_MAX];
    struct levels_set *set;              /* that is counted for now */
    struct levels_look *looks;           /* two by group of the plans: left early, whole */
    struct levels_look **used_looks;     /* those that are not zero */
    uint32_t used_look_count;            /* how many that are */
    struct levels_span *spans;           /* by group */
    uint64_t parts, chosen_part, random; /* parts of the records that were begun; the one whose classes are counted */
    int64_t part_left;                   /* bytes of this part */
    uint32_t event_count;
    struct memory_access events[CORE_EVENTS];        /* that are not simulated yet */
    uint16_t hit_count, hit_groups[RECIPE_ACCESSES]; /* groups of a record whose lines are simulated */
    bool together;                                   /* of each, all accesses of one line can be told together */
    uint64_t bases[RECIPE_ACCESSES];                 /* by group: what its offsets are from */
    uint64_t group_hits[RECIPE_ACCESSES];            /* by group, of a run of records: a bit for each that it hits */
    bool hit[RECIPE_ACCESSES];
};

/* Simulates records up to the address `end`, but for one at the end that is not complete. Returns where it stopped. */
uint64_t reader_take(struct levels_core *core, uint64_t end);

#endif
