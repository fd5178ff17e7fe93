/* SPDX-License-Identifier: BSD-3-Clause
 * TLBs (see translation.h). */
#include "translation.h"

size_t translation_bytes(const struct tlb_geometry tlbs[HIERARCHY_TLBS]) {
    const size_t first = ((size_t)tlbs[0].set_count * tlbs[0].ways + 1) * 2 * sizeof(uint64_t);
    return first + (tlbs[0].set_count > 0 && tlbs[1].set_count > 0 ? lru_bytes(tlbs[1].set_count, tlbs[1].ways, 0) : 0);
}

void translation_init(struct translation *translation, const struct tlb_geometry tlbs[HIERARCHY_TLBS], void *memory) {
    const size_t entries = (size_t)tlbs[0].set_count * tlbs[0].ways + 1;
    translation->set_count = tlbs[0].set_count;
    translation->ways = tlbs[0].ways;
    translation->keys = memory;
    translation->last_uses = translation->keys + entries;
    translation->second = (struct lru){0};
    if (tlbs[0].set_count > 0 && tlbs[1].set_count > 0)
        lru_init(&translation->second, tlbs[1].set_count, tlbs[1].ways, 0, translation->last_uses + entries);
}

static bool second_has(const struct lru *tlb, uint64_t page) {
    const struct lru_place place = lru_place(tlb, page, lru_hash(page));
    if (lru_find(tlb, &place) >= 0)
        return true;
    uint64_t gone;
    lru_insert(tlb, &place, &gone);
    return false;
}

void translation_search(struct translation *translation, uint64_t page, struct hierarchy_counts *counts) {
    if (translation->set_count == 0)
        return;
    const size_t first = page % translation->set_count * translation->ways;
    size_t oldest = first, entry = first;
    for (; entry < first + translation->ways && translation->keys[entry] != page + 1; entry++)
        if (translation->last_uses[entry] < translation->last_uses[oldest])
            oldest = entry;
    const bool found = entry < first + translation->ways;
    entry = found ? entry : oldest;
    translation->keys[entry] = page + 1;
    translation->last_uses[entry] = ++translation->clock;
    translation->hints[page % 256] = (uint16_t)entry;
    if (found)
        return;
    counts->tlb_misses[0]++;
    if (translation->second.set_count > 0) {
        if (second_has(&translation->second, page))
            return;
        counts->tlb_misses[1]++;
    }
    counts->new_pages += footprint_add(&translation->pages, page);
}
