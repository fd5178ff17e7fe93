/* SPDX-License-Identifier: BSD-3-Clause
 * What passed between simulated caches, in bytes of all lines: from what was counted of those that were sampled. */
#ifndef BENCH_PROGRAMS_POINT_LEVELS_H
#define BENCH_PROGRAMS_POINT_LEVELS_H

#include "bench/caches/hierarchy.h"
#include "bench/profile/profile_traffic.h"

/* What passed over one link between simulated caches, in bytes of one run. At the link between the core and L1, what
 * the core asks for: loads, ordinary stores as write-backs, and stores past the caches. Further out, whole lines of
 * 64 bytes; what went past the caches is told at the last link, too, the one to memory. */
struct point_link {
    unsigned level;    /* outside of which level: 0: the core and L1; 1: L1 and the next; …; the last: and memory */
    double load_bytes; /* fetched for loads */
    double allocate_bytes;        /* fetched for stores (write-allocate) */
    double write_back_bytes;      /* changed lines that went outwards */
    double victim_bytes;          /* unchanged lines that went outwards, to a level that keeps what the inner one
                                     puts out */
    double nontemporal_bytes;     /* stored past the caches */
    double low_bytes, high_bytes; /* their sum is in here, in 95 of 100 cases */
};
enum { POINT_LINKS_MAX = HIERARCHY_LEVELS_MAX + 1 };
struct point_levels {
    unsigned links;  /* 0: nothing was simulated */
    unsigned one_of; /* 1: all lines were simulated; 64: one class of 64 */
    struct point_link link[POINT_LINKS_MAX];
    double utilisation;     /* of each line from memory, the share of bytes that was used, 0 to 1; 0: not known */
    double footprint_bytes; /* lines touched, each once; 0: not known, as are pages */
    double pages;           /* of 4 KiB that were touched, each once */
    double tlb_misses[HIERARCHY_TLBS], tlb_entries[HIERARCHY_TLBS]; /* of each level; 0: there is none */
    char caches[128]; /* "L1 32 KiB 8 ways, L2 1 MiB 16 ways, L3 32 MiB 16 ways (victims)" */
};

/* All that passed over the link, in bytes. */
double point_link_bytes(const struct point_link *link);

/* What stays near: of the last cache, and of those inside where it holds only what they put out. */
double levels_kept_bytes(const struct hierarchy_geometry *caches);

/* Where the counts are from. */
struct levels_origin {
    const struct hierarchy_geometry *caches;
    unsigned one_of;
    uint64_t seed;
    const uint64_t *changes; /* of all threads; NULL: a part of the program */
};

/* `load_bytes` and `store_bytes`: what the core asks for, with what it stores past the caches. The footprint is left
 * as it is. */
void point_levels_make(const struct levels_origin *origin, const struct profile_traffic *traffic, double load_bytes,
                       double store_bytes, struct point_levels *out);

/* As if all but what the core asks for had been so many times as often. */
void point_levels_scale(struct point_levels *levels, double scale);

#endif
