/* SPDX-License-Identifier: BSD-3-Clause
 * Selects the simulated lines. A line's class is its number modulo 64, which is its set in most first levels. Lines
 * compete only within their class in every cache whose number of sets is a multiple of 64. So some classes, chosen by a
 * hash, with their share of every cache's sets, behave exactly as they do among the rest.
 *
 * Sampled lines get new numbers, so that a cache with the sampled share of the sets works like any other.
 * Freestanding. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "caches.h"

struct sampling {
    uint64_t classes;     /* a bit for each simulated class */
    unsigned class_bits;  /* there are 2^class_bits simulated classes */
    uint8_t rank[64];     /* of a class among the simulated ones */
    unsigned group_count; /* groups of sampled lines; their differences give the error of the estimate */
    uint64_t last[64];    /* line that was accessed last in each class, plus one */
    uint64_t weight;      /* of each change; 0: changes are not counted */
    uint64_t changes[64]; /* accesses in each class, simulated or not, to a line other than the class's last one */
    uint64_t rounds;      /* changes from ranges that apply to every class */
    int64_t steps[2 * SAMPLING_CLASSES]; /* differences of changes from ranges: for this class and later ones */
};

/* Samples one class of `one_of` (1, 4, 16, 64; other values count as the next smaller of these). */
void sampling_init(struct sampling *sampling, unsigned one_of, uint64_t seed);

/* Sampled sets of a cache; at least 1, so caches of less than 64 sets are simulated too large. */
uint64_t sampling_sets(const struct sampling *sampling, uint64_t set_count);

static inline bool sampling_has(const struct sampling *sampling, uint64_t line) {
    return sampling->classes >> line % SAMPLING_CLASSES & 1;
}
static inline uint64_t sampling_line(const struct sampling *sampling, uint64_t line) {
    return line / SAMPLING_CLASSES << sampling->class_bits | sampling->rank[line % SAMPLING_CLASSES];
}

/* Notes an access to a line of any class. */
static inline void sampling_see(struct sampling *sampling, uint64_t line) {
    uint64_t *last = &sampling->last[line % SAMPLING_CLASSES];
    sampling->changes[line % SAMPLING_CLASSES] += *last != line + 1 ? sampling->weight : 0;
    *last = line + 1;
}

/* The same for `count` consecutive lines. None of them may be the last of its class: the last lines stay as they are.
 */
static inline void sampling_see_range(struct sampling *sampling, uint64_t first, uint64_t count) {
    const int64_t weight = (int64_t)sampling->weight;
    sampling->rounds += sampling->weight * (count / SAMPLING_CLASSES);
    sampling->steps[first % SAMPLING_CLASSES] += weight;
    sampling->steps[first % SAMPLING_CLASSES + count % SAMPLING_CLASSES] -= weight;
}

/* Adds the changes of each class, including ranges. */
void sampling_add_changes(const struct sampling *sampling, uint64_t changes[SAMPLING_CLASSES]);

/* The group of a line, by its new number. */
static inline unsigned sampling_group(const struct sampling *sampling, uint64_t sampled_line) {
    return (unsigned)sampled_line & (sampling->group_count - 1);
}
