/* SPDX-License-Identifier: BSD-3-Clause
 * Why two results differ: the ratio of two roofs as a product of factors. Pure.
 *
 * A rate is the clock × what a core does in a cycle × the cores, and a latency its cycles / the clock: so the ratio of
 * two of them is the product of these three ratios, and in logarithms their sum. Nothing is fitted, and nothing is left
 * over. */
#ifndef CARM_WHY_H
#define CARM_WHY_H

#include "compare.h"

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

#endif
