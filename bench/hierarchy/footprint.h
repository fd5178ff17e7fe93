/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines or pages were ever touched: a hash table of 64 neighbours at a time, one bit each. Freestanding. */
#ifndef BENCH_HIERARCHY_FOOTPRINT_H
#define BENCH_HIERARCHY_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct footprint_slot {
    uint64_t group; /* number of the item / 64, plus one; 0: the slot is free */
    uint64_t bits;
};

struct footprint {
    struct footprint_slot *slots;
    size_t slot_count; /* a power of two */
    size_t used_slots;
    uint64_t item_count; /* that were told apart */
    bool incomplete;     /* an item was left out, since the table was full */
};

/* `memory` is zeroed, aligned to 8 bytes, and takes as many slots as the largest power of two that fits, one at least.
 */
void footprint_init(struct footprint *footprint, void *memory, size_t bytes);

/* Past seven eighths of its slots the table takes no new groups, and is incomplete. */
void footprint_add(struct footprint *footprint, uint64_t item);

/* Three quarters of the slots are taken: time to add all to a larger one. */
static inline bool footprint_is_tight(const struct footprint *footprint) {
    return footprint->used_slots >= footprint->slot_count / 4 * 3;
}

/* Adds all that another one holds: into a larger table, or of another thread. */
void footprint_add_all(struct footprint *footprint, const struct footprint *other);

#endif
