/* SPDX-License-Identifier: BSD-3-Clause
 * Lines that the first level lacks, and TLBs (see hierarchy.h). */
#include "hierarchy.h"

/* Moves lines between the levels of struct hierarchy_thread. Private to this folder.
 *
 * A line is searched from the inside out, then inserted into each level from the outside in; each level at once
 * evicts its least recently used line. An evicted line does not count as used in the next level: it does not change
 * the order there. */

/* The line's counts for an owner. Lines have their sampled numbers here. */
static inline struct hierarchy_counts *outwards_counts(const struct hierarchy_thread *thread, uint64_t line,
                                                       uint32_t owner) {
    return &thread->counts[(size_t)sampling_group(&thread->sampling, line) * thread->owner_count + owner];
}

/* A moving line and its thread. */
struct journey {
    struct hierarchy_thread *thread;
    uint64_t line, hash;
};

/* Several threads share it, see hierarchy_share(). */
static inline bool is_shared(const struct hierarchy_cache *cache) {
    return cache->lru.locks;
}

/* Sums of pairs, of fours, of bytes, and of all: without a library, on every CPU. */
static unsigned bits_of(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (unsigned)(bits * 0x0101010101010101u >> 56);
}

static void count_gone(const struct journey *journey, const struct hierarchy_line *state) {
    struct hierarchy_counts *counts = outwards_counts(journey->thread, journey->line, state->fetcher - 1);
    counts->left_lines++;
    counts->left_used_bytes += bits_of(state->used);
}

/* Adds the knowledge of a copy of the line further inside or outside. */
static void hierarchy_merge(struct hierarchy_line *into, const struct hierarchy_line *from) {
    into->used |= from->used;
    into->writer = from->writer ? from->writer : into->writer;
    into->fetcher = from->fetcher ? from->fetcher : into->fetcher;
}

/* A clean line whose copy in the next level is at the remembered entry. */
static inline bool tell_next(const struct journey *journey, unsigned level, const struct hierarchy_line *state) {
    if (state->writer || level + 1 == journey->thread->level_count)
        return false;
    struct hierarchy_cache *next = journey->thread->levels[level + 1];
    if (!next->keeps || next->lines[state->outer].key != journey->line + 1)
        return false;
    next->lines[state->outer].used |= state->used;
    next->lines[state->outer].note = state->note;
    return true;
}

static void put_out(const struct journey *journey, unsigned level, struct hierarchy_line *state, uint32_t cause);

/* Replaces the least recently used line, which moves outwards itself. The place is locked and does not hold the
 * line. */
static uint64_t put_in(const struct journey *journey, unsigned level, const struct lru_place *place,
                       const struct hierarchy_line *state, uint32_t cause) {
    struct hierarchy_cache *cache = journey->thread->levels[level];
    const unsigned way = lru_next_way(&cache->lru, place);
    const bool full = lru_holds(place, way);
    struct hierarchy_line old = {0};
    if (full)
        old = cache->lines[lru_entry(&cache->lru, place->set, way)];
    const uint64_t entry = lru_insert(&cache->lru, place, way);
    cache->lines[entry] = *state;
    cache->lines[entry].key = place->key;
    if (full) {
        const struct journey other = {journey->thread, old.key - 1, lru_hash(old.key - 1)};
        if (cache->content == CONTENT_INCLUSIVE || old.fetcher || !tell_next(&other, level, &old))
            put_out(&other, level, &old, cause);
    }
    return entry;
}

/* The levels inside invalidate the line and hand over its state. A dirty line passes all links from the innermost
 * level that holds it dirty; the owner is that level's last writer. */
static void forget_inside(const struct journey *journey, unsigned level, struct hierarchy_line *state) {
    struct hierarchy_line inner = {0};
    for (unsigned inside = 0; inside < level; inside++) {
        struct hierarchy_cache *cache = journey->thread->levels[inside];
        const struct lru_place place = lru_place(&cache->lru, journey->line, journey->hash);
        lru_lock(&cache->lru, &place);
        const int way = lru_way(&cache->lru, &place);
        if (way >= 0) {
            struct hierarchy_line own = cache->lines[lru_entry(&cache->lru, place.set, (unsigned)way)];
            hierarchy_merge(&own, &inner);
            inner = own;
            lru_remove(&cache->lru, &place, (unsigned)way);
        }
        lru_unlock(&cache->lru, &place);
        if (inner.writer)
            outwards_counts(journey->thread, journey->line, inner.writer - 1)->outside[inside].write_backs++;
    }
    hierarchy_merge(state, &inner);
}

/* The entry of the line in a level: the one that the level inside remembers, or by search. */
static int64_t hierarchy_entry_of(const struct hierarchy_cache *cache, const struct lru_place *place,
                                  uint64_t remembered) {
    if (cache->lines[remembered].key == place->key)
        return (int64_t)remembered;
    return lru_search(&cache->lru, place);
}

