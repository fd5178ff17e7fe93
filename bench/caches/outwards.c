/* SPDX-License-Identifier: BSD-3-Clause
 * Lines on their way between levels (see outwards.h, and struct hierarchy_thread). A line is looked for from the inside
 * out, then put into each level from the outside in; each puts out the line that was used the longest time ago at once.
 * What a level puts out doesn't count as used where it arrives: it changes no order there. */
#include "outwards.h"

/* A line, and the one who moves it. */
struct journey {
    struct hierarchy_thread *thread;
    uint64_t line, hash;
};

static void lock(const struct hierarchy_cache *cache, const struct lru_place *place) {
    if (cache->locked)
        lru_lock(place);
}
static void unlock(const struct hierarchy_cache *cache, const struct lru_place *place) {
    if (cache->locked)
        lru_unlock(place);
}

/* Sums of pairs, of fours, of bytes, and of all: without a library, and on every CPU. */
static unsigned bits_of(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(bits * 0x0101010101010101u >> 56);
}

static void count_gone(const struct journey *journey, const struct hierarchy_line *state) {
    struct hierarchy_counts *counts = outwards_counts(journey->thread, journey->line, state->fetch_owner);
    counts->left_lines++;
    counts->left_used_bytes += bits_of(state->used);
}

/* What a copy of the line further inside or outside knows. */
static void merge(struct hierarchy_line *into, const struct hierarchy_line *from) {
    into->used |= from->used;
    if (from->dirty) {
        into->dirty = true;
        into->dirty_owner = from->dirty_owner;
    }
    if (from->fetched) {
        into->fetched = true;
        into->fetch_owner = from->fetch_owner;
    }
}

/* An unchanged line whose copy in the next level is where it was: the most frequent way. */
static inline bool tell_next(const struct journey *journey, unsigned level, const struct hierarchy_line *state) {
    if (state->dirty || level + 1 == journey->thread->level_count)
        return false;
    struct hierarchy_cache *next = journey->thread->levels[level + 1];
    if (next->shared || next->content == CONTENT_VICTIM || next->lines[state->outer].key != journey->line + 1)
        return false;
    next->lines[state->outer].used |= state->used;
    return true;
}

static void put_out(const struct journey *journey, unsigned level, struct hierarchy_line *state, uint32_t cause);

/* Into the entry of the line that was used the longest time ago, which goes on its own journey. The place is locked and
 * known not to hold the line. */
static uint64_t put_in(const struct journey *journey, unsigned level, const struct lru_place *place,
                       const struct hierarchy_line *state, uint32_t cause) {
    struct hierarchy_cache *cache = journey->thread->levels[level];
    const uint64_t entry = lru_next(&cache->lru, place);
    struct hierarchy_line old = cache->lines[entry];
    uint64_t gone;
    lru_insert(&cache->lru, place, &gone);
    cache->lines[entry] = *state;
    cache->lines[entry].key = place->key;
    if (gone) {
        const struct journey other = {journey->thread, gone - 1, lru_hash(gone - 1)};
        if (cache->content == CONTENT_INCLUSIVE || old.fetched || !tell_next(&other, level, &old))
            put_out(&other, level, &old, cause);
    }
    return entry;
}

/* The levels inside forget the line, and tell what they knew. A changed line passes all links from the innermost level
 * that has changed it; that one's owner is the last that did. */
static void forget_inside(const struct journey *journey, unsigned level, struct hierarchy_line *state) {
    struct hierarchy_line inner = {0};
    for (unsigned inside = 0; inside < level; inside++) {
        struct hierarchy_cache *cache = journey->thread->levels[inside];
        const struct lru_place place = lru_place(&cache->lru, journey->line, journey->hash);
        lock(cache, &place);
        const int64_t entry = lru_search(&cache->lru, &place);
        if (entry >= 0) {
            struct hierarchy_line own = cache->lines[entry];
            merge(&own, &inner);
            inner = own;
            lru_remove(&cache->lru, &place, (uint64_t)entry);
        }
        unlock(cache, &place);
        if (inner.dirty)
            outwards_counts(journey->thread, journey->line, inner.dirty_owner)->outside[inside].write_backs++;
    }
    merge(state, &inner);
}

/* The entry of the line in a level, by what the level inside remembers of it, or by search. */
static int64_t entry_of(const struct hierarchy_cache *cache, const struct lru_place *place, uint32_t remembered) {
    if (cache->lines[remembered].key == place->key)
        return remembered;
    return place->row->ready ? lru_search(&cache->lru, place) : -1;
}

