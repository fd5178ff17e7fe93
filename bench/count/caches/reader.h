/* SPDX-License-Identifier: BSD-3-Clause
 * Records → accesses to the simulated caches of one core. */
#pragma once

#include "levels.h"

#include "bench/count/code/record.h"

enum {
    CORE_BUFFER_BYTES = 1 << 18,
    CORE_GUARD_BYTES = 1 << 14, /* more than a record */
};

/* Check by which a record of one group of accesses is skipped. */
struct levels_look {
    uint64_t from, width; /* if the group begins at from ≤ begin < from + width, it spans the same pages as last time */
    uint64_t hits;        /* bit n: if it begins in line n of a page, some of its lines may be simulated */
};

/* The lines that the group spanned last. */
struct levels_span {
    uint64_t low, high;
};

struct levels_core {
    uint64_t buffer, read_at; /* its begin, and the end of the read part; records are read under the lock */
    struct context *context;  /* the context that it serves now; NULL: free */
    struct levels_core *next;
    uint32_t lock;
    uint64_t thread_base; /* base of the fs segment */
    struct hierarchy_thread thread;
    uint32_t far_count; /* of the thread, before the last record that is simulated by accesses */
    uint32_t notes;     /* the lowest note of the set for which it counts now */
    struct hierarchy_cache inner[HIERARCHY_LEVELS_MAX];
    struct levels_set *set;              /* the set that it counts for now */
    struct levels_look *looks;           /* two per group of the plans: partial records, complete records */
    struct levels_look **used_looks;     /* the looks that are not zero */
    uint32_t used_look_count;            /* number of these */
    struct levels_span *spans;           /* by group */
    uint64_t parts, chosen_part, random; /* parts of the records begun so far; the part in which classes are counted */
    int64_t part_left;                   /* remaining bytes of this part */
    uint16_t hit_count, hit_groups[RECIPE_ACCESSES]; /* groups of a record with simulated lines */
    bool together;                                   /* in each, all accesses of a line can be simulated together */
    uint64_t bases[RECIPE_ACCESSES];                 /* by group: the base of its offsets */
    uint64_t group_hits[RECIPE_ACCESSES]; /* by group, for a run of records: one bit per record that is hit */
    bool hit[RECIPE_ACCESSES];
};

/* Simulates the records up to the address `end`, except an incomplete last one. Returns where it stopped. */
uint64_t reader_take(struct levels_core *core, uint64_t end);