/* A line that is not to stay in this level, and is not there: only its state moves outwards. */
static void pass_knowledge(const struct journey *journey, unsigned level, const struct hierarchy_line *state) {
    for (; level < journey->thread->level_count; level++) {
        struct hierarchy_cache *cache = journey->thread->levels[level];
        const struct lru_place place = lru_place(&cache->lru, journey->line, journey->hash);
        lru_lock(&cache->lru, &place);
        const int64_t entry = hierarchy_entry_of(cache, &place, 0);
        if (entry >= 0)
            hierarchy_merge(&cache->lines[entry], state);
        lru_unlock(&cache->lru, &place);
        if (entry >= 0)
            return;
    }
    if (state->fetcher)
        count_gone(journey, state);
}

/* Records that a shared victim cache gives the line to a thread, or lets it pass. True: a thread already has it. */
static bool goes_inside(const struct hierarchy_cache *cache, const struct journey *journey) {
    if (!is_shared(cache) || cache->inside.set_count == 0)
        return false;
    const struct lru_place place = lru_place(&cache->inside, journey->line, journey->hash);
    lru_lock(&cache->inside, &place);
    const bool known = lru_find(&cache->inside, &place) >= 0;
    if (!known)
        lru_insert(&cache->inside, &place, lru_next_way(&cache->inside, &place));
    lru_unlock(&cache->inside, &place);
    return known;
}

/* A line that a thread returns. */
static void comes_back(const struct hierarchy_cache *cache, const struct journey *journey) {
    if (!is_shared(cache) || cache->inside.set_count == 0)
        return;
    const struct lru_place place = lru_place(&cache->inside, journey->line, journey->hash);
    lru_lock(&cache->inside, &place);
    const int way = lru_way(&cache->inside, &place);
    if (way >= 0)
        lru_remove(&cache->inside, &place, (unsigned)way);
    lru_unlock(&cache->inside, &place);
}

/* From a level to the next. */
static void put_further(const struct journey *journey, unsigned level, const struct hierarchy_line *state,
                        uint32_t cause) {
    struct hierarchy_cache *next = journey->thread->levels[level + 1];
    const bool keeps_unchanged = next->content == CONTENT_VICTIM;
    const struct lru_place place = lru_place(&next->lru, journey->line, journey->hash);
    struct hierarchy_line arriving = *state;
    arriving.outer = arriving.note = 0;
    if (keeps_unchanged)
        comes_back(next, journey);
    lru_lock(&next->lru, &place);
    const int64_t entry = hierarchy_entry_of(next, &place, state->outer);
    if (entry >= 0)
        hierarchy_merge(&next->lines[entry], state);
    else if (state->writer || keeps_unchanged)
        put_in(journey, level + 1, &place, &arriving, cause);
    lru_unlock(&next->lru, &place);
    if (entry < 0 && !state->writer && !keeps_unchanged)
        pass_knowledge(journey, level + 2, state);
    if (state->writer)
        outwards_counts(journey->thread, journey->line, state->writer - 1)->outside[level].write_backs++;
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
    if (state->writer)
        outwards_counts(thread, journey->line, state->writer - 1)->outside[level].write_backs++;
    if (state->fetcher)
        count_gone(journey, state);
}

/* A level lacks the line. What the next level has of it, and of the line that will give way to it, is far away: the CPU
 * fetches both at once. */
static inline void announce(const struct hierarchy_thread *thread, unsigned level, const struct lru_place *place,
                            uint64_t line) {
    const struct hierarchy_cache *cache = thread->levels[level], *next = thread->levels[level + 1];
    const struct hierarchy_line *old =
        &cache->lines[lru_entry(&cache->lru, place->set, lru_next_way(&cache->lru, place))];
    __builtin_prefetch(lru_row(&next->lru, lru_set(&next->lru, line)), 1);
    if (next->content == CONTENT_VICTIM)
        __builtin_prefetch(lru_row(&next->lru, lru_set(&next->lru, old->key - 1)), 1);
    else
        __builtin_prefetch(&next->lines[old->outer], 1);
}

/* Searches the levels outside the first for a line that missed there, and in the second one too if `places[1]` is that
 * place. Returns the level that has the line, or level_count. `arriving` receives the state that moves inwards,
 * `arriving->outer` the entry that stays; `places` the places of the levels that lack it. */
