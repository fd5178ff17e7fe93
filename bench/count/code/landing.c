/* SPDX-License-Identifier: BSD-3-Clause
 * Landings (see translate.h): a hash table in which newer entries displace older ones. */
#include "translate.h"

#include "bench/count/base/fail.h"
#include "cache.h"
#include "emit.h"

enum {
    FIRST_PLACES = 1 << 9,
    MOST_PLACES = 1 << 17,
    SPARSE = 4, /* the table doubles when more than one in SPARSE places are taken */
    GRAIN_BITS = 4,
    NEIGHBOURS = 4
};

/* The tables of all sizes, consecutively: the table of n places begins at place n. Other threads may still read a table
 * that has become too small. */
static struct landing {
    uint64_t address;
    uint64_t jump; /* block index and distance from the begin of its copy, in 32 bits each */
} * tables;
static uint64_t place_count = FIRST_PLACES, taken;
static uint64_t moved;

void landing_prepare(void) {
    tables = fail_or_map(sizeof *tables * 2 * MOST_PLACES);
}

static struct landing *place_of(uint64_t return_address, uint64_t neighbour, uint64_t count) {
    return &tables[count + ((return_address >> GRAIN_BITS) + neighbour) % count];
}

/* Neighbours in the program are neighbours in the table, so few pages are touched. Returns the first of the return
 * address's places that contains `held`; NULL: none. */
static struct landing *find(uint64_t return_address, uint64_t held) {
    const uint64_t count = __atomic_load_n(&place_count, __ATOMIC_ACQUIRE);
    for (uint64_t i = 0; i < NEIGHBOURS; i++) {
        struct landing *place = place_of(return_address, i, count);
        if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) == held)
            return place;
    }
    return NULL;
}

static void put(struct landing *place, uint64_t return_address, uint64_t jump) {
    __atomic_store_n(&place->address, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&place->jump, jump, __ATOMIC_RELEASE);
    __atomic_store_n(&place->address, return_address, __ATOMIC_RELEASE);
}

static void grow(void) {
    const uint64_t larger = 2 * place_count;
    for (uint64_t i = 0; i < place_count; i++) {
        const struct landing *now = &tables[place_count + i];
        for (uint64_t n = 0; now->address && n < NEIGHBOURS; n++)
            if (!place_of(now->address, n, larger)->address) {
                put(place_of(now->address, n, larger), now->address, now->jump);
                break;
            }
    }
    __atomic_store_n(&place_count, larger, __ATOMIC_RELEASE);
}

void landing_keep(uint64_t return_address, const struct block *block, const uint8_t *jump) {
    if (taken > place_count / SPARSE && place_count < MOST_PLACES)
        grow();
    struct landing *known = find(return_address, return_address), *place = known ? known : find(return_address, 0);
    moved = known ? return_address : 0;
    if (!place)
        place = place_of(return_address, 0, place_count);
    else if (!known)
        taken++;
    put(place, return_address, (uint64_t)(block - cache_block(0)) << 32 | ((uint64_t)jump - block->code));
}

uint64_t landing_moved(void) {
    const uint64_t address = moved;
    moved = 0;
    return address;
}

/* The jump's address; 0: it is not known yet, or its code is gone and other code may have replaced it. */
static uint64_t address_of(uint64_t jump) {
    const struct block *block = cache_block((uint32_t)(jump >> 32));
    const bool known = jump >> 32 < cache_block_count() && block->address == block->original;
    return known ? block->code + (uint32_t)jump : 0;
}

/* A jump that is already set is not changed: other threads may execute it, and it may cross a word boundary. */
static bool lead_to(uint64_t jump, uint64_t code) {
    uint32_t *distance = (uint32_t *)(jump + 1);
    const uint32_t wanted = (uint32_t)(code - (jump + EMIT_JUMP_BYTES)),
                   now = __atomic_load_n(distance, __ATOMIC_RELAXED);
    if (now == 0)
        __atomic_store_n(distance, wanted, __ATOMIC_RELEASE);
    return now == 0 || now == wanted;
}

uint64_t landing_find(uint64_t address, uint64_t code) {
    const struct landing *place = find(address, address);
    if (!place)
        return code;
    const uint64_t jump = address_of(__atomic_load_n(&place->jump, __ATOMIC_ACQUIRE));
    if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) != address)
        return code;
    return jump && emit_reaches(jump + EMIT_JUMP_BYTES, code) && lead_to(jump, code) ? jump : code;
}
