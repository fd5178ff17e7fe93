/* SPDX-License-Identifier: BSD-3-Clause
 * The caches to be simulated: this machine's, or others that the user asks for. */
#ifndef BENCH_PROGRAMS_LEVELS_GEOMETRY_H
#define BENCH_PROGRAMS_LEVELS_GEOMETRY_H

#include "bench/caches/hierarchy.h"
#include "probe/machine.h"

/* A cache that the user asks for in place of the machine's: what isn't given is the machine's. */
struct cache_wish {
    unsigned level;      /* 1, 2, 3, … */
    uint64_t size_bytes; /* of one instance */
    unsigned ways;       /* 0: not given */
};

/* Reads "L2=1M:16,L3=30Mi": level, size, and ways if they are given. K, M and G are powers of 1024, with or without i
 * and B; sizes may have fractions. Error: not of this form, a level twice, out of range. */
bool cache_wishes_parse(const char *text, struct cache_wish out[HIERARCHY_LEVELS_MAX], unsigned *count,
                        struct error *err);

/* Whether caches are to be simulated, and which. */
struct levels_choice {
    unsigned one_of;                                /* one class of lines in so many; 0: none are */
    struct cache_wish wishes[HIERARCHY_LEVELS_MAX]; /* in place of the machine's */
    unsigned wish_count;
};

struct levels_geometry {
    struct hierarchy_geometry hierarchy;
    const char *content_source; /* why levels hold what they hold; NULL: assumed */
    const char *tlb_source;     /* NULL: assumed */
    char note[256];             /* "" or what is assumed or rounded, a sentence's worth */
};

/* Of the cores of a kind (0: the fastest). `llc_bytes` is where the last level was found to end, 0: as detected. A
 * level has as many ways as the machine tells, 16 where it doesn't or is fully associative; its sets are rounded to a
 * whole number. Errors: a wish for a level that the machine lacks, with more than LRU_WAYS_MAX ways, or smaller than
 * its ways; lines that are not of 64 bytes. */
bool levels_geometry(const struct machine *machine, unsigned kind, uint64_t llc_bytes, const struct cache_wish *wishes,
                     unsigned wish_count, struct levels_geometry *out, struct error *err);

/* Telling the exact counter which caches to simulate. */

/* One class of lines in so many is simulated, where nothing else is asked for. */
enum { LEVELS_SAMPLED_ONE_OF = 64 };

/* What is simulated: one class of lines in so many, by chance from `seed`. Where a region begins or ends for a thread:
 * what the other threads did before, else some of it may come later; and changed lines are written back, those of
 * before, which are not its own, and its own. `by_code`: what functions, loops and source lines touched is told, too,
 * which takes longer. */
struct levels_how {
    unsigned one_of;
    uint64_t seed;
    bool in_step, write_back, by_code;
};

/* Into the folder where the counter will leave its reports. Error: it can't be written. */
bool levels_request_write(const char *folder, const struct hierarchy_geometry *caches, const struct levels_how *how,
                          struct error *err);

#endif
