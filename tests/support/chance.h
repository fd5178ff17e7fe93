/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers from our own generator, so test data are the same everywhere (linear congruential: D. E. Knuth, MMIX).
 */
#pragma once

#include <math.h>
#include <stdint.h>

static uint64_t chance_seed; /* determines the numbers */

static inline uint64_t chance_next(void) {
    return chance_seed = chance_seed * 6364136223846793005u + 1442695040888963407u;
}

static inline double chance_uniform(double low, double high) {
    return low + (high - low) * (double)(chance_next() >> 40) / 0x1p24;
}

/* Between 0 and 1, both excluded. */
static inline double chance_between(void) {
    return ((double)(chance_next() >> 11) + 0.5) / 0x1p53;
}

/* Mean 0, standard deviation 1. */
static inline double chance_normal(void) {
    const double length = sqrt(-2 * log(chance_between()));
    return length * cos(2 * acos(-1) * chance_between());
}
