/* SPDX-License-Identifier: BSD-3-Clause
 * Which prefetch, and how far ahead: one access pattern in one shape with every prefetch at every distance, against
 * itself without. Pure, as the campaign is (campaign.h): it measures by a bench that it is given.
 *
 * What memory gives moves from second to second by more than a prefetch gains. So all are visited in rounds, there and
 * back in turn, and each is compared with the visit without prefetch of its own round. The highest of many is high by
 * luck, too: so the best is compared once more, in pairs that had no part in choosing it. */
#ifndef BENCH_KERNELS_DISTANCES_H
#define BENCH_KERNELS_DISTANCES_H

#include "campaign.h"

enum { DISTANCES_COUNT = 13, DISTANCES_ROUNDS = 21, DISTANCES_ROUNDS_LEAST = 3, DISTANCES_PAIRS = 21 };
extern const unsigned distances_bytes[DISTANCES_COUNT]; /* rising, from 0 */

/* A bench's step, the code without prefetch, the working set of one thread, and how long it may take. */
struct distances_request {
    const struct campaign_bench *bench;
    const struct plan_step *step;
    struct campaign_code code;
    uint64_t bytes;
    double budget_s;
};

struct distances {
    unsigned rounds;                                          /* whole ones */
    double without;                                           /* median of the rounds; merit, as all values */
    double values[PREFETCH_HINTS][DISTANCES_COUNT];           /* medians; by hint, no row of PREFETCH_NONE */
    struct statistics gains[PREFETCH_HINTS][DISTANCES_COUNT]; /* value over the round's own without prefetch */
    struct prefetch best;                                     /* of the highest median gain */
    struct statistics pairs;                                  /* of the best over none, in pairs of their own */
    struct sample proper[2];                                  /* proper visits: none, and the best; with their doubts */
    bool stopped;                                             /* by the flag, before all of it was known */
};

/* Whether the best prefetch is faster than none in three of four pairs. */
bool distances_helps(const struct distances *distances);

/* Whether all of the request's shape with prefetches can be assembled, and walks most of the working set. */
bool distances_possible(const struct kernel *like, unsigned width, unsigned unroll, uint64_t bytes);

/* At least DISTANCES_ROUNDS_LEAST rounds whatever the budget. Error: that of a visit. A `without` of 0: the code cannot
 * run there. */
bool distances_search(const struct distances_request *request, struct distances *out, struct error *err);

#endif
