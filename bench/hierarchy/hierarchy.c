/* SPDX-License-Identifier: BSD-3-Clause
 * Batches of accesses, TLBs, and what stays within the first level (see hierarchy.h). */
#include "hierarchy.h"

#include "outwards.h"

static const uint64_t LINES_PER_PAGE = HIERARCHY_PAGE_BYTES / HIERARCHY_LINE_BYTES;

size_t hierarchy_cache_bytes(const struct hierarchy_level *level, const struct sampling *sampling) {
    const uint64_t sets = sampling_sets(sampling, level->set_count);
    return lru_bytes(sets, level->ways) + sets * level->ways * sizeof(struct hierarchy_line);
}

void hierarchy_cache_init(struct hierarchy_cache *cache, const struct hierarchy_level *level,
                          const struct sampling *sampling, void *memory) {
    const uint64_t sets = sampling_sets(sampling, level->set_count);
    *cache = (struct hierarchy_cache){.content = level->content};
    lru_init(&cache->lru, sets, level->ways, memory);
    cache->lines = (struct hierarchy_line *)(void *)((char *)memory + lru_bytes(sets, level->ways));
}

size_t hierarchy_tlb_bytes(const struct hierarchy_geometry *geometry) {
    size_t bytes = 0;
    for (unsigned i = 0; i < HIERARCHY_TLBS && geometry->tlbs[i].set_count > 0; i++)
        bytes += lru_bytes(geometry->tlbs[i].set_count, geometry->tlbs[i].ways);
    return bytes;
}

void hierarchy_tlb_init(struct hierarchy_thread *thread, const struct hierarchy_geometry *geometry, void *memory) {
    char *at = memory;
    for (unsigned i = 0; i < HIERARCHY_TLBS; i++) {
        thread->tlbs[i] = (struct lru){0};
        if (geometry->tlbs[i].set_count == 0)
            return;
        lru_init(&thread->tlbs[i], geometry->tlbs[i].set_count, geometry->tlbs[i].ways, at);
        at += lru_bytes(geometry->tlbs[i].set_count, geometry->tlbs[i].ways);
    }
}

/* A first TLB is often one large set, so where pages were found last is worth a try before a search. */
static bool first_tlb_has(struct hierarchy_thread *thread, uint64_t page, uint64_t hash) {
    const struct lru *tlb = &thread->tlbs[0];
    const struct lru_place place = lru_place(tlb, page, hash);
    uint8_t *hint = &thread->tlb_hints[page % sizeof thread->tlb_hints];
    if (tlb->keys[place.set * tlb->ways + *hint] == place.key) {
        lru_touch_way(tlb, place.row, *hint);
        return true;
    }
    uint64_t gone;
    int64_t entry = lru_find(tlb, &place);
    const bool found = entry >= 0;
    if (!found)
        entry = (int64_t)lru_insert(tlb, &place, &gone);
    *hint = (uint8_t)((uint64_t)entry - place.set * tlb->ways);
    return found;
}

/* False: the page was not there, and is now. */
static bool tlb_has(const struct lru *tlb, uint64_t page, uint64_t hash) {
    const struct lru_place place = lru_place(tlb, page, hash);
    if (lru_find(tlb, &place) >= 0)
        return true;
    uint64_t gone;
    lru_insert(tlb, &place, &gone);
    return false;
}

/* The page is not the one that was used last in its set. */
static void translate_other(struct hierarchy_thread *thread, uint64_t page, uint32_t owner) {
    const uint64_t hash = lru_hash(page);
    struct hierarchy_counts *counts = &thread->counts[owner];
    if (first_tlb_has(thread, page, hash))
        return;
    counts->tlb_misses[0]++;
    if (thread->tlbs[1].set_count > 0) {
        if (tlb_has(&thread->tlbs[1], page, hash))
            return;
        counts->tlb_misses[1]++;
    }
    if (footprint_add(&thread->pages, page))
        counts->new_pages++;
}

static inline void translate(struct hierarchy_thread *thread, uint64_t page, uint32_t owner) {
    const struct lru *tlb = &thread->tlbs[0];
    if (tlb->set_count == 0)
        return;
    const uint64_t set = lru_set(tlb, page);
    const struct lru_row *row = (const struct lru_row *)(const void *)(tlb->rows + set * tlb->row_bytes);
    if (tlb->keys[set * tlb->ways + row->head] != page + 1)
        translate_other(thread, page, owner);
}