static unsigned look_outside(const struct journey *journey, uint32_t owner, bool store, struct hierarchy_line *arriving,
                             struct lru_place places[HIERARCHY_LEVELS_MAX]) {
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
        const bool lacks = level == 1 && places[1].row;
        const struct lru_place place = lacks ? places[1] : lru_place(&cache->lru, journey->line, journey->hash);
        places[level] = place;
        lru_lock(&cache->lru, &place);
        const int way = lacks ? -1 : lru_way(&cache->lru, &place);
        const int64_t found = way < 0 ? -1 : (int64_t)lru_entry(&cache->lru, place.set, (unsigned)way);
        if (found >= 0 && cache->content == CONTENT_VICTIM) {
            *arriving = cache->lines[found];
            lru_remove(&cache->lru, &place, (unsigned)way);
        } else if (found >= 0)
            lru_touch_way(&cache->lru, &place, (unsigned)way);
        else if (level + 1 < thread->level_count) {
            announce(thread, level, &place, journey->line);
            thread->far_count++;
        }
        lru_unlock(&cache->lru, &place);
        arriving->outer = found >= 0 && cache->content != CONTENT_VICTIM ? (uint32_t)found : 0;
        const bool passed_on = cache->content == CONTENT_VICTIM && goes_inside(cache, journey) && found < 0;
        if (found >= 0 || passed_on)
            return level;
    }
}

/* Fetches a line that the first level lacks into it and into the levels in between; returns its entry. `places`: the
 * line's place in the first level, and in the second one if that is known to lack it; the others are zero. */
static uint64_t outwards_fetch(struct hierarchy_thread *thread, uint64_t line,
                               struct lru_place places[HIERARCHY_LEVELS_MAX], uint32_t owner, bool store) {
    const struct journey journey = {thread, line, places[0].tag};
    struct hierarchy_line arriving = {0};
    unsigned level = look_outside(&journey, owner, store, &arriving, places);
    if (level == thread->level_count)
        arriving = (struct hierarchy_line){.fetcher = owner + 1};
    while (--level > 0) {
        struct hierarchy_cache *cache = thread->levels[level];
        if (cache->content == CONTENT_VICTIM) {
            arriving.outer = 0; /* the next level inside has no copy further out */
            continue;
        }
        lru_lock(&cache->lru, &places[level]);
        const int64_t present =
            is_shared(cache) ? lru_search(&cache->lru, &places[level]) : -1; /* another was faster */
        if (present >= 0)
            hierarchy_merge(&cache->lines[present], &arriving);
        const uint64_t entry =
            present >= 0 ? (uint64_t)present : put_in(&journey, level, &places[level], &arriving, owner);
        lru_unlock(&cache->lru, &places[level]);
        arriving = (struct hierarchy_line){.outer = (uint32_t)entry};
    }
    return put_in(&journey, 0, &places[0], &arriving, owner);
}

/* Takes the place of a line of the first level, whose state the next level's copy takes over. Nobody could predict
 * which lines are dirty. */
static inline void give_way(struct hierarchy_thread *thread, const struct hierarchy_line *state,
                            struct hierarchy_line *copy) {
    const uint32_t dirty = state->writer != 0;
    copy->used |= state->used;
    copy->note = state->note;
    copy->writer ^= (copy->writer ^ state->writer) & -dirty;
    outwards_counts(thread, state->key - 1, state->writer - dirty)->outside[0].write_backs += dirty;
}

/* Neither the first level nor the second one has the line. */
__attribute__((noinline)) static struct hierarchy_line *reach_far(struct hierarchy_thread *thread, uint64_t line,
                                                                  uint32_t owner, enum access_kind kind,
                                                                  const struct lru_place *first,
                                                                  const struct lru_place *second) {
    struct lru_place places[HIERARCHY_LEVELS_MAX];
    places[0] = *first;
    places[1] = *second;
    const uint64_t entry = outwards_fetch(thread, line, places, owner, kind == ACCESS_STORE);
    thread->hints[line % HIERARCHY_HINTS] = (uint16_t)entry;
    return &thread->levels[0]->lines[entry];
}

