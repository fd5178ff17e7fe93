/* SPDX-License-Identifier: BSD-3-Clause
 * The set of lines or pages ever touched: a hash table of groups of 64 neighbours, one bit each. One table can hold
 * the sets of many owners. Freestanding. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct footprint_slot {
    uint64_t group; /* number of the item / 64, plus one, or the result of footprint_of_owner(); 0: the slot is free */
    uint64_t bits;
};

struct footprint {
    struct footprint_slot *slots;
    size_t slot_count; /* a power of two, up to 2^32 */
    unsigned shift;    /* from the 32-bit hash to the number of a slot */
    size_t used_slots;
    uint64_t item_count; /* distinct items */
    bool incomplete;     /* an item was left out because the table was full */
};

/* `memory` is zeroed and aligned to 8 bytes. The table takes the largest power of two of slots that fits, at least
 * one. */
void footprint_init(struct footprint *footprint, void *memory, size_t bytes);

/* 64 neighbours of an owner: item / 64 becomes the key of footprint_add_bits(). Addresses have 57 bits, and the bits
 * above are equal in all of them, so no two lines, or pages, of an owner collide. */
enum { FOOTPRINT_OWNER_BITS = 19, FOOTPRINT_OWNERS = 1 << FOOTPRINT_OWNER_BITS };
static inline uint64_t footprint_of_owner(uint64_t group, uint32_t owner) {
    return group << FOOTPRINT_OWNER_BITS | owner;
}
static inline uint32_t footprint_owner(uint64_t group) {
    return (uint32_t)group % FOOTPRINT_OWNERS;
}
static inline uint64_t footprint_group(uint64_t group) {
    return group >> FOOTPRINT_OWNER_BITS;
}

/* With more than seven eighths of its slots in use, the table takes no new groups and is incomplete. */
void footprint_add_bits(struct footprint *footprint, uint64_t group, uint64_t bits);

/* The first slot to search for a group (Knuth, vol. 3, 6.4). Four consecutive groups of an owner share a cache line. */
static inline size_t footprint_place(const struct footprint *footprint, uint64_t group) {
    const uint64_t four = group & ~(3ull << FOOTPRINT_OWNER_BITS), hash = four * 0x9e3779b97f4a7c15u >> 32;
    return ((hash >> footprint->shift & ~3ull) | footprint_group(group) % 4) & (footprint->slot_count - 1);
}

/* Whether the table already has all of them, checked in the first slot only. */
static inline bool footprint_has(const struct footprint *footprint, uint64_t group, uint64_t bits) {
    const struct footprint_slot *slot = &footprint->slots[footprint_place(footprint, group)];
    return slot->group == group + 1 && (bits & ~slot->bits) == 0;
}

/* Half of the slots are in use: time to move to a larger table. */
static inline bool footprint_is_tight(const struct footprint *footprint) {
    return footprint->used_slots >= footprint->slot_count / 2;
}

/* Adds the contents of another table: a smaller one, or another thread's. */
void footprint_add_all(struct footprint *footprint, const struct footprint *other);