/* A line that is not to stay in this level, and isn't there: only what is known of it goes on outwards. */
static void pass_knowledge(const struct journey *journey, unsigned level, const struct hierarchy_line *state) {
    for (; level < journey->thread->level_count; level++) {
        struct hierarchy_cache *cache = journey->thread->levels[level];
        const struct lru_place place = lru_place(&cache->lru, journey->line, journey->hash);
        lock(cache, &place);
        const int64_t entry = entry_of(cache, &place, 0);
        if (entry >= 0)
            merge(&cache->lines[entry], state);
        unlock(cache, &place);
        if (entry >= 0)
            return;
    }
    if (state->fetched)
        count_gone(journey, state);
}

/* A line that is given to a thread by a shared cache of victims, or comes past it. True: another thread has it. */
static bool goes_inside(const struct hierarchy_cache *cache, const struct journey *journey) {
    if (!cache->shared || cache->inside.set_count == 0)
        return false;
    const struct lru_place place = lru_place(&cache->inside, journey->line, journey->hash);
    uint64_t gone;
    lock(cache, &place);
    const bool known = lru_find(&cache->inside, &place) >= 0;
    if (!known)
        lru_insert(&cache->inside, &place, &gone);
    unlock(cache, &place);
    return known;
}

/* A line that comes back from a thread. */
static void comes_back(const struct hierarchy_cache *cache, const struct journey *journey) {
    if (!cache->shared || cache->inside.set_count == 0)
        return;
    const struct lru_place place = lru_place(&cache->inside, journey->line, journey->hash);
    lock(cache, &place);
    const int64_t entry = lru_search(&cache->inside, &place);
    if (entry >= 0)
        lru_remove(&cache->inside, &place, (uint64_t)entry);
    unlock(cache, &place);
}

/* From a level to the next. */
static void put_further(const struct journey *journey, unsigned level, const struct hierarchy_line *state,
                        uint32_t cause) {
    struct hierarchy_cache *next = journey->thread->levels[level + 1];
    const bool keeps_unchanged = next->content == CONTENT_VICTIM;
    const struct lru_place place = lru_place(&next->lru, journey->line, journey->hash);
    struct hierarchy_line arriving = *state;
    arriving.outer = 0;
    if (keeps_unchanged)
        comes_back(next, journey);
    lock(next, &place);
    const int64_t entry = entry_of(next, &place, state->outer);
    if (entry >= 0)
        merge(&next->lines[entry], state);
    else if (state->dirty || keeps_unchanged) {
        if (!place.row->ready)
            lru_make_ready(&next->lru, place.row);
        put_in(journey, level + 1, &place, &arriving, cause);
    }
    unlock(next, &place);
    if (entry < 0 && !state->dirty && !keeps_unchanged)
        pass_knowledge(journey, level + 2, state);
    if (state->dirty)
        outwards_counts(journey->thread, journey->line, state->dirty_owner)->outside[level].write_backs++;
    else if (keeps_unchanged)
        outwards_counts(journey->thread, journey->line, cause)->outside[level].victims++;
}

static void put_out(const struct journey *journey, unsigned level, struct hierarchy_line *state, uint32_t cause) {
    struct hierarchy_thread *thread = journey->thread;
    if (thread->levels[level]->content == CONTENT_INCLUSIVE)
        forget_inside(journey, level, state);
    if (level + 1 < thread->level_count) {
        put_further(journey, level, state, cause);
        return;
    }
    if (state->dirty)
        outwards_counts(thread, journey->line, state->dirty_owner)->outside[level].write_backs++;
    if (state->fetched)
        count_gone(journey, state);
}

/* Looks outside of a level's first miss. Returns the level that has the line, or level_count; what moves inwards with
 * it goes to `arriving`, and the entry that stays to `*entry`. */
static unsigned look_outside(const struct journey *journey, uint32_t owner, bool store, struct hierarchy_line *arriving,
                             uint32_t *entry) {
    struct hierarchy_thread *thread = journey->thread;
    struct hierarchy_counts *counts = outwards_counts(thread, journey->line, owner);
    for (unsigned level = 1;; level++) {
        if (store)
            counts->outside[level - 1].allocates++;
        else
            counts->outside[level - 1].loads++;
        if (level == thread->level_count)
            return level;
        struct hierarchy_cache *cache = thread->levels[level];
        const struct lru_place place = lru_place(&cache->lru, journey->line, journey->hash);
        lock(cache, &place);
        const int64_t found = lru_find(&cache->lru, &place);
        if (found >= 0 && cache->content == CONTENT_VICTIM) {
            *arriving = cache->lines[found];
            lru_remove(&cache->lru, &place, (uint64_t)found);
        }
        unlock(cache, &place);
        *entry = found >= 0 ? (uint32_t)found : 0;
        const bool passed_on = cache->content == CONTENT_VICTIM && goes_inside(cache, journey) && found < 0;
        if (found >= 0 || passed_on)
            return level;
    }
}