struct hierarchy_line *hierarchy_reach_near(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                                            uint32_t owner, enum access_kind kind) {
    struct hierarchy_cache *first = thread->levels[0], *next = thread->levels[1];
    const uint64_t hash = lru_hash(line);
    const struct lru_place here = lru_place(&first->lru, line, hash);
    if (!next || !next->keeps || kind >= ACCESS_NONTEMPORAL || lru_way(&first->lru, &here) >= 0)
        return NULL;
    const struct lru_place there = lru_place(&next->lru, line, hash);
    const int way = lru_way(&next->lru, &there);
    if (way < 0) {
        struct hierarchy_line *fetched = reach_far(thread, line, owner, kind, &here, &there);
        hierarchy_use(fetched, bytes, owner, kind);
        return fetched;
    }
    const uint64_t outer = lru_entry(&next->lru, there.set, (unsigned)way);
    const unsigned own_way = lru_next_way(&first->lru, &here);
    const uint64_t entry = lru_entry(&first->lru, here.set, own_way);
    struct hierarchy_line *state = &first->lines[entry], *copy = &next->lines[state->outer];
    if (copy->key != state->key || state->key == 0 || state->fetcher)
        return NULL;
    give_way(thread, state, copy);
    struct hierarchy_link *link = &outwards_counts(thread, line, owner)->outside[0];
    *(kind == ACCESS_STORE ? &link->allocates : &link->loads) += 1;
    *state = (struct hierarchy_line){.key = here.key, .outer = (uint32_t)outer, .note = next->lines[outer].note};
    hierarchy_use(state, bytes, owner, kind);
    lru_put_hash(&here, own_way, hash);
    lru_touch_entry(&first->lru, entry);
    lru_touch_way(&next->lru, &there, (unsigned)way);
    thread->hints[line % HIERARCHY_HINTS] = (uint16_t)entry;
    return state;
}

/* forget_inside() from beyond the last level counts the write-backs on each link, including the link to memory. */
static void outwards_expel(struct hierarchy_thread *thread, uint64_t line, uint64_t hash) {
    const struct journey journey = {thread, line, hash};
    struct hierarchy_line state = {0};
    forget_inside(&journey, thread->level_count, &state);
    for (unsigned level = 1; level < thread->level_count; level++)
        comes_back(thread->levels[level], &journey);
    if (state.fetcher)
        count_gone(&journey, &state);
}

/* Records used bytes of a line in the innermost level that holds it. */
static void outwards_use(struct hierarchy_thread *thread, uint64_t line, uint64_t hash, uint64_t used) {
    const struct journey journey = {thread, line, hash};
    const struct hierarchy_line state = {.used = used};
    pass_knowledge(&journey, 0, &state);
}

/* Writes back a dirty line of a level: copies further outside become clean. */
static void write_through(const struct journey *journey, unsigned level, uint32_t owner) {
    for (; level < journey->thread->level_count; level++) {
        struct hierarchy_cache *next =
            level + 1 < journey->thread->level_count ? journey->thread->levels[level + 1] : NULL;
        outwards_counts(journey->thread, journey->line, owner)->outside[level].write_backs++;
        if (!next)
            return;
        const struct lru_place place = lru_place(&next->lru, journey->line, journey->hash);
        lru_lock(&next->lru, &place);
        const int64_t entry = hierarchy_entry_of(next, &place, 0);
        if (entry >= 0)
            next->lines[entry].writer = 0;
        lru_unlock(&next->lru, &place);
    }
}

/* Writes back all dirty lines of a level to memory: each passes all links from this level outwards, and copies
 * further outside become clean. */
static void outwards_write_back(struct hierarchy_thread *thread, unsigned level) {
    const struct hierarchy_cache *cache = thread->levels[level];
    for (uint64_t entry = 0; entry < cache->lru.entries; entry++) {
        struct hierarchy_line *state = &cache->lines[entry];
        if (state->key == 0 || state->writer == 0)
            continue;
        const uint32_t owner = state->writer - 1;
        state->writer = 0;
        write_through(&(struct journey){thread, state->key - 1, lru_hash(state->key - 1)}, level, owner);
    }
}

/* The lines' state moves outwards level by level, and ends beyond the last. */
static void outwards_end(struct hierarchy_thread *thread) {
    for (unsigned level = 0; level < thread->level_count; level++) {
        struct hierarchy_cache *cache = thread->levels[level];
        for (uint64_t entry = 0; entry < cache->lru.entries; entry++) {
            struct hierarchy_line *state = &cache->lines[entry];
            const uint64_t line = state->key - 1;
            const struct hierarchy_line known = {.used = state->used, .fetcher = state->fetcher};
            if (state->key == 0 || !(known.fetcher || known.used))
                continue;
            pass_knowledge(&(struct journey){thread, line, lru_hash(line)}, level + 1, &known);
            state->fetcher = 0;
            state->used = 0;
        }
    }
}

static const uint64_t LINES_PER_PAGE = HIERARCHY_PAGE_BYTES / HIERARCHY_LINE_BYTES;

/* Most accesses find their line in the first level. */
static struct lru_shape shape_of(const struct hierarchy_level *level, const struct sampling *sampling) {
    return (struct lru_shape){.set_count = sampling_sets(sampling, level->set_count),
                              .ways = level->ways,
                              .key_shift = HIERARCHY_KEY_SHIFT,
                              .timed = level->level == 1};
}

static struct lru_shape inside_of(const struct hierarchy_level *level, const struct sampling *sampling) {
    return (struct lru_shape){.set_count = sampling_sets(sampling, level->set_count), .ways = level->inside_ways};
}

