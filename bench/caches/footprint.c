/* SPDX-License-Identifier: BSD-3-Clause
 * The set of lines or pages ever touched (see footprint.h). */
#include "footprint.h"

void footprint_init(struct footprint *footprint, void *memory, size_t bytes) {
    *footprint = (struct footprint){.slots = memory, .slot_count = 1, .shift = 32};
    while (footprint->slot_count * 2 * sizeof *footprint->slots <= bytes) {
        footprint->slot_count *= 2;
        footprint->shift--;
    }
}

/* The group's slot, or a new one for it; NULL: the table is full. */
static struct footprint_slot *slot_of(struct footprint *footprint, uint64_t group) {
    const size_t mask = footprint->slot_count - 1;
    size_t at = footprint_place(footprint, group);
    while (footprint->slots[at].group != 0 && footprint->slots[at].group != group + 1)
        at = (at + 1) & mask;
    struct footprint_slot *slot = &footprint->slots[at];
    if (slot->group != 0)
        return slot;
    if (footprint->used_slots + footprint->slot_count / 8 + 1 >= footprint->slot_count) {
        footprint->incomplete = true;
        return NULL;
    }
    footprint->used_slots++;
    slot->group = group + 1;
    return slot;
}

void footprint_add_bits(struct footprint *footprint, uint64_t group, uint64_t bits) {
    struct footprint_slot *slot = slot_of(footprint, group);
    const uint64_t fresh = slot ? bits & ~slot->bits : 0;
    if (fresh) {
        slot->bits |= fresh;
        for (uint64_t left = fresh; left; left &= left - 1)
            footprint->item_count++;
    }
}

void footprint_add_all(struct footprint *footprint, const struct footprint *other) {
    for (size_t i = 0; i < other->slot_count; i++)
        if (other->slots[i].group != 0)
            footprint_add_bits(footprint, other->slots[i].group - 1, other->slots[i].bits);
    footprint->incomplete |= other->incomplete;
}
