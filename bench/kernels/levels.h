/* SPDX-License-Identifier: BSD-3-Clause
 * The real size of each memory level: detected, then judged by a sweep of bandwidth over sizes. Pure. Detected sizes
 * can be wrong: a virtual machine shows the host's L3 but may hold only a part of it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doubts.h"

#include "probe/machine_limits.h"

struct core_kind;

struct level {
    char name[8];             /* "L1", "L1.5", "L2", …, "DRAM" or "HBM" */
    uint64_t detected_bytes;  /* of one instance; 0 for memory */
    uint64_t effective_bytes; /* upper end of the level's plateau in the sweep; as detected until judged */
    uint64_t found_bytes;     /* largest size of the sweep before the level's step; 0 until judged */
    uint64_t inner_bytes;     /* of a cache inside this level that only some of a team's cores have; 0: none */
    bool judged;              /* the sweep showed the level's step */
    bool disagrees;           /* effective and detected do not agree */
};

struct levels {
    unsigned count; /* caches and the memories, the cores' own last */
    struct level level[MACHINE_MAX_LEVELS];
};

struct sweep_point {
    uint64_t bytes; /* working set of one thread */
    double bytes_per_s;
};

/* Working sets of one thread that lie in a level and not in the inner one. */
struct window {
    uint64_t low_bytes, high_bytes;
    struct doubts doubts;
};

/* The levels of a core of this kind. The memory gets the name `memory_kind` ("DRAM", "HBM"). */
struct levels levels_detected(const struct core_kind *kind, const char *memory_kind);

/* Finds the end of each cache level in one thread's sweep (points by rising size, the last well beyond the caches), and
 * sets its found and effective size. A judged level keeps its size, so that a second sweep, of latency (with the
 * inverse as the rate), can judge the levels without a step in the first. But a level found away from its detected size
 * must be confirmed by the second sweep: neighbouring caches may be equally fast for loads except for disturbances. */
void levels_judge(struct levels *levels, const struct sweep_point *points, size_t count);

/* `sharing[i]` threads share one instance of level i. Memory: the window is empty (both 0); the caller chooses its
 * size. */
struct window levels_window(const struct levels *levels, unsigned index, const unsigned *sharing);

/* Whether the core clock paces the level of this name: "" (registers), L1 and L2. L3 and memory, and the paths to them,
 * have clocks of their own. */
bool levels_is_paced(const char *name);

/* The number of the cache of this name: 3 of "L3", 1 of "L1.5"; 0: it is no cache. */
unsigned levels_cache(const char *name);

/* Whether it is a second cache of its number, "L1.5", which no document of limits has. */
bool levels_is_between(const char *name);

/* Whether it is the name of a level, and no cache's: "DRAM", "HBM". */
bool levels_is_memory(const char *name);

/* < 0: the level `a` is nearer to the core than `b`; caches by number, then memories by name. */
int levels_compare(const char *a, const char *b);

/* Whether a level can have this name: "L1" to "L9", "L1.5", "DRAM", "HBM". */
bool levels_is_name(const char *name);

/* Whether a sweep has shown the end of any of them. */
bool levels_are_judged(const struct levels *levels);

/* The index of the level of this name, or -1. */
int levels_find(const struct levels *levels, const char *name);
