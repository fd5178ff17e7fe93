/* SPDX-License-Identifier: BSD-3-Clause
 * TLBs (see translation.h). */
#include "translation.h"

enum { FLOOR_ENTRIES = 8 };

static size_t floors_of(unsigned ways) {
    return (ways + FLOOR_ENTRIES - 1) / FLOOR_ENTRIES;
}

size_t translation_bytes(const struct tlb_geometry tlbs[HIERARCHY_TLBS]) {
    const size_t sets = tlbs[0].set_count, entries = sets * tlbs[0].ways + 1;
    const size_t first = (entries * 2 + sets * floors_of(tlbs[0].ways)) * sizeof(uint64_t);
    return first + (sets > 0 && tlbs[1].set_count > 0 ? lru_bytes(tlbs[1].set_count, tlbs[1].ways, 0) : 0);
}

void translation_init(struct translation *translation, const struct tlb_geometry tlbs[HIERARCHY_TLBS], void *memory) {
    const size_t sets = tlbs[0].set_count, entries = sets * tlbs[0].ways + 1;
    translation->set_count = tlbs[0].set_count;
    translation->ways = tlbs[0].ways;
    translation->keys = memory;
    translation->last_uses = translation->keys + entries;
    translation->floors = translation->last_uses + entries;
    translation->second = (struct lru){0};
    if (sets > 0 && tlbs[1].set_count > 0)
        lru_init(&translation->second, tlbs[1].set_count, tlbs[1].ways, 0,
                 translation->floors + sets * floors_of(tlbs[0].ways));
}

static bool second_has(const struct lru *tlb, uint64_t page) {
    const struct lru_place place = lru_place(tlb, page, lru_hash(page));
    if (lru_find(tlb, &place) >= 0)
        return true;
    uint64_t gone;
    lru_insert(tlb, &place, &gone);
    return false;
}

/* Of `count` numbers the first of the least. */
static size_t least_of(const uint64_t *numbers, size_t count) {
    size_t least = 0;
    for (size_t i = 1; i < count; i++)
        least = numbers[i] < numbers[least] ? i : least;
    return least;
}

/* The entry of a set that was used the longest time ago. What the lowest floor stands on is looked at, until it is the
 * floor: of many entries few are. */
static size_t oldest_of(struct translation *translation, size_t set) {
    uint64_t *floors = translation->floors + set * floors_of(translation->ways);
    for (;;) {
        const size_t lowest = least_of(floors, floors_of(translation->ways)), from = lowest * FLOOR_ENTRIES;
        const size_t left = translation->ways - from, first = set * translation->ways + from;
        const size_t entry =
            first + least_of(translation->last_uses + first, left < FLOOR_ENTRIES ? left : FLOOR_ENTRIES);
        if (floors[lowest] == translation->last_uses[entry])
            return entry;
        floors[lowest] = translation->last_uses[entry];
    }
}

/* The entry of a page in a set, or the one behind the set. */
static size_t entry_with(const struct translation *translation, size_t set, uint64_t page) {
    const size_t first = set * translation->ways, end = first + translation->ways;
    if (translation->residents[page % TRANSLATION_HINTS] == 0)
        return end;
    size_t entry = first;
    while (entry < end && translation->keys[entry] != page + 1)
        entry++;
    return entry;
}

void translation_search(struct translation *translation, uint64_t page, struct hierarchy_counts *counts) {
    if (translation->set_count == 0)
        return;
    const size_t set = page % translation->set_count;
    size_t entry = entry_with(translation, set, page);
    const bool found = entry < (set + 1) * translation->ways;
    if (!found) {
        entry = oldest_of(translation, set);
        if (translation->keys[entry] != 0)
            translation->residents[(translation->keys[entry] - 1) % TRANSLATION_HINTS]--;
        translation->residents[page % TRANSLATION_HINTS]++;
        translation->keys[entry] = page + 1;
    }
    translation->last_uses[entry] = ++translation->clock;
    translation->hints[page % TRANSLATION_HINTS] = (uint16_t)entry;
    if (found)
        return;
    counts->tlb_misses[0]++;
    if (translation->second.set_count > 0 && !second_has(&translation->second, page))
        counts->tlb_misses[1]++;
}
