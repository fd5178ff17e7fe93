/* SPDX-License-Identifier: BSD-3-Clause
 * The roofs that fit a program's own code: of its threads, its element type, its vector width and its mix of loads and
 * stores. Pure. */
#ifndef CARM_APPLICABLE_ROOFS_H
#define CARM_APPLICABLE_ROOFS_H

#include "model.h"

#include "asm/pattern.h"
#include "bench/programs/app_point.h"

struct applicable_roofs {
    const struct model *model;
    struct model_view view; /* of its threads, else the fewest that are more, else all cores; of its type */
    const char *isas[2];    /* whose kernels are as wide as its code; NULL: not known, or no second one */
    double fused_share;     /* of its flop, by fused multiply-adds; NaN: not known */
    double store_share;     /* of its bytes; NaN: not known */
    bool streams;           /* a workload that reuses nothing: each element is read and written once at most */
    double traffic;         /* bytes between caches and memory per byte that the core asks for; NaN: not known. Of what
                               streams as theory says it, between all levels */
    char core[8];           /* the level next to the core: "L1"; "" when there are no levels */
    char memory[8];         /* the level that `traffic` is about: "DRAM"; "" when there are no levels */
};

/* False when the model holds no ceiling of its type for its threads. */
bool applicable_make(const struct model *model, const struct app_point *point, struct applicable_roofs *out);

/* The highest ceiling of its type (of FMA alone where all its flop are), and that of its width and operations (NULL:
 * not known, or not measured). */
const struct roof *applicable_peak(const struct applicable_roofs *applicable);
const struct roof *applicable_own_peak(const struct applicable_roofs *applicable);
const struct roof *applicable_fused_peak(const struct applicable_roofs *applicable); /* of its width, by FMA alone */

/* The highest ceiling of its operations of wider vectors than this one's; NULL: none. And whether a roof is of such. */
const struct roof *applicable_wider_peak(const struct applicable_roofs *applicable, const struct roof *narrow);
bool applicable_is_wider(const struct roof *roof, const struct roof *narrow);

/* Whether a program works in place cannot be told by its share of stores, so it is the best pattern of the nearest
 * share (where its traffic is known, the one with such traffic; of what streams, behind the level next to the core,
 * both count); of its own width, but only where the width makes a difference: far from the core it makes none, and not
 * every pattern is measured with every width. NULL: the level has no pattern. */
const struct roof *applicable_pattern(const struct applicable_roofs *applicable, const char *level, bool any_width);

/* The next best pattern of the same share, level and ISA; NULL: none. */
const struct roof *applicable_other_pattern(const struct applicable_roofs *applicable, const struct roof *pattern);

/* The pattern in the level that the data of what streams are in, by its size and the state of the caches. NULL: that is
 * not known, or they are in two levels. */
const struct roof *applicable_home(const struct applicable_roofs *applicable, const struct app_point *point);

/* "2 loads : 1 store" */
const char *applicable_mix(const struct roof *pattern, char out[PATTERN_RATIO_BYTES]);

/* Among a memory level's patterns the one whose traffic has the nearest share of writes, the fastest of those; and what
 * a pattern moves there, write-allocate and write-back included (0 of what is no such pattern). */
const struct roof *applicable_traffic(const struct applicable_roofs *applicable, const char *level, double write_share);
double applicable_traffic_bytes_per_s(const struct roof *pattern);

/* The bytes per second that the program may ask for at a pattern of what the core asks for. What streams with less
 * (more) traffic per byte than the pattern, such as a dgemv that reads its vectors again from a cache, gets more
 * (less). */
double applicable_bytes_per_s(const struct applicable_roofs *applicable, const struct roof *pattern);

/* Of each byte that a pattern asks for: how much is loaded and stored (1 together; 0 of a memory's traffic whoever asks
 * for it), and how much is read from memory and written to it when the data lie there. All 0 of what is no such
 * pattern. */
struct pattern_share {
    double load, store, read, written;
};
struct pattern_share pattern_share(const struct roof *pattern);

#endif
