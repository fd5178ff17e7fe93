/* SPDX-License-Identifier: BSD-3-Clause
 * Landings (see landing.h): a hash table that forgets what a newer one takes the place of. */
#include "landing.h"

#include "bench/count/base/fail.h"
#include "cache.h"
#include "emit.h"

enum { PLACES = 1 << 17, GRAIN_BITS = 4, NEIGHBOURS = 4 };

static struct landing { uint64_t address, jump; } * places;
static uint64_t moved;

void landing_prepare(void) {
    places = fail_or_map(sizeof *places * PLACES);
}

/* Neighbours in the program are neighbours in the table, which touches few pages so. Of the places for a return address
 * the first that holds this one; NULL: none does. */
static struct landing *find(uint64_t return_address, uint64_t held) {
    for (uint64_t i = 0; i < NEIGHBOURS; i++) {
        struct landing *place = &places[((return_address >> GRAIN_BITS) + i) % PLACES];
        if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) == held)
            return place;
    }
    return NULL;
}

void landing_keep(uint64_t return_address, uint8_t *jump) {
    struct landing *known = find(return_address, return_address), *place = known ? known : find(return_address, 0);
    moved = known ? return_address : 0;
    if (!place)
        place = &places[(return_address >> GRAIN_BITS) % PLACES];
    __atomic_store_n(&place->address, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&place->jump, (uint64_t)jump, __ATOMIC_RELEASE);
    __atomic_store_n(&place->address, return_address, __ATOMIC_RELEASE);
}

uint64_t landing_moved(void) {
    const uint64_t address = moved;
    moved = 0;
    return address;
}

/* The code that the jump is in may be gone, and another one be where it was. */
static bool is_known(uint64_t jump) {
    uint32_t instruction;
    const struct block *block = cache_block_at(jump, &instruction);
    return block && block->address == block->original;
}

/* A jump that others may execute is left as it is: it is somewhere in a word. */
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
    const uint64_t jump = __atomic_load_n(&place->jump, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&place->address, __ATOMIC_ACQUIRE) != address)
        return code;
    return is_known(jump) && emit_reaches(jump + EMIT_JUMP_BYTES, code) && lead_to(jump, code) ? jump : code;
}