size_t hierarchy_cache_bytes(const struct hierarchy_level *level, const struct sampling *sampling) {
    const struct lru_shape shape = shape_of(level, sampling), inside = inside_of(level, sampling);
    return lru_bytes(&shape) + (inside.ways > 0 ? lru_bytes(&inside) : 0);
}

void hierarchy_cache_init(struct hierarchy_cache *cache, const struct hierarchy_level *level,
                          const struct sampling *sampling, void *memory) {
    const struct lru_shape shape = shape_of(level, sampling), inside = inside_of(level, sampling);
    *cache = (struct hierarchy_cache){.content = level->content, .keeps = level->content != CONTENT_VICTIM};
    lru_init(&cache->lru, &shape, memory);
    cache->lines = (struct hierarchy_line *)(void *)cache->lru.keys;
    if (inside.ways > 0)
        lru_init(&cache->inside, &inside, (char *)memory + lru_bytes(&shape));
}

void hierarchy_share(struct hierarchy_thread *first) {
    struct hierarchy_cache *last = first->levels[first->level_count - 1];
    const struct hierarchy_cache *inner = first->levels[first->level_count - 2];
    if (is_shared(last))
        return;
    last->keeps = false;
    lru_share(&last->lru);
    lru_share(&last->inside);
    for (uint64_t entry = 0; entry < inner->lru.entries; entry++) {
        const uint64_t line = inner->lines[entry].key - 1;
        if (inner->lines[entry].key != 0)
            goes_inside(last, &(struct journey){first, line, lru_hash(line)});
    }
}

/* The entry of a level to which a line's hash points first, or else the one that would give way to it. */
static inline const struct hierarchy_line *likely_entry(const struct hierarchy_cache *cache, uint64_t line,
                                                        bool stays) {
    const struct lru_place place = lru_place(&cache->lru, line, lru_hash(line));
    const int likely = stays ? lru_likely_way(&cache->lru, &place) : -1;
    const unsigned way = likely < 0 ? lru_next_way(&cache->lru, &place) : (unsigned)likely;
    return &cache->lines[lru_entry(&cache->lru, place.set, way)];
}

/* Step by step for all lines: what one step fetches is there when the next one looks at it. */
void hierarchy_announce(struct hierarchy_thread *thread, const uint64_t *lines, unsigned count) {
    uint64_t far[HIERARCHY_ANNOUNCED], old[HIERARCHY_ANNOUNCED];
    unsigned far_count = 0;
    if (thread->level_count < 3)
        return;
    const struct hierarchy_cache *inner = thread->levels[thread->level_count - 2],
                                 *last = thread->levels[thread->level_count - 1];
    for (unsigned i = 0; i < count; i++)
        if (!hierarchy_hinted(thread, lines[i])) {
            far[far_count++] = lines[i];
            __builtin_prefetch(lru_row(&last->lru, lru_set(&last->lru, lines[i])), 1);
            __builtin_prefetch(likely_entry(inner, lines[i], false));
        }
    for (unsigned i = 0; i < far_count; i++) {
        const struct hierarchy_line *gone = likely_entry(inner, far[i], false);
        old[i] = gone->key - 1;
        __builtin_prefetch(likely_entry(last, far[i], true), 1);
        if (last->content == CONTENT_VICTIM)
            __builtin_prefetch(lru_row(&last->lru, lru_set(&last->lru, old[i])), 1);
        else
            __builtin_prefetch(&last->lines[gone->outer], 1);
    }
    for (unsigned i = 0; i < far_count && last->content == CONTENT_VICTIM; i++)
        __builtin_prefetch(likely_entry(last, old[i], false), 1);
}

static void write_combined(struct hierarchy_thread *thread, struct combining *buffer) {
    if (buffer->line != 0 && buffer->written != UINT64_MAX)
        outwards_counts(thread, buffer->line - 1, buffer->owner)->nontemporal_partial++;
    *buffer = (struct combining){0};
}

/* Counts each line when it takes a buffer; the oldest buffer is replaced. */
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

/* The entry in the first level of a line that is not where its hint says. */
static uint64_t bring(struct hierarchy_thread *thread, uint64_t line, const struct memory_access *access) {
    const struct lru *lru = &thread->levels[0]->lru;
    struct lru_place places[HIERARCHY_LEVELS_MAX] = {lru_place(lru, line, lru_hash(line))};
    const bool store = access->kind == ACCESS_STORE;
    int64_t entry = lru_find(lru, &places[0]);
    if (entry < 0)
        entry = (int64_t)outwards_fetch(thread, line, places, access->owner, store);
    thread->hints[line % HIERARCHY_HINTS] = (uint16_t)entry;
    return (uint64_t)entry;
}

