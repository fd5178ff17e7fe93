/* SPDX-License-Identifier: BSD-3-Clause
 * The patterns in which memory kernels load and store: all that is said of one stands in its row. The generator, the
 * plan, the verdicts and the help of --mix walk the table. */
#ifndef ASM_PATTERN_H
#define ASM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

enum { PATTERN_MAX_VARIANTS = 8 };

/* Which instruction sets a run measures a pattern with, unless others are requested. */
enum pattern_isas {
    PATTERN_EVERY_ISA,
    PATTERN_VECTORS, /* the newest of each width of vectors */
    PATTERN_WIDEST,
    PATTERN_NO_ISA /* the kernel is of none: one load at a time, so by one thread */
};

/* A block of a kernel consists of groups; each group loads and stores the same number of cache lines. */
struct pattern {
    const char *op;         /* "2ld1st", the last part of the kernel's name */
    const char *label;      /* in words; NULL: the op in capitals */
    unsigned loads, stores; /* cache lines of one group */
    bool in_place;          /* the store goes to the line that was loaded last */
    bool nontemporal;       /* the stores bypass the caches */
    bool scattered;         /* no streams: each load goes to another page, so the pages' size matters.
                               The generator has code of its own for each of these */
    enum pattern_isas isas;
    bool quick;                            /* quick runs measure it, too */
    unsigned groups[PATTERN_MAX_VARIANTS]; /* groups per iteration of each generated variant; 0 ends the list */
};
extern const struct pattern pattern_table[];
extern const size_t pattern_count;

/* The pattern called `op`; NULL when there is none. */
const struct pattern *pattern_find(const char *op);

/* Cache lines of one group that are read from memory when the data lie there: a line that is stored to without having
 * been loaded is read first (write-allocate), unless the store bypasses the caches. As many are written as stored. */
unsigned pattern_reads(const struct pattern *pattern);

/* "2 loads : 1 store" */
enum { PATTERN_RATIO_BYTES = 48 };
const char *pattern_ratio(const struct pattern *pattern, char out[PATTERN_RATIO_BYTES]);

#endif
