/* SPDX-License-Identifier: BSD-3-Clause
 * TLBs for data, in pages of 4 KiB. The first is asked for every access, and is often one large set; so its order is
 * kept by the time of each entry's last use, and where pages were found last is tried first. Freestanding. */
#ifndef BENCH_CACHES_TRANSLATION_H
#define BENCH_CACHES_TRANSLATION_H

#include <stdbool.h>

#include "counts.h"
#include "lru.h"

struct tlb_geometry {
    unsigned set_count, ways; /* 0: there is none, nor a further one; LRU_WAYS_MAX ways and 65535 entries at most */
};

enum { TRANSLATION_HINTS = 1024 };

struct translation {
    unsigned set_count, ways; /* of the first TLB; 0: there is none */
    uint64_t clock;
    uint64_t *keys;                        /* page plus one of each entry; 0: it is empty */
    uint64_t *last_uses;                   /* of each entry, by the clock */
    uint64_t *floors;                      /* of eight entries of a set each: none of them was used before that */
    uint16_t hints[TRANSLATION_HINTS];     /* entries, by the end of the page's number */
    uint16_t residents[TRANSLATION_HINTS]; /* pages that the first TLB holds, by the same */
    struct lru second;                     /* set_count 0: there is none */
};

/* `memory` is zeroed, aligned to 8 bytes, and as long as translation_bytes() says. */
size_t translation_bytes(const struct tlb_geometry tlbs[HIERARCHY_TLBS]);
void translation_init(struct translation *translation, const struct tlb_geometry tlbs[HIERARCHY_TLBS], void *memory);

/* The page isn't where it was found last. */
void translation_search(struct translation *translation, uint64_t page, struct hierarchy_counts *counts);

static inline void translation_access(struct translation *translation, uint64_t page, struct hierarchy_counts *counts) {
    const unsigned entry = translation->hints[page % TRANSLATION_HINTS];
    if (translation->keys[entry] == page + 1)
        translation->last_uses[entry] = ++translation->clock;
    else
        translation_search(translation, page, counts);
}

#endif
