/* SPDX-License-Identifier: BSD-3-Clause
 * Random numbers of a generator of their own, so that what tests make up is the same everywhere (a linear congruential
 * one: D. E. Knuth, MMIX). */
#ifndef TESTS_CHANCE_H
#define TESTS_CHANCE_H

#include <math.h>
#include <stdint.h>

static uint64_t chance_seed; /* the numbers follow from it */

static inline uint64_t chance_next(void) {
    return chance_seed = chance_seed * 6364136223846793005u + 1442695040888963407u;
}

static inline double chance_uniform(double low, double high) {
    return low + (high - low) * (double)(chance_next() >> 40) / 0x1p24;
}

/* Between 0 and 1, but neither. */
static inline double chance_between(void) {
    return ((double)(chance_next() >> 11) + 0.5) / 0x1p53;
}

/* Of mean 0 and standard deviation 1. */
static inline double chance_normal(void) {
    const double length = sqrt(-2 * log(chance_between()));
    return length * cos(2 * acos(-1) * chance_between());
}

#endif