uint64_t outwards_fetch(struct hierarchy_thread *thread, uint64_t line, const struct lru_place *place, uint32_t owner,
                        bool store) {
    const struct journey journey = {thread, line, lru_hash(line)};
    struct hierarchy_line arriving = {0};
    uint32_t outer = 0;
    unsigned level = look_outside(&journey, owner, store, &arriving, &outer);
    if (level == thread->level_count)
        arriving = (struct hierarchy_line){.fetched = true, .fetch_owner = owner};
    while (--level > 0) {
        struct hierarchy_cache *cache = thread->levels[level];
        if (cache->content == CONTENT_VICTIM) {
            outer = 0; /* the next level inside has none further out */
            continue;
        }
        const struct lru_place there = lru_place(&cache->lru, line, journey.hash);
        arriving.outer = outer;
        lock(cache, &there);
        const int64_t present = cache->shared ? lru_search(&cache->lru, &there) : -1; /* another thread was faster */
        if (present >= 0)
            merge(&cache->lines[present], &arriving);
        outer = (uint32_t)(present >= 0 ? (uint64_t)present : put_in(&journey, level, &there, &arriving, owner));
        unlock(cache, &there);
        arriving = (struct hierarchy_line){0};
    }
    arriving.outer = outer;
    return put_in(&journey, 0, place, &arriving, owner);
}

/* forget_inside() of all levels there are counts what is written back on each link, to memory too. */
void outwards_expel(struct hierarchy_thread *thread, uint64_t line, uint64_t hash) {
    const struct journey journey = {thread, line, hash};
    struct hierarchy_line state = {0};
    forget_inside(&journey, thread->level_count, &state);
    for (unsigned level = 1; level < thread->level_count; level++)
        comes_back(thread->levels[level], &journey);
    if (state.fetched)
        count_gone(&journey, &state);
}

void outwards_use(struct hierarchy_thread *thread, uint64_t line, uint64_t hash, uint64_t used) {
    const struct journey journey = {thread, line, hash};
    const struct hierarchy_line state = {.used = used};
    pass_knowledge(&journey, 0, &state);
}

/* It leaves a changed line of a level: what is further outside has it unchanged. */
static void write_through(const struct journey *journey, unsigned level, uint32_t owner) {
    for (; level < journey->thread->level_count; level++) {
        struct hierarchy_cache *next =
            level + 1 < journey->thread->level_count ? journey->thread->levels[level + 1] : NULL;
        outwards_counts(journey->thread, journey->line, owner)->outside[level].write_backs++;
        if (!next)
            return;
        const struct lru_place place = lru_place(&next->lru, journey->line, journey->hash);
        lock(next, &place);
        const int64_t entry = entry_of(next, &place, 0);
        if (entry >= 0)
            next->lines[entry].dirty = false;
        unlock(next, &place);
    }
}

void outwards_write_back(struct hierarchy_thread *thread, unsigned level) {
    const struct hierarchy_cache *cache = thread->levels[level];
    const uint64_t entries = cache->lru.set_count * cache->lru.ways;
    for (uint64_t entry = 0; entry < entries; entry++) {
        struct hierarchy_line *state = &cache->lines[entry];
        if (state->key == 0 || !state->dirty)
            continue;
        state->dirty = false;
        write_through(&(struct journey){thread, state->key - 1, lru_hash(state->key - 1)}, level, state->dirty_owner);
    }
}

/* Their knowledge goes outwards level by level, and ends beyond the last. */
void outwards_end(struct hierarchy_thread *thread) {
    for (unsigned level = 0; level < thread->level_count; level++) {
        struct hierarchy_cache *cache = thread->levels[level];
        const uint64_t entries = cache->lru.set_count * cache->lru.ways;
        for (uint64_t entry = 0; entry < entries; entry++) {
            struct hierarchy_line *state = &cache->lines[entry];
            const uint64_t line = state->key - 1;
            const struct hierarchy_line known = {
                .used = state->used, .fetched = state->fetched, .fetch_owner = state->fetch_owner};
            if (state->key == 0 || !(known.fetched || known.used))
                continue;
            pass_knowledge(&(struct journey){thread, line, lru_hash(line)}, level + 1, &known);
            state->fetched = false;
            state->used = 0;
        }
    }
}
