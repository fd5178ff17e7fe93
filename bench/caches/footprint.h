/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines or pages were ever touched: a hash table of 64 neighbours at a time, one bit each. One table can hold
 * those of many owners, each for itself. Freestanding. */
#ifndef BENCH_CACHES_FOOTPRINT_H
#define BENCH_CACHES_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many of them were touched, each once. */
struct touched {
    uint64_t lines, pages; /* lines of those that were sampled */
};
static inline void touched_sum(struct touched *sum, struct touched more) {
    sum->lines += more.lines;
    sum->pages += more.pages;
}

struct footprint_slot {
    uint64_t group; /* number of the item / 64, plus one, or what footprint_of_owner() tells; 0: the slot is free */
    uint64_t bits;
};

struct footprint {
    struct footprint_slot *slots;
    size_t slot_count; /* a power of two, up to 2^32 */
    unsigned shift;    /* from 32 bits to as many as number the slots */
    size_t used_slots;
    uint64_t item_count; /* that were told apart */
    bool incomplete;     /* an item was left out, since the table was full */
};

/* `memory` is zeroed, aligned to 8 bytes, and takes as many slots as the largest power of two that fits, one at least.
 */
void footprint_init(struct footprint *footprint, void *memory, size_t bytes);

/* 64 neighbours of an owner: item / 64 becomes what footprint_add_bits() takes. Addresses have 57 bits: what is above
 * these is the same in all of them, so that no two lines, or pages, of an owner are taken for each other. */
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

/* Past seven eighths of its slots the table takes no new groups, and is incomplete. */
void footprint_add_bits(struct footprint *footprint, uint64_t group, uint64_t bits);

/* Where a group is, or is looked for first (Knuth, vol. 3, 6.4). Four of an owner that follow each other are in one
 * line of the cache. */
static inline size_t footprint_place(const struct footprint *footprint, uint64_t group) {
    const uint64_t four = group & ~(3ull << FOOTPRINT_OWNER_BITS), hash = four * 0x9e3779b97f4a7c15u >> 32;
    return ((hash >> footprint->shift & ~3ull) | footprint_group(group) % 4) & (footprint->slot_count - 1);
}

/* Whether it has them all already, as far as one look tells. */
static inline bool footprint_has(const struct footprint *footprint, uint64_t group, uint64_t bits) {
    const struct footprint_slot *slot = &footprint->slots[footprint_place(footprint, group)];
    return slot->group == group + 1 && (bits & ~slot->bits) == 0;
}

/* Half of the slots are taken: time to add all to a larger one. */
static inline bool footprint_is_tight(const struct footprint *footprint) {
    return footprint->used_slots >= footprint->slot_count / 2;
}

/* Adds all that another one holds: into a larger table, or of another thread. */
void footprint_add_all(struct footprint *footprint, const struct footprint *other);

#endif
