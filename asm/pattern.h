/* SPDX-License-Identifier: BSD-3-Clause
 * The patterns in which memory kernels load and store. */
#ifndef ASM_PATTERN_H
#define ASM_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

enum { PATTERN_MAX_VARIANTS = 8 };

/* A block of a kernel consists of groups; each group loads and stores the same number of cache lines. */
struct pattern {
    const char *op;                        /* "2ld1st", the last part of the kernel's name */
    unsigned loads, stores;                /* cache lines of one group */
    bool in_place;                         /* the store goes to the line that was loaded last */
    bool nontemporal;                      /* the stores bypass the caches */
    unsigned groups[PATTERN_MAX_VARIANTS]; /* groups per iteration of each generated variant; 0 ends the list */
};
extern const struct pattern pattern_table[];
extern const size_t pattern_count;

/* The pattern called `op`; NULL when there is none. */
const struct pattern *pattern_find(const char *op);

#endif
