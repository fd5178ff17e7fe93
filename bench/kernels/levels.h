/* SPDX-License-Identifier: BSD-3-Clause
 * Where each memory level really is: what was detected, judged by a sweep of bandwidth over sizes. Pure.
 * Detected sizes can be wrong: a virtual machine shows the host's L3, of which it may hold a part. */
#ifndef BENCH_KERNELS_LEVELS_H
#define BENCH_KERNELS_LEVELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doubt.h"

#include "probe/machine.h"

struct level {
    char name[8];             /* "L1", "L2", …, "DRAM" or "HBM" */
    uint64_t detected_bytes;  /* of one instance; 0 for memory */
    uint64_t effective_bytes; /* up to here the sweep stays on the level's plateau; as detected until judged */
    uint64_t found_bytes;     /* the largest size of the sweep before the level's step; 0 until judged */
    bool judged;              /* the sweep showed the level's step */
    bool disagrees;           /* effective and detected differ by more than LEVELS_AGREE_FACTOR */
};

struct levels {
    unsigned count; /* caches and the memory */
    struct level level[MACHINE_MAX_CACHES + 1];
};

struct sweep_point {
    uint64_t bytes; /* working set of one thread */
    double bytes_per_s;
};

/* Sizes of one thread's working set that lie in a level and not in the one inside it. */
struct window {
    uint64_t low_bytes, high_bytes;
    struct doubts doubts;
};

extern const double LEVELS_AGREE_FACTOR;

/* The levels that a core of this kind sees; the memory is named after `memory_kind` ("DRAM", "HBM"). */
struct levels levels_detected(const struct core_kind *kind, const char *memory_kind);

/* Looks for the end of each cache level in one thread's sweep (points by rising size, the last well beyond the caches)
 * and sets its found and effective size. A level that was judged already is left alone, so that a second sweep, of
 * latency (with the inverse as the rate), can tell where the first showed no step; but one that was found elsewhere
 * than detected must be so in both: caches next to each other may be as fast for loads, but for what disturbs them. */
void levels_judge(struct levels *levels, const struct sweep_point *points, size_t count);

/* `sharing[i]` threads share one instance of level i. Memory: the window is empty (both 0), the caller knows its size.
 */
struct window levels_window(const struct levels *levels, unsigned index, const unsigned *sharing);

/* Whether the core's clock paces what is done in the level called so: "" (registers), L1 and L2. L3, memory and the way
 * to them have clocks of their own. */
bool levels_is_paced(const char *name);

/* Whether a level may be called so: "L1" to "L9", "DRAM", "HBM". */
bool levels_is_name(const char *name);

/* The index of a level; -1 when there is none called so. */
int levels_find(const struct levels *levels, const char *name);

#endif
