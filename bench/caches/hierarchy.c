/* SPDX-License-Identifier: BSD-3-Clause
 * Batches of accesses, TLBs, and what stays within the first level (see hierarchy.h). */
#include "hierarchy.h"
#include "outwards.h"

static const uint64_t LINES_PER_PAGE = HIERARCHY_PAGE_BYTES / HIERARCHY_LINE_BYTES;

size_t hierarchy_cache_bytes(const struct hierarchy_level *level, const struct sampling *sampling) {
    const uint64_t sets = sampling_sets(sampling, level->set_count);
    return lru_bytes(sets, level->ways, HIERARCHY_KEY_SHIFT) +
           (level->inside_ways > 0 ? lru_bytes(sets, level->inside_ways, 0) : 0);
}

void hierarchy_cache_init(struct hierarchy_cache *cache, const struct hierarchy_level *level,
                          const struct sampling *sampling, void *memory) {
    const uint64_t sets = sampling_sets(sampling, level->set_count);
    *cache = (struct hierarchy_cache){.content = level->content};
    lru_init(&cache->lru, sets, level->ways, HIERARCHY_KEY_SHIFT, memory);
    cache->lines = (struct hierarchy_line *)(void *)cache->lru.keys;
    if (level->inside_ways > 0)
        lru_init(&cache->inside, sets, level->inside_ways, 0,
                 (char *)memory + lru_bytes(sets, level->ways, HIERARCHY_KEY_SHIFT));
}

static void write_combined(struct hierarchy_thread *thread, struct combining *buffer) {
    if (buffer->line != 0 && buffer->written != UINT64_MAX)
        outwards_counts(thread, buffer->line - 1, buffer->owner)->nontemporal_partial++;
    *buffer = (struct combining){0};
}

/* Each line is counted when a buffer is taken for it; the oldest buffer makes room. */
__attribute__((noinline)) static void store_past(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                                                 uint32_t owner) {
    struct combining *buffer = thread->combining;
    while (buffer < thread->combining + HIERARCHY_COMBINING && buffer->line != line + 1)
        buffer++;
    if (buffer == thread->combining + HIERARCHY_COMBINING) {
        buffer = &thread->combining[thread->combining_next++ % HIERARCHY_COMBINING];
        write_combined(thread, buffer);
        *buffer = (struct combining){.line = line + 1, .owner = owner};
        outwards_expel(thread, line, lru_hash(line));
        outwards_counts(thread, line, owner)->nontemporal_lines++;
    }
    buffer->written |= bytes;
    if (buffer->written == UINT64_MAX)
        write_combined(thread, buffer);
}

/* The entry of a line that is not the first of its set. */
__attribute__((noinline)) static uint64_t bring_first(struct hierarchy_thread *thread, uint64_t line,
                                                      const struct memory_access *access) {
    const struct lru *lru = &thread->levels[0]->lru;
    const struct lru_place place = lru_place(lru, line, lru_hash(line));
    const int64_t entry = lru_find(lru, &place);
    if (entry >= 0)
        return (uint64_t)entry;
    return outwards_fetch(thread, line, &place, access->owner, access->kind == ACCESS_STORE);
}

/* Bytes of one line: a bit for each. */
static inline void access_line(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                               const struct memory_access *access) {
    const struct hierarchy_cache *first = thread->levels[0];
    uint64_t entry = lru_first(&first->lru, lru_set(&first->lru, line));
    if (first->lines[entry].key != line + 1)
        entry = bring_first(thread, line, access);
    struct hierarchy_line *state = &first->lines[entry];
    state->used |= bytes;
    if (access->kind != ACCESS_LOAD && !state->dirty) {
        state->dirty = true;
        state->dirty_owner = access->owner;
    }
}

/* Of an access, what is within the line that it begins in, or within the next. */
struct line_part {
    uint64_t line; /* by its sampled number */
    unsigned from, count;
};

static inline void access_part(struct hierarchy_thread *thread, const struct line_part *part,
                               const struct memory_access *access) {
    const uint64_t line = part->line;
    const uint64_t bytes = (part->count > 0 ? UINT64_MAX >> (64 - part->count) : 0) << part->from;
    if (access->kind == ACCESS_USED) {
        outwards_use(thread, line, lru_hash(line), bytes);
        return;
    }
    struct hierarchy_counts *counts = outwards_counts(thread, line, access->owner);
    counts->line_accesses++;
    if (access->kind == ACCESS_NONTEMPORAL) {
        counts->nontemporal_bytes += part->count;
        store_past(thread, line, bytes, access->owner);
        return;
    }
    if (access->kind != ACCESS_STORE)
        counts->load_bytes += part->count;
    if (access->kind != ACCESS_LOAD)
        counts->store_bytes += part->count;
    access_line(thread, line, bytes, access);
}

/* What every access does, whether its line is sampled or not. */
static inline bool see(struct hierarchy_thread *thread, uint64_t line, const struct memory_access *access) {
    if (access->kind != ACCESS_USED && !thread->seen_apart) {
        translation_access(&thread->translation, line / LINES_PER_PAGE, &thread->counts[access->owner]);
        sampling_see(&thread->sampling, line);
    }
    return sampling_has(&thread->sampling, line);
}

static void take_pending(struct hierarchy_thread *thread, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct memory_access *access = thread->pending[i].access;
        const struct line_part part = {thread->pending[i].line, (unsigned)(access->address % HIERARCHY_LINE_BYTES),
                                       access->bytes};
        access_part(thread, &part, access);
    }
}

static void take_crossing(struct hierarchy_thread *thread, const struct memory_access *access) {
    const uint64_t line = access->address / HIERARCHY_LINE_BYTES;
    const unsigned from = (unsigned)(access->address % HIERARCHY_LINE_BYTES), fits = HIERARCHY_LINE_BYTES - from;
    const struct line_part first = {sampling_line(&thread->sampling, line), from, fits};
    const struct line_part second = {sampling_line(&thread->sampling, line + 1), 0, access->bytes - fits};
    if (see(thread, line, access))
        access_part(thread, &first, access);
    if (see(thread, line + 1, access))
        access_part(thread, &second, access);
}

/* First all are seen, then those that are sampled are simulated: each loop has little to do. */
void hierarchy_take(struct hierarchy_thread *thread, const struct memory_access *accesses, size_t count) {
    unsigned pending = 0;
    for (const struct memory_access *access = accesses; access < accesses + count; access++) {
        const uint64_t line = access->address / HIERARCHY_LINE_BYTES;
        if (access->address % HIERARCHY_LINE_BYTES + access->bytes > HIERARCHY_LINE_BYTES) {
            take_pending(thread, pending);
            take_crossing(thread, access);
            pending = 0;
            continue;
        }
        if (!see(thread, line, access))
            continue;
        thread->pending[pending++] = (struct hierarchy_pending){sampling_line(&thread->sampling, line), access};
        if (pending == HIERARCHY_PENDING) {
            take_pending(thread, pending);
            pending = 0;
        }
    }
    take_pending(thread, pending);
}

void hierarchy_write_back(struct hierarchy_thread *thread, bool shared) {
    for (unsigned level = 0; level < thread->level_count; level++)
        if (shared || !thread->levels[level]->shared)
            outwards_write_back(thread, level);
}

void hierarchy_end(struct hierarchy_thread *thread) {
    for (unsigned i = 0; i < HIERARCHY_COMBINING; i++)
        write_combined(thread, &thread->combining[i]);
    outwards_end(thread);
}
