/* SPDX-License-Identifier: BSD-3-Clause
 * The access patterns of memory kernels: one row per pattern. The generator, the plan, the verdicts and the help of
 * --mix use the table. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "probe/isa.h"

enum { PATTERN_MAX_VARIANTS = 8 };

/* The instruction sets that a run measures a pattern with by default. */
enum pattern_isas {
    PATTERN_EVERY_ISA,
    PATTERN_VECTORS, /* the newest of each vector width */
    PATTERN_WIDEST,
    PATTERN_NO_ISA /* no instruction set: one load at a time, so one thread */
};

/* A block of a kernel consists of groups, each with the same number of cache lines to load and to store. */
struct pattern {
    const char *op;         /* last part of the kernel's name: "2ld1st" */
    const char *label;      /* in words; NULL: the op in capitals */
    unsigned loads, stores; /* cache lines per group */
    bool in_place;          /* stores to the line of the last load */
    bool nontemporal;       /* the stores bypass the caches */
    bool scattered; /* no streams: each load accesses another page, so the page size matters. The generator has special
                       code for each */
    enum pattern_isas isas;
    bool quick;                            /* quick runs also measure it */
    unsigned groups[PATTERN_MAX_VARIANTS]; /* groups per iteration of each generated variant; 0 ends the list */
};
extern const struct pattern pattern_table[];
extern const size_t pattern_count;

/* Kernels beside the patterns, for `carmine memory` alone: they make no roofs.
 *
 * Independent pointer chases at once in one core: "chase2", "chase3", …; 1 is "chase", 0 ends the list. */
enum { PATTERN_MOST_CHASES = 40 };
extern const unsigned pattern_chases[];

/* Ways to store that only some cores have, or that only work for zeros; without name: the end. */
struct store_way {
    const char *op;
    const char *label;
    bool zeros;         /* stores nothing else: some cores need half of the traffic for it */
    bool nontemporal;   /* bypasses the caches */
    bool whole_line;    /* by one instruction, without vectors: the kernel has no ISA */
    bool demoted;       /* each line is pushed towards the shared cache after its last store */
    cpu_features needs; /* of the CPU, beside the ISA's */
};
extern const struct store_way store_ways[];

/* The pattern named `op`; NULL: none. */
const struct pattern *pattern_find(const char *op);

/* The pattern of a kernel, by the last part of its name: "avx512.load". Of any other kernel one without accesses. */
const struct pattern *pattern_of_kernel(const char *kernel);

/* Streams of loads, without a store. */
bool pattern_only_loads(const struct pattern *pattern);

/* Random lines: scattered accesses that do not wait for each other. They have a bandwidth, but not that of a level. */
bool pattern_is_random(const struct pattern *pattern);

/* A pointer chase: each access waits for the one before. It has a latency. */
bool pattern_is_chase(const struct pattern *pattern);

/* Cache lines of one group that are read from memory if the data lie there: a line that is stored without being loaded
 * is read first (write-allocate), unless the store bypasses the caches. The number of lines written equals the number
 * stored. */
unsigned pattern_reads(const struct pattern *pattern);

/* "2 loads : 1 store" */
enum { PATTERN_RATIO_BYTES = 48 };
const char *pattern_ratio(const struct pattern *pattern, char out[PATTERN_RATIO_BYTES]);
