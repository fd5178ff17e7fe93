/* SPDX-License-Identifier: BSD-3-Clause
 * What simulated caches count, for one owner. */
#ifndef BENCH_CACHES_COUNTS_H
#define BENCH_CACHES_COUNTS_H

#include <stdint.h>

enum { HIERARCHY_LEVELS_MAX = 4, HIERARCHY_TLBS = 2 };

/* Lines that passed between a level and what is outside of it; a level's misses are loads and allocates. */
struct hierarchy_link {
    uint64_t loads;       /* fetched for a load, or for an update */
    uint64_t allocates;   /* fetched for a store that writes a part of the line, as far as the cache knows */
    uint64_t write_backs; /* changed ones that went outwards, counted for the owner of the store that changed them */
    uint64_t victims; /* unchanged ones that an outer level keeps; counted for the owner whose access drove them out */
};

/* All counts are of the lines that are sampled. */
struct hierarchy_counts {
    uint64_t line_accesses; /* one that crosses a border is two */
    uint64_t load_bytes, store_bytes, nontemporal_bytes;
    struct hierarchy_link outside[HIERARCHY_LEVELS_MAX]; /* of the last level: memory */
    uint64_t nontemporal_lines;                          /* from the core to memory */
    uint64_t nontemporal_partial;                        /* of these, those that were not written in full */
    uint64_t left_lines, left_used_bytes; /* lines fetched from memory that have gone, and how much of them was used */
    uint64_t tlb_misses[HIERARCHY_TLBS];  /* of each level; never sampled */
};

#endif
