/* SPDX-License-Identifier: BSD-3-Clause
 * The bootstrap of a median (see bootstrap.h). Pure: its chance is a generator of its own. */
#include "bootstrap.h"
#include "sample.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"
#include "probe/order.h"

/* xorshift64*: its high half. */
static uint32_t next_chance(uint64_t *state) {
    *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
    return (uint32_t)(*state * UINT64_C(2685821657736338717) >> 32);
}

/* Of sorted values a draw is told by how often each is taken, so that its median needs no sorting. */
static double draw_median(const double *sorted, size_t n, unsigned *taken, uint64_t *state) {
    memset(taken, 0, n * sizeof *taken);
    for (size_t i = 0; i < n; i++)
        taken[(uint64_t)next_chance(state) * n >> 32]++;
    double below = 0;
    for (size_t i = 0, count = 0; i < n; i++) {
        const size_t before = count;
        count += taken[i];
        if (before <= (n - 1) / 2 && count > (n - 1) / 2)
            below = sorted[i];
        if (count > n / 2)
            return (below + sorted[i]) / 2;
    }
    return below;
}

struct median_interval bootstrap_median(const double *values, size_t n) {
    if (n < BOOTSTRAP_LEAST)
        return (struct median_interval){0, 0};
    double *sorted = need_calloc(n, sizeof *sorted), *medians = need_calloc(BOOTSTRAP_DRAWS, sizeof *medians);
    unsigned *taken = need_calloc(n, sizeof *taken);
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, order_doubles);
    for (size_t i = 0; i < BOOTSTRAP_DRAWS; i++)
        medians[i] = draw_median(sorted, n, taken, &state);
    qsort(medians, BOOTSTRAP_DRAWS, sizeof *medians, order_doubles);
    const size_t outside = BOOTSTRAP_DRAWS / 40; /* 2.5 % */
    const struct median_interval interval = {medians[outside], medians[BOOTSTRAP_DRAWS - 1 - outside]};
    free(sorted);
    free(medians);
    free(taken);
    return interval;
}