static void pass(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes, const struct memory_access *access) {
    if (access->kind == ACCESS_USED) {
        outwards_use(thread, line, lru_hash(line), bytes);
        return;
    }
    outwards_counts(thread, line, access->owner)->nontemporal_bytes += bits_of(bytes);
    store_past(thread, line, bytes, access->owner);
}

struct hierarchy_line *hierarchy_reach(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                                       const struct memory_access *access) {
    if (access->kind >= ACCESS_NONTEMPORAL) {
        pass(thread, line, bytes, access);
        return NULL;
    }
    struct hierarchy_line *state = &thread->levels[0]->lines[bring(thread, line, access)];
    hierarchy_use(state, bytes, access->owner, (enum access_kind)access->kind);
    return state;
}

void hierarchy_forget_notes(const struct hierarchy_thread *thread) {
    for (unsigned level = 0; level < 2 && level < thread->level_count; level++) {
        const struct hierarchy_cache *cache = thread->levels[level];
        for (uint64_t entry = 0; entry < cache->lru.entries && cache->keeps; entry++)
            cache->lines[entry].note = 0;
    }
}

static void access_part(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                        const struct memory_access *access) {
    if (access->kind != ACCESS_USED) {
        translation_access(&thread->translation, line / LINES_PER_PAGE, &thread->counts[access->owner]);
        sampling_see(&thread->sampling, line);
    }
    if (sampling_has(&thread->sampling, line))
        hierarchy_touch(thread, sampling_line(&thread->sampling, line), bytes, access);
}

