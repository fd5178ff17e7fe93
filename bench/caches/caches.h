/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated caches as their users see them: which caches, and their counts for one owner. */
#pragma once

#include <stdint.h>

/* Bytes of a cache line at every level, and of a page. Creating a geometry with other cache lines fails. */
enum { HIERARCHY_LINE_BYTES = 64, HIERARCHY_PAGE_BYTES = 4096 };
enum { HIERARCHY_LEVELS_MAX = 4, HIERARCHY_TLBS = 2, LRU_WAYS_MAX = 128 };

/* A cache line's class is its number modulo so many; some classes are simulated, in so many groups at most
 * (sampling.h). */
enum { SAMPLING_CLASSES = 64, SAMPLING_GROUPS_MAX = 16 };

/* The content of a level in relation to the levels inside it. */
enum cache_content {
    CONTENT_FREE, /* lines that pass inwards stay here; an eviction leaves inner copies (neither in- nor exclusive) */
    CONTENT_INCLUSIVE, /* the same, but an eviction invalidates inner copies */
    CONTENT_VICTIM,    /* lines evicted by the level inside; a hit moves the line inwards and removes it here */
};

struct hierarchy_level {
    unsigned level; /* 1, 2, 3; two of one level: the outer one is "L1.5" */
    uint64_t set_count;
    unsigned ways;
    enum cache_content content; /* an eviction from an inclusive level invalidates the thread's own inner levels */
    unsigned sharing_cores;     /* cores that share one cache */
    unsigned inside_ways;       /* of a victim cache: the lines inside, for each set, that it tracks; 0: none */
};

struct tlb_geometry {
    unsigned set_count, ways; /* 0: neither this TLB nor a further one; at most LRU_WAYS_MAX ways and 65535 entries */
};

struct hierarchy_geometry {
    unsigned level_count;                                /* at least 1 */
    struct hierarchy_level levels[HIERARCHY_LEVELS_MAX]; /* the first is level 1 */
    struct tlb_geometry tlbs[HIERARCHY_TLBS];
};

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

/* Number of touched cache lines and pages, each counted once. */
struct touched {
    uint64_t lines, pages; /* only sampled lines */
};
static inline void touched_sum(struct touched *sum, struct touched more) {
    sum->lines += more.lines;
    sum->pages += more.pages;
}
