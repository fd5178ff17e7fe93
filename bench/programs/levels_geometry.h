/* SPDX-License-Identifier: BSD-3-Clause
 * The caches to be simulated: this machine's, or others that the user requests; and what is documented of them. */
#pragma once

#include "bench/profile/profile.h"

struct machine;
struct error;

/* A requested cache; missing properties are the machine's. */
struct cache_wish {
    unsigned level;      /* 1, 2, 3, … */
    uint64_t size_bytes; /* of one instance; 0: there is no such level, nor one outside of it */
    unsigned ways;       /* 0: not given */
};

/* Reads "L2=1M:16,L3=30Mi" or "L3=none": level, size, and ways if given. K, M and G are powers of 1024, with or without
 * i and B; sizes may have fractions. Error: wrong form, a repeated level, out of range. */
bool cache_wishes_parse(const char *text, struct cache_wish out[HIERARCHY_LEVELS_MAX], unsigned *count,
                        struct error *err);

/* Whether to simulate caches, and which. */
struct levels_choice {
    unsigned one_of;                                /* one class of cache lines in so many; 0: no simulation */
    struct cache_wish wishes[HIERARCHY_LEVELS_MAX]; /* replace the machine's */
    unsigned wish_count;
};

struct levels_geometry {
    struct hierarchy_geometry hierarchy;
    const char *content_source; /* source for the levels' inclusion; NULL: assumed */
    const char *tlb_source;     /* NULL: assumed */
    char note[256];             /* "" or a note on assumed and rounded values */
};

/* For the cores of a kind (0: the fastest). `llc_bytes`: measured size of the last level, 0: as detected. The number of
 * ways is the machine's; it is 16 if that is unknown or fully associative. Sets are rounded to a whole number. Errors:
 * the machine lacks a requested level, or it lies outside of one that is none; more than LRU_WAYS_MAX ways; a size
 * below one line per way; cache lines that are not of 64 bytes. */
bool levels_geometry(const struct machine *machine, unsigned kind, uint64_t llc_bytes, const struct cache_wish *wishes,
                     unsigned wish_count, struct levels_geometry *out, struct error *err);

/* Default: one class of cache lines in so many is simulated. */
enum { LEVELS_SAMPLED_ONE_OF = 64 };

/* Documented properties of a microarchitecture's caches that the machine does not report: inclusion of the levels, and
 * the TLBs for data in pages of 4 KiB. */

struct tlb_size {
    unsigned entries; /* 0: not documented */
    int ways;         /* -1: fully associative, 0: not documented */
};

struct uarch_caches {
    const char *name; /* as in struct uarch */
    enum cache_content l2, l3;
    const char *content_source;
    struct tlb_size tlbs[2];
    const char *tlb_source; /* NULL: not documented */
};

struct uarch;

/* NULL: unknown microarchitecture, or not documented. */
const struct uarch_caches *uarch_caches_of(const struct uarch *uarch);

/* By row; NULL after the last. */
const struct uarch_caches *uarch_caches_at(unsigned index);