void hierarchy_take(struct hierarchy_thread *thread, const struct memory_access *accesses, size_t count) {
    for (const struct memory_access *access = accesses; access < accesses + count; access++) {
        const struct access_parts parts = access_parts(access);
        access_part(thread, parts.line, parts.bytes[0], access);
        if (parts.bytes[1] != 0)
            access_part(thread, parts.line + 1, parts.bytes[1], access);
    }
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

/* TLBs. */

enum { FLOOR_ENTRIES = 8, FEW_WAYS = 4 };

static size_t floors_of(unsigned ways) {
    return (ways + FLOOR_ENTRIES - 1) / FLOOR_ENTRIES;
}

/* Its accesses are the first TLB's misses, but most find their page. */
static struct lru_shape second_of(const struct tlb_geometry tlbs[HIERARCHY_TLBS]) {
    return (struct lru_shape){.set_count = tlbs[1].set_count, .ways = tlbs[1].ways, .timed = true};
}

size_t translation_bytes(const struct tlb_geometry tlbs[HIERARCHY_TLBS]) {
    const size_t sets = tlbs[0].set_count, entries = sets * tlbs[0].ways + 1;
    const size_t first = (entries * 2 + sets * floors_of(tlbs[0].ways)) * sizeof(uint64_t);
    const struct lru_shape second = second_of(tlbs);
    return first + (sets > 0 && second.set_count > 0 ? lru_bytes(&second) : 0);
}

void translation_init(struct translation *translation, const struct tlb_geometry tlbs[HIERARCHY_TLBS], void *memory) {
    const size_t sets = tlbs[0].set_count, entries = sets * tlbs[0].ways + 1, floors = floors_of(tlbs[0].ways);
    const struct lru_shape second = second_of(tlbs);
    translation->set_count = tlbs[0].set_count;
    translation->ways = tlbs[0].ways;
    translation->set_mask = sets - 1;
    translation->is_masked = (sets & (sets - 1)) == 0;
    translation->is_near = translation->is_masked && tlbs[0].ways == FEW_WAYS && sets > 0 && second.set_count > 0;
    translation->keys = memory;
    translation->last_uses = translation->keys + entries;
    translation->floors = translation->last_uses + entries;
    for (size_t entry = 0; entry < entries; entry++)
        translation->last_uses[entry] = entry;
    for (size_t i = 0; i < sets * floors; i++)
        translation->floors[i] = i / floors * tlbs[0].ways + i % floors * FLOOR_ENTRIES;
    translation->second = (struct lru){0};
    if (sets > 0 && second.set_count > 0)
        lru_init(&translation->second, &second, translation->floors + sets * floors);
}

/* A page that is not where it was last in the second TLB. Returns whether that has it. */
__attribute__((noinline)) static bool second_search(struct translation *translation, uint64_t page) {
    const struct lru *tlb = &translation->second;
    const struct lru_place place = lru_place(tlb, page, lru_hash(page));
    const int64_t found = lru_find(tlb, &place);
    translation->second_entries[page % TRANSLATION_HINTS] =
        (uint32_t)(found >= 0 ? (uint64_t)found : lru_insert(tlb, &place, lru_next_way(tlb, &place)));
    return found >= 0;
}

static inline bool second_has(struct translation *translation, uint64_t page) {
    const struct lru *tlb = &translation->second;
    const uint32_t hint = translation->second_entries[page % TRANSLATION_HINTS];
    if (*lru_key(tlb, hint) != page + 1)
        return second_search(translation, page);
    lru_touch_entry(tlb, hint);
    return true;
}

static uint64_t least_of(const uint64_t *numbers, size_t count) {
    uint64_t least = *numbers;
    for (size_t i = 1; i < count; i++)
        least = numbers[i] < least ? numbers[i] : least;
    return least;
}

/* The least recently used entry of a set. Updates the lowest floor from its entries until the floor is exact: this
 * visits few of many entries. */
__attribute__((noinline)) static size_t oldest_of_many(struct translation *translation, size_t set) {
    const size_t first = set * translation->ways, count = floors_of(translation->ways);
    const uint64_t *last_uses = translation->last_uses + first;
    for (uint64_t *floors = translation->floors + set * count;;) {
        const uint64_t lowest = least_of(floors, count);
        const size_t group = (lowest % TRANSLATION_TICK - first) / FLOOR_ENTRIES, from = group * FLOOR_ENTRIES,
                     left = translation->ways - from;
        floors[group] = least_of(last_uses + from, left < FLOOR_ENTRIES ? left : FLOOR_ENTRIES);
        if (floors[group] == lowest)
            return lowest % TRANSLATION_TICK;
    }
}

static inline size_t oldest_of(struct translation *translation, size_t set) {
    if (translation->ways == FEW_WAYS)
        return lru_least(translation->last_uses + set * FEW_WAYS, FEW_WAYS) % TRANSLATION_TICK;
    return oldest_of_many(translation, set);
}

static inline void translation_use(struct translation *translation, uint64_t page, size_t entry) {
    translation->last_uses[entry] = (translation->clock += TRANSLATION_TICK) | entry;
    translation->hints[page % TRANSLATION_HINTS] = (uint16_t)entry;
}

/* A page that other pages of its low bits have displaced from its hint, if the set has it. */
__attribute__((noinline)) static bool first_has(struct translation *translation, size_t set, uint64_t page) {
    const size_t first = set * translation->ways, end = first + translation->ways;
    size_t entry = first;
    while (entry < end && translation->keys[entry] != page + 1)
        entry++;
    if (entry < end)
        translation_use(translation, page, entry);
    return entry < end;
}

/* Puts a page in the place of an entry of the first TLB. */
static inline void first_replace(struct translation *translation, size_t entry, uint64_t page) {
    const uint64_t old = translation->keys[entry];
    translation->residents[page % TRANSLATION_HINTS]++;
    if (old != 0)
        translation->residents[(old - 1) % TRANSLATION_HINTS]--;
    translation->keys[entry] = page + 1;
    translation_use(translation, page, entry);
}

__attribute__((noinline)) static void translation_search_all(struct translation *translation, uint64_t page,
                                                             struct hierarchy_counts *counts) {
    if (translation->set_count == 0)
        return;
    const size_t set = translation->is_masked ? page & translation->set_mask : page % translation->set_count;
    if (translation->residents[page % TRANSLATION_HINTS] > 0 && first_has(translation, set, page))
        return;
    first_replace(translation, oldest_of(translation, set), page);
    counts->tlb_misses[0]++;
    if (translation->second.set_count > 0 && !second_has(translation, page))
        counts->tlb_misses[1]++;
}

/* Most misses: the first TLB has few ways, and the second one has the page where it was last. */
void translation_search(struct translation *translation, uint64_t page, struct hierarchy_counts *counts) {
    const struct lru *second = &translation->second;
    const uint32_t hint = translation->second_entries[page % TRANSLATION_HINTS];
    if (!translation->is_near || translation->residents[page % TRANSLATION_HINTS] > 0 ||
        *lru_key(second, hint) != page + 1) {
        translation_search_all(translation, page, counts);
        return;
    }
    const uint64_t *last_uses = translation->last_uses + (page & translation->set_mask) * FEW_WAYS;
    first_replace(translation, lru_least(last_uses, FEW_WAYS) % TRANSLATION_TICK, page);
    lru_touch_entry(second, hint);
    counts->tlb_misses[0]++;
}

/* Sets with true LRU order. */

enum { HALF_BYTES = 16 }; /* in a word */

static unsigned hierarchy_words_of(unsigned ways) {
    return ways <= 16 ? 2 : (ways + 7) / 8;
}

static unsigned order_words_of(const struct lru_shape *shape) {
    return shape->timed ? 0 : shape->ways <= HALF_BYTES ? 1 : hierarchy_words_of(shape->ways);
}

/* A power of two up to a cache line of the host: a row of up to 24 ways lies in one. */
static size_t row_words_of(const struct lru_shape *shape) {
    enum { LINE_WORDS = HIERARCHY_LINE_BYTES / sizeof(uint64_t) };
    const size_t used = hierarchy_words_of(shape->ways) + (shape->timed ? 0 : order_words_of(shape) + 1);
    size_t words = 2;
    while (words < used && words < LINE_WORDS)
        words *= 2;
    return words < used ? used : words;
}

/* Entries of timed sets have their way in their lowest bits, and come in fours. */
static uint64_t set_step_of(const struct lru_shape *shape) {
    uint64_t step = shape->timed ? 4 : 1;
    while (shape->timed && step < shape->ways)
        step *= 2;
    return step;
}

static uint64_t lru_entries_of(const struct lru_shape *shape) {
    return shape->set_count * (shape->timed ? set_step_of(shape) : shape->ways);
}

size_t lru_bytes(const struct lru_shape *shape) {
    const uint64_t entries = lru_entries_of(shape);
    return (shape->set_count * row_words_of(shape) + (entries << shape->key_shift) + (shape->timed ? 1 + entries : 0)) *
           sizeof(uint64_t);
}

void lru_init(struct lru *lru, const struct lru_shape *shape, void *memory) {
    *lru = (struct lru){.set_count = shape->set_count,
                        .ways = shape->ways,
                        .words = hierarchy_words_of(shape->ways),
                        .order_words = order_words_of(shape),
                        .order_bits = shape->ways <= HALF_BYTES ? 4 : 8,
                        .order_ones = shape->ways <= HALF_BYTES ? 0x1111111111111111u : LRU_ONES,
                        .order_begin = shape->ways <= HALF_BYTES ? 0xfedcba9876543210u : 0x0706050403020100u,
                        .row_words = row_words_of(shape),
                        .rows = memory,
                        .key_shift = shape->key_shift,
                        .entries = lru_entries_of(shape),
                        .set_step = set_step_of(shape),
                        .way_step = shape->timed ? 1 : shape->set_count};
    lru->way_mask = lru->set_step - 1;
    lru->low_bits = (unsigned)__builtin_ctzll(lru->set_count);
    lru->low_mask = (1ull << lru->low_bits) - 1;
    lru->odd = lru->set_count >> lru->low_bits;
    lru->odd_reciprocal = lru->odd > 1 ? UINT64_MAX / lru->odd + 1 : 0;
    lru->keys = lru->rows + lru->set_count * lru->row_words;
    lru->times = shape->timed ? lru->keys + (lru->entries << lru->key_shift) : NULL;
    for (uint64_t entry = 0; entry < lru->entries && lru->times; entry++) {
        const uint64_t way = entry & (lru->set_step - 1);
        lru->times[1 + entry] = way < lru->ways ? way : UINT64_MAX; /* never the oldest */
    }
}

void lru_share(struct lru *lru) {
    lru->locks = true;
}

int lru_way_of_several(const struct lru *lru, const struct lru_place *place) {
    for (unsigned word = 0; word < lru->words; word++)
        for (uint64_t marks = lru_marks(place->row[word], place->tag); marks; marks &= marks - 1) {
            const unsigned way = word * 8 + (unsigned)__builtin_ctzll(marks) / 8;
            if (way < lru->ways && *lru_key(lru, lru_entry(lru, place->set, way)) == place->key)
                return (int)way;
        }
    return -1;
}

/* In the order, the ways behind the removed one move forward by one, and it becomes the last. */
static void move_last(const struct lru *lru, const struct lru_place *place, unsigned way) {
    uint64_t *order = lru_order(lru, place->row), before = UINT64_MAX;
    const unsigned bits = lru->order_bits, words = lru->order_words, last = (lru->ways - 1) * bits % 64;
    for (unsigned word = 0; word < words; word++) {
        const uint64_t old = order[word] ^ lru_positions(lru, word), mark = lru_order_marks(lru, old, way);
        const uint64_t moved = word + 1 < words
                                   ? old >> bits | (order[word + 1] ^ lru_positions(lru, word + 1)) << 56
                                   : (old >> bits & ~(UINT64_MAX >> (64 - bits) << last)) | (uint64_t)way << last;
        before = before != UINT64_MAX ? 0 : mark ? ((mark & -mark) >> (bits - 1)) - 1 : UINT64_MAX;
        order[word] = ((old & before) | (moved & ~before)) ^ lru_positions(lru, word);
    }
}

void lru_remove(const struct lru *lru, const struct lru_place *place, unsigned way) {
    const uint64_t entry = lru_entry(lru, place->set, way);
    if (lru->times)
        lru->times[1 + entry] = way;
    else
        move_last(lru, place, way);
    *lru_key(lru, entry) = 0;
    lru_put_hash(place, way, 0);
}