static void write_combined(struct hierarchy_thread *thread, struct combining *buffer) {
    if (buffer->line != 0 && buffer->written != UINT64_MAX)
        outwards_counts(thread, buffer->line - 1, buffer->owner)->nontemporal_partial++;
    *buffer = (struct combining){0};
}

/* Each line is counted when a buffer is taken for it; the oldest buffer makes room. */
static void store_past(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes, uint32_t owner) {
    struct combining *buffer = thread->combining;
    while (buffer < thread->combining + HIERARCHY_COMBINING && buffer->line != line + 1)
        buffer++;
    if (buffer == thread->combining + HIERARCHY_COMBINING) {
        buffer = &thread->combining[thread->combining_next++ % HIERARCHY_COMBINING];
        write_combined(thread, buffer);
        *buffer = (struct combining){.line = line + 1, .owner = owner};
        outwards_expel(thread, line, lru_hash(line));
        struct hierarchy_counts *counts = outwards_counts(thread, line, owner);
        counts->nontemporal_lines++;
        counts->new_lines += footprint_add(&thread->lines, line);
    }
    buffer->written |= bytes;
    if (buffer->written == UINT64_MAX)
        write_combined(thread, buffer);
}

/* Bytes of one line: a bit for each. */
static void access_line(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                        const struct memory_access *access) {
    struct hierarchy_cache *first = thread->levels[0];
    const bool store = access->kind != ACCESS_LOAD;
    const uint64_t hash = lru_hash(line);
    const struct lru_place place = lru_place(&first->lru, line, hash);
    int64_t entry = lru_find(&first->lru, &place);
    if (entry < 0)
        entry = (int64_t)outwards_fetch(thread, line, &place, access->owner, access->kind == ACCESS_STORE);
    struct hierarchy_line *state = &first->lines[entry];
    state->used |= bytes;
    if (store && !state->dirty) {
        state->dirty = true;
        state->dirty_owner = access->owner;
    }
}

static void access_sampled(struct hierarchy_thread *thread, uint64_t unsampled_line, unsigned from, unsigned count,
                           const struct memory_access *access) {
    const uint64_t line = sampling_line(&thread->sampling, unsampled_line);
    const uint64_t bytes = (count < 64 ? (1ull << count) - 1 : UINT64_MAX) << from;
    struct hierarchy_counts *counts = outwards_counts(thread, line, access->owner);
    if (access->kind == ACCESS_USED) {
        outwards_use(thread, line, lru_hash(line), bytes);
        return;
    }
    counts->line_accesses++;
    if (access->kind == ACCESS_NONTEMPORAL) {
        counts->nontemporal_bytes += count;
        store_past(thread, line, bytes, access->owner);
        return;
    }
    if (access->kind != ACCESS_STORE)
        counts->load_bytes += count;
    if (access->kind != ACCESS_LOAD)
        counts->store_bytes += count;
    access_line(thread, line, bytes, access);
}

static inline void access_part(struct hierarchy_thread *thread, uint64_t line, unsigned from, unsigned count,
                               const struct memory_access *access) {
    if (access->kind != ACCESS_USED) {
        translate(thread, line / LINES_PER_PAGE, access->owner);
        sampling_see(&thread->sampling, line);
    }
    if (sampling_has(&thread->sampling, line))
        access_sampled(thread, line, from, count, access);
}

void hierarchy_take(struct hierarchy_thread *thread, const struct memory_access *accesses, size_t count) {
    for (const struct memory_access *access = accesses; access < accesses + count; access++) {
        const uint64_t line = access->address / HIERARCHY_LINE_BYTES;
        const unsigned from = (unsigned)(access->address % HIERARCHY_LINE_BYTES);
        const unsigned fits = HIERARCHY_LINE_BYTES - from;
        if (access->bytes <= fits) {
            access_part(thread, line, from, access->bytes, access);
            continue;
        }
        access_part(thread, line, from, fits, access);
        access_part(thread, line + 1, 0, access->bytes - fits, access);
    }
}

void hierarchy_end(struct hierarchy_thread *thread) {
    for (unsigned i = 0; i < HIERARCHY_COMBINING; i++)
        write_combined(thread, &thread->combining[i]);
    outwards_end(thread);
}
