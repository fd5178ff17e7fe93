/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ: the ratio of two roofs as a product of factors. Pure.
 *
 * A rate is the clock × what a core does in a cycle × the cores, and a latency its cycles / the clock: so the ratio of
 * two of them is the product of these three ratios, and in logarithms their sum. Nothing is fitted, and nothing is left
 * over. */
#ifndef CARM_WHY_H
#define CARM_WHY_H

#include "compare.h"

/* How much of what two results differ by is their clock, and the number of their cores: the factors of why.h, counted
 * over all roofs. Pure. */

/* What may be taken out of a ratio, as bits: then it is that of equal clocks, of equally many cores, or of both. */
enum compare_cause { COMPARE_CLOCK = 1, COMPARE_CORES = 2, COMPARE_CAUSES = 4 };

/* Whether a side and the base differ: what is left of their ratio without these causes is farther off 1 than two runs
 * on one quiet machine are (check_tolerances), and no value in its interval is 1. False where they cannot be compared.
 */
bool compare_differs(const struct comparison *comparison, const struct compare_row *row, size_t side,
                     enum compare_per per, unsigned without);

/* Whether they differ, and do not without these causes. False where clocks or cores are not known. */
bool compare_differs_by(const struct comparison *comparison, const struct compare_row *row, size_t side,
                        enum compare_per per, unsigned causes);

/* All roofs of a side against those of the base. */
struct compare_why {
    size_t both, differing;           /* roofs that both have, and those of them that differ */
    size_t explained[COMPARE_CAUSES]; /* those of the differing that do so by these causes, by their bits */
};

struct compare_why compare_why(const struct comparison *comparison, size_t side, enum compare_per per);

enum why_factor {
    WHY_CLOCK,     /* the clock while each was measured; of a latency its inverse, since a higher clock waits shorter */
    WHY_PER_CYCLE, /* what a core that is alone does in a cycle; of a latency its cycles */
    WHY_LEVEL,     /* the same where the level is another one: what differs then is not only the core */
    WHY_PER_CORE,  /* clock and per cycle in one, where a clock is not known */
    WHY_CORES,     /* how many there are × what each keeps of its own when all of them work */
    WHY_UNSPLIT,   /* all in one, where the number of cores is not known */
    WHY_FACTORS
};
extern const char *const why_factor_names[WHY_FACTORS]; /* as files say them: "clock", "per_cycle" */

/* A roof, and the model that it is of. Both are borrowed. */
struct why_roof {
    const struct model *model;
    const struct roof *roof;
};

/* One end of the ratio. NaN: not known. */
struct why_end {
    const struct roof *roof;
    double value;                    /* flop/s, bytes/s or s */
    double clock_hz, alone_clock_hz; /* meanwhile, and with one core alone */
    double per_cycle;                /* value by core and clock: flop or bytes per cycle, or cycles per access */
    double alone;                    /* value of one core alone, of the same kernel, level and place */
    double alone_per_cycle;          /* the same per cycle of its own clock */
    double kept;          /* of what a core does alone each has among all: per cycle where the clock paces it */
    unsigned cores;       /* 0: not known */
    uint64_t level_bytes; /* where the level was found to end; 0: it is none that ends, or not known */
};

struct why {
    struct roof_key key; /* what both roofs share, as of a comparison's headline or row */
    struct why_end from, to;
    double ratio;                   /* to.value / from.value */
    double factors[WHY_FACTORS];    /* their product is the ratio; NaN: takes no part */
    double count_ratio, kept_ratio; /* the two parts of WHY_CORES; kept is NaN where not known, and then 1 in it */
    bool paced;                     /* by the core's clock: registers, L1, L2 */
    bool alone_clock;               /* WHY_CLOCK is of one core alone: where the clock does not pace what all get */
    bool other_level;               /* it differs in size, or is another memory */
    bool other_kernel;              /* the two best are of different kernels */
    bool alike;                     /* the intervals of both values overlap: no difference is known */
};

/* Splits the ratio of two roofs. The values of both are above zero, as in every result. */
struct why why_make(const struct roof_key *key, struct why_roof from, struct why_roof to);

/* How much of the ratio a factor makes up, in logarithms: 0.5 is half of the way, and below 0 it works against. All of
 * them add up to 1. NaN where the factor takes no part, or the ratio is 1. */
double why_share(const struct why *why, enum why_factor factor);

/* Which ratios of a comparison are told: its headlines, or the roof of a name. Pure. */

/* The number of cores (roof_key.cores) of the headlines that both sides have: `wanted`, or where that is 0 all cores,
 * else one, else any. 0 where they have none of a rate in common. Takes comparisons of two sides. */
unsigned why_cores(const struct comparison *comparison, unsigned wanted);

struct why_list {
    size_t count;
    struct why *list;
};

/* The headlines that both sides have, of these cores: the ceiling of this type, the bandwidth of each level, and the
 * latencies, which are one core's. Where the two have memories of other kinds alone (DRAM, HBM) these are a pair. The
 * caller frees the list. */
struct why_list why_headlines(const struct comparison *comparison, unsigned cores, const char *type);

/* The roof of this name: a headline ("f64", "DRAM", "DRAM latency", also "f64 peak" and "DRAM bandwidth"), a kernel or
 * a level and a kernel ("L3 avx512.load"); in capitals or not. Of these cores; of one where it is one core's alone.
 * False: not both sides have it. */
bool why_find(const struct comparison *comparison, unsigned cores, const char *name, struct why *out);

/* "f64 peak", "DRAM", "DRAM latency", "L3 avx512.load": without the place. Of a pair of memories "DRAM → HBM". */
const char *why_name(const struct why *why, char *out, size_t size);

#endif
