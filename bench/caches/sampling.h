/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines are simulated. A line's class is its number modulo 64, which is its set in most first levels: the lines
 * of a class are rivals of each other in every cache whose number of sets is a multiple of 64, and of no others. So
 * some classes, chosen by a hash, with their share of every cache's sets, behave exactly as they do among the rest.
 *
 * Sampled lines are numbered anew, so that a cache with the sampled share of the sets is a cache like any other.
 * Freestanding. */
#ifndef BENCH_CACHES_SAMPLING_H
#define BENCH_CACHES_SAMPLING_H

#include <stdbool.h>
#include <stdint.h>

enum { SAMPLING_CLASSES = 64, SAMPLING_GROUPS_MAX = 16 };

struct sampling {
    uint64_t classes;     /* a bit for each that is simulated */
    unsigned class_bits;  /* there are 2^class_bits of them */
    uint8_t rank[64];     /* of a class among those that are simulated */
    unsigned group_count; /* the sampled lines fall into so many groups, which tell how far the estimate is off */
    uint64_t last[64];    /* line that was accessed last in each class, plus one */
    uint64_t weight;      /* that a change counts with: 0, where none is noted */
    uint64_t changes[64]; /* accesses in each class, simulated or not, to another line than the last there */
    uint64_t rounds;      /* of the changes, those of ranges: so many in every class */
    int64_t steps[2 * SAMPLING_CLASSES]; /* and those that are more in this class, and in all behind it, than before */
};

/* One class of `one_of` (1, 4, 16, 64; others count as the next smaller of these). */
void sampling_init(struct sampling *sampling, unsigned one_of, uint64_t seed);

/* Sets of a cache that are left; at least 1, so that caches of less than 64 sets are too large. */
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

/* The same of so many lines in a row, of which none is the last of its class; those stay what they are. */
static inline void sampling_see_range(struct sampling *sampling, uint64_t first, uint64_t count) {
    const int64_t weight = (int64_t)sampling->weight;
    sampling->rounds += sampling->weight * (count / SAMPLING_CLASSES);
    sampling->steps[first % SAMPLING_CLASSES] += weight;
    sampling->steps[first % SAMPLING_CLASSES + count % SAMPLING_CLASSES] -= weight;
}

/* The changes of each class, of ranges too. */
void sampling_add_changes(const struct sampling *sampling, uint64_t changes[SAMPLING_CLASSES]);

/* Of a line by its new number. */
static inline unsigned sampling_group(const struct sampling *sampling, uint64_t sampled_line) {
    return (unsigned)sampled_line & (sampling->group_count - 1);
}

#endif
