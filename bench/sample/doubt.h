/* SPDX-License-Identifier: BSD-3-Clause
 * Reasons not to believe a number. They travel with it: in the table, the file and the picture. */
#ifndef BENCH_DOUBT_H
#define BENCH_DOUBT_H

#include <stddef.h>
#include <stdint.h>

enum doubt_bit {
    DOUBT_TOO_SHORT = 1u << 0,
    DOUBT_UNSTABLE = 1u << 1,
    DOUBT_CLOCK_DRIFTED = 1u << 2,
    DOUBT_CLOCK_UNKNOWN = 1u << 3,
    DOUBT_NO_HUGE_PAGES = 1u << 4,
    DOUBT_NOT_ONLY_THIS_LEVEL = 1u << 5,
    DOUBT_SIZE_DISAGREES = 1u << 6,
    DOUBT_SMALL_BUFFER = 1u << 7,
    DOUBT_FP_ASSIST = 1u << 8,
    DOUBT_CORE_SHARED = 1u << 9,
    DOUBT_INTERRUPTED = 1u << 10,
    DOUBT_ABOVE_DOCUMENTED = 1u << 11,
    DOUBT_MASKED_CPU = 1u << 12,
    DOUBT_SHARED_CACHE = 1u << 13,
    DOUBT_OTHERS_ACTIVE = 1u << 14,
    DOUBT_MEMORY_ELSEWHERE = 1u << 15,
    DOUBT_MULTIPLEXED = 1u << 16,
    DOUBT_OTHER_CODE = 1u << 17,
    DOUBT_OPEN_REGION = 1u << 18,
    DOUBT_ESTIMATED_BYTES = 1u << 19,
    DOUBT_SIMULATED = 1u << 20,
    DOUBT_FEW_SAMPLES = 1u << 21,
    DOUBT_NOT_CALIBRATED = 1u << 22,
    DOUBT_BYTES_UNKNOWN = 1u << 23,
    DOUBT_OTHER_MACHINE = 1u << 24,
    DOUBT_RUNS_DIFFER = 1u << 25,
    DOUBT_ABOVE_ROOF = 1u << 26, /* follows from a point and the roofs that judge it: never stored */
    DOUBT_IMPORTED = 1u << 27,
    DOUBT_OTHER_CACHE = 1u << 28,
    DOUBT_CLOCK_UNCERTAIN = 1u << 29,
    DOUBT_KILLED = 1u << 30,
};

struct doubt {
    uint32_t bit;
    const char *name; /* "unstable": in files and tables, never renamed */
    const char *cause;
    const char *remedy;
};

extern const struct doubt doubt_table[];
extern const size_t doubt_count;

const struct doubt *doubt_find(const char *name); /* NULL when there is none of that name */

/* Writes the names, separated by ", "; returns `out`. */
char *doubt_names(uint32_t doubts, char *out, size_t size);

#endif
