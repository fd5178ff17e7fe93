/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of a memory system beyond its roofs: series of measured points, and the time that a cache line takes
 * between two CPUs. carm/model/memory_model.h says what they mean. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "bench/kernels/doubts.h"

enum memory_part {
    MEMORY_LOADED,   /* a pointer chase by one core while others load the memory */
    MEMORY_PARALLEL, /* independent pointer chases at once in one core */
    MEMORY_CORES,    /* a line from one CPU to another: these are pairs, not series */
    MEMORY_WRITES,   /* stores to memory */
    MEMORY_PAGES,    /* address translation */
    MEMORY_PARTS
};
extern const char *const memory_part_names[]; /* values of --part: "loaded", "mlp", "cores", "writes", "pages"; NULL */

/* The median of several visits and its 90 % interval. Zeros: not measured. */
struct memory_number {
    double value, low, high;
};

struct memory_point {
    /* loaded: no-ops of a loader for each burst of 32 lines, or MEMORY_IDLE; mlp: chases; writes: writing threads;
     * pages: touched pages, one line of each, or 0: random lines of a buffer far larger than the caches */
    double setting;
    struct memory_number latency_s;   /* of one load, between dependent loads; zeros in writes and in random lines */
    struct memory_number bytes_per_s; /* loaded: that memory must pass for loaders and chaser; otherwise requested */
    struct memory_number bus_bytes_per_s; /* writes: counted by the memory controllers; zeros: they cannot be read */
    unsigned visits;
    struct doubts doubts;
};
#define MEMORY_IDLE 1e9 /* no loader runs */

/* Points of one part under one condition. */
struct memory_series {
    enum memory_part part;
    char level[8];    /* of the data: "L3", "DRAM" */
    char kernel[48];  /* loaded: of the loaders, "avx512.load"; mlp: "chase"; writes: "avx512.ntstore"; pages: "chase",
                         "avx512.random" */
    unsigned threads; /* loaders; otherwise 1, in writes 0: the points' setting */
    unsigned node, memory_node; /* 1 + OS index of the node of the chasing core, and of the memory; 0: only one node */
    uint64_t page_bytes;
    size_t count;
    struct memory_point *points; /* loaded: from idle to full load; otherwise by rising setting */
};

/* A cache line between two CPUs, one way: half of a round trip. [0]: in a page that the first CPU touched first, [1]:
 * in a page of the second one. */
struct handover {
    unsigned first, second;         /* OS indices; first < second */
    char shares[12];                /* the nearest thing that both have in common: "core", "L2", "L3", "die", "package",
                                       "machine" */
    struct memory_number swap_s[2]; /* by compare-and-swap */
    struct memory_number store_s[2]; /* by a store that the other CPU's load sees */
    struct doubts doubts;
};

struct memory_system {
    size_t series_count, pair_count;
    struct memory_series *series;
    struct handover *pairs;
    unsigned pairs_planned; /* all pairs; fewer are measured on big machines */
    char omitted[512];      /* what could not be measured, and why: sentences; "": nothing */
};

void memory_system_free(struct memory_system *memory);
