/* SPDX-License-Identifier: BSD-3-Clause */
#include "sampling.h"

/* Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators" (2014). */
static uint64_t random_next(uint64_t *state) {
    uint64_t mixed = *state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

static unsigned class_bits_of(unsigned one_of) {
    return one_of >= 64 ? 0 : one_of >= 16 ? 2 : one_of >= 4 ? 4 : 6;
}

void sampling_init(struct sampling *sampling, unsigned one_of, uint64_t seed) {
    enum { ONE_CLASS_GROUPS = 4 }; /* neighbours of a single class, 4 KiB apart */
    *sampling = (struct sampling){.class_bits = class_bits_of(one_of), .weight = 1};
    const unsigned wanted = 1u << sampling->class_bits, apart = SAMPLING_CLASSES / wanted;
    for (unsigned found = 0; found < wanted; found++) {
        const unsigned class = found * apart + (unsigned)(random_next(&seed) % apart);
        sampling->classes |= 1ull << class;
        sampling->rank[class] = (uint8_t)found;
    }
    sampling->group_count = wanted == SAMPLING_CLASSES ? 1 : wanted == 1 ? ONE_CLASS_GROUPS : wanted;
}

uint64_t sampling_sets(const struct sampling *sampling, uint64_t set_count) {
    const uint64_t sets = ((set_count << sampling->class_bits) + SAMPLING_CLASSES / 2) / SAMPLING_CLASSES;
    return sets > 0 ? sets : 1;
}

void sampling_add_changes(const struct sampling *sampling, uint64_t changes[SAMPLING_CLASSES]) {
    int64_t of_ranges = (int64_t)sampling->rounds;
    for (unsigned i = 0; i < SAMPLING_CLASSES; i++) {
        of_ranges += sampling->steps[i];
        changes[i] += sampling->changes[i] + (uint64_t)of_ranges;
    }
    of_ranges -= (int64_t)sampling->rounds;
    for (unsigned i = 0; i < SAMPLING_CLASSES; i++) { /* ranges that continue with the first classes */
        of_ranges += sampling->steps[SAMPLING_CLASSES + i];
        changes[i] += (uint64_t)of_ranges;
    }
}
