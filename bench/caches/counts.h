/* SPDX-License-Identifier: BSD-3-Clause
 * The counts of simulated caches, for one owner. */
#ifndef BENCH_CACHES_COUNTS_H
#define BENCH_CACHES_COUNTS_H

#include <stdint.h>

enum { HIERARCHY_LEVELS_MAX = 4, HIERARCHY_TLBS = 2 };

/* Lines transferred between a level and the next one outside; a level's misses are loads and allocates. */
struct hierarchy_link {
    uint64_t loads;       /* fetched for a load, or for an update */
    uint64_t allocates;   /* fetched for a store that writes part of the line, as far as the cache knows */
    uint64_t write_backs; /* dirty lines moved outwards, counted for the owner of the store that made them dirty */
    uint64_t victims;     /* clean lines that an outer level stores; counted for the owner whose access evicted them */
};

/* All counts cover only the sampled lines. */
struct hierarchy_counts {
    uint64_t nontemporal_bytes;
    struct hierarchy_link outside[HIERARCHY_LEVELS_MAX]; /* of the last level: traffic with memory */
    uint64_t nontemporal_lines;                          /* from the core to memory */
    uint64_t nontemporal_partial;         /* the part of nontemporal_lines that was not written in full */
    uint64_t left_lines, left_used_bytes; /* evicted lines that came from memory, and their used bytes */
    uint64_t tlb_misses[HIERARCHY_TLBS];  /* of each level; never sampled */
};

#endif
