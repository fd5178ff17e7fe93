/* SPDX-License-Identifier: BSD-3-Clause
 * Which prefetch, and how far ahead: one access pattern in one shape, with every prefetch at every distance, compared
 * with itself without prefetch. Pure, as the campaign is (campaign.h): the caller provides the bench.
 *
 * Memory bandwidth varies from second to second by more than a prefetch gains. So all are visited in rounds of
 * alternating order, and each is compared with the visit without prefetch of its own round. The highest of many is also
 * high by chance: so the best is compared once more, in pairs that had no part in choosing it. */
#pragma once

#include "campaign.h"

enum { DISTANCES_COUNT = 13, DISTANCES_ROUNDS = 21, DISTANCES_ROUNDS_LEAST = 3, DISTANCES_PAIRS = 21 };
extern const unsigned distances_bytes[DISTANCES_COUNT]; /* rising, from 0 */

/* The bench's step, the code without prefetch, the working set of one thread, and the time limit. */
struct distances_request {
    const struct campaign_bench *bench;
    const struct plan_step *step;
    struct campaign_code code;
    uint64_t bytes;
    double budget_s;
};

struct distances {
    unsigned rounds;                                          /* complete ones */
    double without;                                           /* median over the rounds; all values are merits */
    double values[PREFETCH_HINTS][DISTANCES_COUNT];           /* medians; [hint], without PREFETCH_NONE */
    struct statistics gains[PREFETCH_HINTS][DISTANCES_COUNT]; /* over no prefetch, in the same round */
    struct prefetch best;                                     /* highest median gain */
    struct statistics pairs;                                  /* best over none, from separate pairs */
    struct sample proper[2];                                  /* full visits with their doubts: none, and the best */
    bool stopped;                                             /* by the stop flag, before the end */
};

/* The best prefetch is faster than none in three of four pairs. */
bool distances_helps(const struct distances *distances);

/* All prefetches can be assembled in this shape, and the kernel walks most of the working set. */
bool distances_possible(const struct kernel *like, unsigned width, unsigned unroll, uint64_t bytes);

/* Completes at least DISTANCES_ROUNDS_LEAST rounds whatever the budget. Error: a visit's error. A `without` of 0: the
 * code cannot run there. */
bool distances_search(const struct distances_request *request, struct distances *out, struct error *err);
