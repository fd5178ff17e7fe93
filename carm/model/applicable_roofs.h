/* SPDX-License-Identifier: BSD-3-Clause
 * The roofs that fit a program's own code: its threads, element type, vector width and mix of loads and stores. Pure.
 */
#pragma once

#include "model.h"

#include "asm/pattern.h"

struct app_point;

struct applicable_roofs {
    const struct model *model;
    struct model_view view; /* of its threads, else of the next larger number, else of all cores; of its type */
    const char *isas[2];    /* ISAs of its vector width; NULL: unknown, or no second one */
    bool scalar;            /* hardly any flop, and no vectors: no roof of vectors fits it */
    double fused_share;     /* share of FMA in its flop; NaN: unknown */
    double store_share;     /* of its bytes; NaN: unknown */
    bool streams;           /* a workload without reuse: each element is read and written once at most */
    double traffic; /* bytes between caches and memory per byte that the core requests; NaN: unknown. For a streaming
                       workload by theory, between all levels */
    char core[8];   /* the level next to the core: "L1"; "": no levels */
    char memory[8]; /* the level of `traffic`: "DRAM"; "": no levels */
};

/* False if the model has no ceiling of its type for its threads. */
bool applicable_make(const struct model *model, const struct app_point *point, struct applicable_roofs *out);

/* The highest ceiling of its type (of FMA if all its flop are FMA), and the highest of its operations: of its width, if
 * that is known (NULL: not measured). */
const struct roof *applicable_peak(const struct applicable_roofs *applicable);
const struct roof *applicable_own_peak(const struct applicable_roofs *applicable);
/* The lowest ceiling that allows this rate: of its own width and operations, of its own width, the highest. */
const struct roof *applicable_ceiling(const struct applicable_roofs *applicable, double flop_per_s);
const struct roof *applicable_fused_peak(const struct applicable_roofs *applicable); /* of its width, FMA only */

/* The highest ceiling of its operations with wider vectors than `narrow`'s; NULL: none. Whether a roof has wider
 * vectors. */
const struct roof *applicable_wider_peak(const struct applicable_roofs *applicable, const struct roof *narrow);
bool applicable_is_wider(const struct roof *roof, const struct roof *narrow);

/* The best pattern with the nearest share of stores, because that share does not show whether a program works in place.
 * Among these, known memory traffic decides; for streaming programs beyond the level next to the core, both count. Only
 * patterns of the program's width, if width makes a difference: far from the core it makes none, and not every pattern
 * is measured with every width. Code without any vectors has only patterns without, even of another share of stores.
 * NULL: the level has no pattern. */
const struct roof *applicable_pattern(const struct applicable_roofs *applicable, const char *level, bool any_width);

/* The next best pattern with the same share, level and ISA; NULL: none. */
const struct roof *applicable_other_pattern(const struct applicable_roofs *applicable, const struct roof *pattern);

/* The pattern in the level that holds a streaming program's data, by their size and the state of the caches. NULL:
 * unknown, or the data are in two levels. */
const struct roof *applicable_home(const struct applicable_roofs *applicable, const struct app_point *point);

/* "2 loads : 1 store" */
const char *applicable_mix(const struct roof *pattern, char out[PATTERN_RATIO_BYTES]);

/* The fastest of a memory level's patterns with the nearest share of writes in their traffic; and the traffic of a
 * pattern there, including write-allocate and write-back (0 for other roofs). */
const struct roof *applicable_traffic(const struct applicable_roofs *applicable, const char *level, double write_share);
double applicable_traffic_bytes_per_s(const struct roof *pattern);

/* The bytes per second that the level allows the program to request. A streaming program with less (more) traffic per
 * byte than the pattern, such as a dgemv that rereads its vectors from a cache, gets more (less). */
double applicable_bytes_per_s(const struct applicable_roofs *applicable, const struct roof *pattern);

/* For each requested byte of a pattern: the loaded and stored share (1 together; 0 for memory traffic as such), and the
 * bytes read from and written to memory if the data are there. All zero if it is not such a pattern. */
struct pattern_share {
    double load, store, read, written;
};
struct pattern_share pattern_share(const struct roof *pattern);
