/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ: the ratio of two roofs as a product of factors. Pure.
 *
 * A rate is clock × work per cycle of a core × cores; a latency is cycles / clock. The ratio of two rates or latencies
 * is therefore the product of the ratios of these, without fitting and without remainder. */
#pragma once

#include "compare.h"

/* How much of the difference of two results is due to clock and number of cores, counted over all roofs. */

/* Causes to remove from a ratio, as bits: it is then for equal clocks, equal numbers of cores, or both. */
enum compare_cause { COMPARE_CLOCK = 1, COMPARE_CORES = 2, COMPARE_CAUSES = 4 };

/* Whether a side and the base differ: without these causes their ratio is farther from 1 than for two runs on one quiet
 * machine (compare_thresholds.h), and its interval excludes 1. False if they cannot be compared. */
bool compare_differs(const struct comparison *comparison, const struct compare_row *row, size_t side,
                     enum compare_per per, unsigned without);

/* Whether they differ, and do not without these causes. False if clocks or cores are unknown. */
bool compare_differs_by(const struct comparison *comparison, const struct compare_row *row, size_t side,
                        enum compare_per per, unsigned causes);

/* All roofs of a side against those of the base. */
struct compare_why {
    size_t both, differing;           /* roofs of both; of these, the differing ones */
    size_t explained[COMPARE_CAUSES]; /* differing roofs that these causes explain, by their bits */
};

struct compare_why compare_why(const struct comparison *comparison, size_t side, enum compare_per per);

enum why_factor {
    WHY_CLOCK,     /* the clock during each measurement; its inverse for a latency, which a higher clock shortens */
    WHY_PER_CYCLE, /* work of a single core per cycle; for a latency, its cycles */
    WHY_LEVEL,     /* the same for a different level: not only the core differs */
    WHY_PER_CORE,  /* clock and per cycle in one, if a clock is unknown */
    WHY_CORES,     /* their number × the share that each keeps of its own rate when all work */
    WHY_UNSPLIT,   /* all in one, if the number of cores is unknown */
    WHY_IDLE,      /* of a latency under load: that of the idle memory */
    WHY_LOAD,      /* its multiple of the idle latency */
    WHY_FACTORS
};
extern const char *const why_factor_names[WHY_FACTORS]; /* in files: "clock", "per_cycle" */

/* A roof and its model, both borrowed. */
struct why_roof {
    const struct model *model;
    const struct roof *roof;
};

/* One end of the ratio. NaN: unknown. */
struct why_end {
    const struct roof *roof;
    double value;                    /* flop/s, bytes/s or s */
    double clock_hz, alone_clock_hz; /* under load, and with one core alone */
    double per_cycle;                /* per core and cycle: flop, bytes, or cycles per access */
    double alone;                    /* value of one core alone, with the same kernel, level and place; idle latency */
    double alone_per_cycle;          /* the same per cycle of its own clock */
    double kept;          /* share of its rate alone that each core keeps under load: per cycle if the clock paces it */
    unsigned cores;       /* 0: unknown */
    uint64_t level_bytes; /* the measured end of the level; 0: the level has no end, or it is unknown */
};

struct why {
    struct roof_key key; /* the common key, as in a comparison's headline or row */
    struct why_end from, to;
    double ratio;                   /* to.value / from.value */
    double factors[WHY_FACTORS];    /* their product is the ratio; NaN: takes no part */
    double count_ratio, kept_ratio; /* the two parts of WHY_CORES; kept is NaN if unknown, and counts as 1 */
    bool paced;                     /* by the core's clock: registers, L1, L2 */
    bool alone_clock;  /* WHY_CLOCK is the clock of one core alone: the clock does not pace the shared rate */
    bool other_level;  /* of another size, or another memory */
    bool other_kernel; /* the two best use different kernels */
    bool alike;        /* the intervals of both values overlap: no difference is known */
};

/* Splits the ratio of two roofs. Both values are above zero, as in every result. */
struct why why_make(const struct roof_key *key, struct why_roof from, struct why_roof to);

/* The share of a factor in the ratio, in logarithms: 0.5 is half of it; a negative one works against it. All shares add
 * up to 1. NaN if the factor takes no part, or the ratio is 1. */
double why_share(const struct why *why, enum why_factor factor);

/* The ratios of a comparison to report: its headlines, or a roof by name. */

/* The number of cores (roof_key.cores) of common headlines: `wanted`, or if that is 0, all cores, else one, else any. 0
 * if the sides share no rate. For comparisons of two sides. */
unsigned why_cores(const struct comparison *comparison, unsigned wanted);

struct why_list {
    size_t count;
    struct why *list;
};

/* The headlines of both sides for these cores: the ceiling of this type, the bandwidth of each level, and the latencies
 * (of one core). Memories of different kinds (DRAM, HBM) form a pair if each side has only its own. The caller frees
 * the list. */
struct why_list why_headlines(const struct comparison *comparison, unsigned cores, const char *type);

/* The roof of this name: a headline ("f64", "DRAM", "DRAM latency", also "f64 peak" and "DRAM bandwidth"), a kernel, or
 * a level and a kernel ("L3 avx512.load"); case does not matter. For these cores, or for one core if only that was
 * measured. False: not both sides have it. */
bool why_find(const struct comparison *comparison, unsigned cores, const char *name, struct why *out);

/* "f64 peak", "DRAM", "DRAM latency", "L3 avx512.load": without the place. A pair of memories: "DRAM → HBM". */
const char *why_name(const struct why *why, char *out, size_t size);
