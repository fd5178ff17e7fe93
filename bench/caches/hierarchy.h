/* SPDX-License-Identifier: BSD-3-Clause
 * The caches of one machine, simulated: each thread has its own inner levels and TLBs, and may share outer levels. True
 * LRU everywhere; stores allocate and write back; non-temporal stores bypass all levels through write-combining
 * buffers. Counts the transfers between levels for owners. Freestanding: no libc, no floating point, all memory from
 * the caller, so that it works within another program.
 *
 * Start: hierarchy_cache_init() for each cache, sampling_init() and translation_init() for each thread. Then
 * hierarchy_take(), or hierarchy_touch() for each line, and hierarchy_end() at the end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "caches.h"
#include "sampling.h"

/* The sets of one cache or TLB, each with true LRU order: the numbers of its ways, the last used first, in a word of
 * half bytes up to 16 ways, in bytes beyond. A byte of each key's hash selects the ways that may hold it, eight at a
 * time. The order of timed sets is the time of each entry's last use instead: a use costs less, a miss more.
 * Freestanding: no libc, no floating point, memory from the caller. */

struct lru {
    uint64_t set_count; /* any number: the set is the key modulo this */
    unsigned ways;
    unsigned words;               /* of hashes: groups of eight ways, two at least */
    unsigned order_words;         /* of the order; 0: timed */
    unsigned order_bits;          /* of a way's number in the order: 4 or 8 */
    uint64_t order_ones;          /* a one in each */
    uint64_t order_begin;         /* the order 0, 1, 2, … of the first word */
    bool locks;                   /* several threads share the sets */
    unsigned low_bits;            /* set_count is 2^low_bits times an odd number */
    uint64_t low_mask;            /* 2^low_bits - 1 */
    uint64_t odd, odd_reciprocal; /* that odd number, and 2^64 divided by it, rounded up; 0: it is 1 */
    size_t row_words;
    uint64_t *rows;              /* of each set: hashes, then the ways in order, then the lock */
    uint64_t entries;            /* at most so many */
    uint64_t set_step, way_step; /* from an entry to that of the next set, and of the next way */
    uint64_t way_mask;           /* of timed sets: the way in an entry */
    unsigned key_shift;          /* a key every 2^key_shift words: the words in between are the caller's */
    uint64_t *keys;              /* of each entry, plus one; 0: empty */
    uint64_t *times; /* the clock, then of each entry the last use with its way in the lowest bits; NULL: not timed */
};

/* A key with its hash byte and its set. */
struct lru_place {
    uint64_t key; /* plus one */
    uint64_t tag; /* the hash byte, eight times */
    uint64_t set;
    uint64_t *row;
};

/* `set_count` × `ways`, both at least 1 and ways at most LRU_WAYS_MAX; each key with 2^key_shift words. */
struct lru_shape {
    uint64_t set_count;
    unsigned ways, key_shift;
    bool timed; /* not if several threads share the sets */
};
size_t lru_bytes(const struct lru_shape *shape);

/* `memory` is zeroed, aligned to 8 bytes, better 64, and lru_bytes() long; unused sets without times are never touched.
 */
void lru_init(struct lru *lru, const struct lru_shape *shape, void *memory);

/* From now on several threads share the sets, which lru_lock() locks: it must hold a set while its row is read. */
void lru_share(struct lru *lru);

/* Empties an entry, which is the next to be replaced. */
void lru_remove(const struct lru *lru, const struct lru_place *place, unsigned way);

/* The number of an entry among all. Without times way by way: a stream, which visits set after set, replaces the same
 * way of each, so it writes consecutive keys. */
static inline uint64_t lru_entry(const struct lru *lru, uint64_t set, unsigned way) {
    return set * lru->set_step + way * lru->way_step;
}

static inline uint64_t *lru_key(const struct lru *lru, uint64_t entry) {
    return &lru->keys[entry << lru->key_shift];
}

#define LRU_ONES 0x0101010101010101u /* in each byte */

static inline uint64_t lru_hash(uint64_t key) {
    const uint64_t byte = (key * 0x9e3779b97f4a7c15u) >> 56;
    return (byte ? byte : 1) * LRU_ONES;
}

static inline uint64_t lru_set(const struct lru *lru, uint64_t key) {
    const uint64_t low = key & lru->low_mask, high = key >> lru->low_bits;
    if (lru->odd_reciprocal == 0)
        return low;
    __extension__ typedef unsigned __int128 wide;
    const uint64_t quotient = (uint64_t)((wide)high * lru->odd_reciprocal >> 64);
    return (high - quotient * lru->odd) << lru->low_bits | low;
}

static inline uint64_t *lru_row(const struct lru *lru, uint64_t set) {
    return lru->rows + set * lru->row_words;
}

/* `hash` is lru_hash(key), which serves all levels. */
static inline struct lru_place lru_place(const struct lru *lru, uint64_t key, uint64_t hash) {
    const uint64_t set = lru_set(lru, key);
    return (struct lru_place){key + 1, hash, set, lru_row(lru, set)};
}

/* The order of a set: the number of each way, the last used first, each stored xor its position. So zeroed memory is
 * the order 0, 1, 2, …. A set that is read is locked, if several threads share it. */
static inline uint64_t *lru_order(const struct lru *lru, uint64_t *row) {
    return row + lru->words;
}
static inline uint64_t lru_positions(const struct lru *lru, unsigned word) {
    return lru->order_begin + word * 8 * LRU_ONES;
}

/* Marks bytes equal to those of `byte` (eight times the same) in their highest bit; the lowest mark is right, others
 * above it may not be. */
static inline uint64_t lru_marks(uint64_t bytes, uint64_t byte) {
    const uint64_t differs = bytes ^ byte;
    return (differs - LRU_ONES) & ~differs & LRU_ONES << 7;
}

/* The same for a way in a word of an order. */
static inline uint64_t lru_order_marks(const struct lru *lru, uint64_t order, uint64_t way) {
    const uint64_t differs = order ^ way * lru->order_ones;
    return (differs - lru->order_ones) & ~differs & lru->order_ones << (lru->order_bits - 1);
}

/* Makes an entry the most recently used of its set, if it is timed. */
static inline void lru_touch_entry(const struct lru *lru, uint64_t entry) {
    uint64_t *times = lru->times;
    const uint64_t way = entry & lru->way_mask, now = times[0] + LRU_WAYS_MAX;
    times[0] = now;
    times[1 + entry] = now | way;
}

/* Makes a way the most recently used of its set: those before it move on by one. */
static inline void lru_touch_way(const struct lru *lru, const struct lru_place *place, unsigned way) {
    if (lru->times) {
        lru_touch_entry(lru, lru_entry(lru, place->set, way));
        return;
    }
    uint64_t *order = lru_order(lru, place->row), carry = way, ahead = UINT64_MAX; /* 0 once the way has been found */
    for (unsigned word = 0; word < lru->order_words; word++) {
        const uint64_t old = order[word] ^ lru_positions(lru, word), moved = old << lru->order_bits | carry,
                       mark = lru_order_marks(lru, old, way), before = (mark ^ (mark - 1)) & ahead;
        order[word] ^= (old ^ moved) & before;
        carry = old >> 56;
        ahead = mark ? 0 : ahead;
    }
}

/* If several threads share the sets; nests only from the inside out. */
static inline uint64_t *lru_lock_of(const struct lru *lru, const struct lru_place *place) {
    return place->row + lru->words + lru->order_words;
}

static inline void lru_lock(const struct lru *lru, const struct lru_place *place) {
    if (lru->locks)
        while (__atomic_exchange_n(lru_lock_of(lru, place), 1, __ATOMIC_ACQUIRE))
            ;
}

static inline void lru_unlock(const struct lru *lru, const struct lru_place *place) {
    if (lru->locks)
        __atomic_store_n(lru_lock_of(lru, place), 0, __ATOMIC_RELEASE);
}

/* The first way with a key's hash; negative: none. Of up to 16 ways without branches, which nobody could predict. */
static inline int lru_likely_way(const struct lru *lru, const struct lru_place *place) {
    const uint64_t low = lru_marks(place->row[0], place->tag), none = -(uint64_t)(low == 0);
    uint64_t marks = low | (lru_marks(place->row[1], place->tag) & none);
    unsigned first = 8 & (unsigned)none;
    for (unsigned word = 2; word < lru->words && !marks; word++) {
        marks = lru_marks(place->row[word], place->tag);
        first = word * 8;
    }
    return marks ? (int)(first + (unsigned)__builtin_ctzll(marks) / 8) : -1;
}

/* The way that holds a key, of several with its hash; negative: none. */
int lru_way_of_several(const struct lru *lru, const struct lru_place *place);

/* The way that holds a key; negative: none. */
static inline int lru_way(const struct lru *lru, const struct lru_place *place) {
    const int way = lru_likely_way(lru, place);
    if (way < 0 || *lru_key(lru, lru_entry(lru, place->set, (unsigned)way)) == place->key)
        return way;
    return lru_way_of_several(lru, place);
}

/* The entry; negative: none. */
static inline int64_t lru_search(const struct lru *lru, const struct lru_place *place) {
    const int way = lru_way(lru, place);
    return way < 0 ? -1 : (int64_t)lru_entry(lru, place->set, (unsigned)way);
}

/* As lru_search(), and makes it the most recently used of its set. Touches no other key. */
static inline int64_t lru_find(const struct lru *lru, const struct lru_place *place) {
    const int way = lru_way(lru, place);
    if (way < 0)
        return -1;
    lru_touch_way(lru, place, (unsigned)way);
    return (int64_t)lru_entry(lru, place->set, (unsigned)way);
}

static inline uint64_t lru_lesser(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The least of `count` numbers, a multiple of four. */
static inline uint64_t lru_least(const uint64_t *numbers, size_t count) {
    uint64_t a = numbers[0], b = numbers[1], c = numbers[2], d = numbers[3];
    for (size_t i = 4; i < count; i += 4) {
        a = lru_lesser(a, numbers[i]);
        b = lru_lesser(b, numbers[i + 1]);
        c = lru_lesser(c, numbers[i + 2]);
        d = lru_lesser(d, numbers[i + 3]);
    }
    return lru_lesser(lru_lesser(a, b), lru_lesser(c, d));
}

/* The least recently used way of a set. */
static inline unsigned lru_next_way(const struct lru *lru, const struct lru_place *place) {
    if (lru->times)
        return lru_least(lru->times + 1 + place->set * lru->set_step, (lru->ways + 3) & ~3u) % LRU_WAYS_MAX;
    const unsigned last = lru->ways - 1, word = last * lru->order_bits / 64;
    const uint64_t order = lru_order(lru, place->row)[word] ^ lru_positions(lru, word);
    return (unsigned)(order >> last * lru->order_bits % 64) & ((1u << lru->order_bits) - 1);
}

/* Whether a way of a set has a key. */
static inline bool lru_holds(const struct lru_place *place, unsigned way) {
    return ((const uint8_t *)place->row)[way] != 0;
}

/* Writes the hash of a way, as a word: words are read soon. */
static inline void lru_put_hash(const struct lru_place *place, unsigned way, uint64_t hash) {
    uint64_t *word = &place->row[way / 8];
    *word ^= (*word ^ hash) & 0xffull << way % 8 * 8;
}

/* Inserts a key that the set lacks in place of the least recently used one, at lru_next_way(); returns its entry. */
static inline uint64_t lru_insert(const struct lru *lru, const struct lru_place *place, unsigned way) {
    const uint64_t entry = lru_entry(lru, place->set, way);
    lru_put_hash(place, way, place->tag);
    *lru_key(lru, entry) = place->key;
    if (lru->times)
        lru_touch_entry(lru, entry);
    uint64_t *order = lru_order(lru, place->row), carry = way;
    for (unsigned word = 0; word < lru->order_words; word++) { /* all move on by one */
        const uint64_t old = order[word] ^ lru_positions(lru, word);
        order[word] = (old << lru->order_bits | carry) ^ lru_positions(lru, word);
        carry = old >> 56;
    }
    return entry;
}

/* TLBs for data, in pages of 4 KiB. Every access queries the first TLB, which often is one large set. So its order
 * is the time of each entry's last use, and the last position of a page is tried first. Freestanding. */

enum { TRANSLATION_HINTS = 1024, TRANSLATION_TICK = 1 << 16 };

struct translation {
    unsigned set_count, ways;          /* of the first TLB; 0: there is none */
    bool is_masked;                    /* set_count is a power of two */
    bool is_near;                      /* the same, with few ways and a second TLB */
    uint64_t set_mask;                 /* set_count - 1 */
    uint64_t clock;                    /* in steps of TRANSLATION_TICK */
    uint64_t *keys;                    /* page plus one of each entry; 0: empty */
    uint64_t *last_uses;               /* of each entry, by the clock, with its number in the lowest bits */
    uint64_t *floors;                  /* of each eight entries of a set: one of their last uses, or an earlier one */
    uint16_t hints[TRANSLATION_HINTS]; /* entries, by the low bits of the page's number */
    uint16_t residents[TRANSLATION_HINTS];      /* pages that the first TLB holds, by the same bits */
    struct lru second;                          /* set_count 0: there is none */
    uint32_t second_entries[TRANSLATION_HINTS]; /* where pages were last in the second TLB, by the same bits */
};

/* `memory` is zeroed, aligned to 8 bytes, and translation_bytes() long. */
size_t translation_bytes(const struct tlb_geometry tlbs[HIERARCHY_TLBS]);

void translation_init(struct translation *translation, const struct tlb_geometry tlbs[HIERARCHY_TLBS], void *memory);

/* For a page that is not at its last position. */
void translation_search(struct translation *translation, uint64_t page, struct hierarchy_counts *counts);

static inline void translation_access(struct translation *translation, uint64_t page, struct hierarchy_counts *counts) {
    const unsigned entry = translation->hints[page % TRANSLATION_HINTS];
    if (translation->keys[entry] == page + 1)
        translation->last_uses[entry] = (translation->clock += TRANSLATION_TICK) | entry;
    else
        translation_search(translation, page, counts);
}

/* State of a line in a cache. */
struct hierarchy_line {
    uint64_t key;     /* key of struct lru */
    uint64_t used;    /* a bit for each byte accessed since the line arrived and not yet reported outwards */
    uint32_t writer;  /* owner of the store that made it dirty, plus one; 0: it is clean */
    uint32_t fetcher; /* owner of the access that fetched it from memory, plus one, in the one copy that counts */
    uint32_t outer;   /* the entry of the next level that held it when it arrived */
    uint32_t note;    /* in the first level: the caller's, or when the line arrives 0 or that of an earlier stay */
};

enum { HIERARCHY_KEY_SHIFT = 2 };
_Static_assert(sizeof(struct hierarchy_line) == sizeof(uint64_t) << HIERARCHY_KEY_SHIFT,
               "hierarchy_line fills the words between keys");

struct hierarchy_cache {
    struct lru lru;
    struct hierarchy_line *lines; /* by entry: lru.keys, with the words between them */
    enum cache_content content;
    bool shared; /* by threads; never the innermost level */
    bool keeps;  /* lines that pass inwards stay here, and no other thread comes between */
    /* Lines that threads have taken from a victim cache that several share, or past it: they pass them on to each
     * other. */
    struct lru inside;
};

enum { HIERARCHY_COMBINING = 8 }; /* concurrent write-combining buffers: Intel's cores have 10 to 16, AMD's 8 */

enum { HIERARCHY_HINTS = 2048 };

struct hierarchy_thread {
    unsigned level_count;
    struct hierarchy_cache *levels[HIERARCHY_LEVELS_MAX];
    struct sampling sampling; /* the same classes for all threads of a shared cache */
    struct translation translation;
    struct hierarchy_counts *counts; /* zeroed: [group of the sampling][owner], group_count × owner_count */
    uint32_t owner_count;            /* owners of accesses are below this */
    uint32_t far_count;              /* lines that all levels but the last lacked, so far */
    struct combining {
        uint64_t line; /* plus one; 0: the buffer is free */
        uint64_t written;
        uint32_t owner;
    } combining[HIERARCHY_COMBINING];
    unsigned combining_next;
    uint16_t hints[HIERARCHY_HINTS]; /* entries of the first level where lines were last, by their last bits */
};

/* Bytes for a cache with the sampled sets; zeroed, aligned to 8 bytes. */
size_t hierarchy_cache_bytes(const struct hierarchy_level *level, const struct sampling *sampling);
void hierarchy_cache_init(struct hierarchy_cache *cache, const struct hierarchy_level *level,
                          const struct sampling *sampling, void *memory);

/* The last level, which is shared, gets its second thread: from now on it locks its sets, and a victim cache knows the
 * lines that the first thread has. No other thread may run meanwhile. */
void hierarchy_share(struct hierarchy_thread *first);

/* An access to a line that is not where its hint says, or past the caches. Returns the line's state in the first level;
 * NULL: past the caches. */
struct hierarchy_line *hierarchy_reach(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                                       const struct memory_access *access);

/* The most frequent misses: the first level lacks the line, and the next one lacks it too, or has it and the one that
 * gives way to it. Returns as hierarchy_reach(), or NULL: it is another access, and nothing has changed. */
struct hierarchy_line *hierarchy_reach_near(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                                            uint32_t owner, enum access_kind kind);

/* The state of a line in the first level, if it is where its hint says; NULL: the first level may lack the line. */
static inline struct hierarchy_line *hierarchy_hinted(struct hierarchy_thread *thread, uint64_t line) {
    struct hierarchy_line *state = &thread->levels[0]->lines[thread->hints[line % HIERARCHY_HINTS]];
    return state->key == line + 1 ? state : NULL;
}

static inline void hierarchy_use(struct hierarchy_line *state, uint64_t bytes, uint32_t owner, enum access_kind kind) {
    state->used |= bytes;
    if (kind != ACCESS_LOAD && state->writer == 0)
        state->writer = owner + 1;
}

/* An access to a line by its state in the first level, not past the caches. */
static inline void hierarchy_use_at(const struct hierarchy_thread *thread, struct hierarchy_line *state, uint64_t bytes,
                                    uint32_t owner, enum access_kind kind) {
    const struct hierarchy_cache *first = thread->levels[0];
    lru_touch_entry(&first->lru, (uint64_t)(state - first->lines));
    hierarchy_use(state, bytes, owner, kind);
}

/* Lines that are soon accessed, HIERARCHY_ANNOUNCED at most: fetches what the last level has of them. Changes nothing;
 * worth its time where most lines are far. */
enum { HIERARCHY_ANNOUNCED = 32 };
void hierarchy_announce(struct hierarchy_thread *thread, const uint64_t *lines, unsigned count);

/* Simulates an access to a line, by its sampled number; `bytes`: one bit for each. The caller itself queries the TLBs,
 * and notes the accesses to lines of all classes. Returns as hierarchy_reach(). */
static inline struct hierarchy_line *hierarchy_touch(struct hierarchy_thread *thread, uint64_t line, uint64_t bytes,
                                                     const struct memory_access *access) {
    const enum access_kind kind = access->kind;
    struct hierarchy_line *state = kind < ACCESS_NONTEMPORAL ? hierarchy_hinted(thread, line) : NULL;
    if (state)
        hierarchy_use_at(thread, state, bytes, access->owner, kind);
    else
        state = hierarchy_reach_near(thread, line, bytes, access->owner, kind);
    return state ? state : hierarchy_reach(thread, line, bytes, access);
}

/* Notes begin anew. */
void hierarchy_forget_notes(const struct hierarchy_thread *thread);

/* Simulates accesses in order, with TLBs and the accesses to lines of all classes. Threads may run this concurrently,
 * each with its own struct. */
void hierarchy_take(struct hierarchy_thread *thread, const struct memory_access *accesses, size_t count);

/* Writes dirty lines back to memory; they stay in the caches as clean lines. Covers the thread's own levels, and
 * with `shared` the shared ones. Each link that a line passes counts it for the line's last writer. */
void hierarchy_write_back(struct hierarchy_thread *thread, bool shared);

/* Ends the simulation: writes out the buffers of non-temporal stores, and counts the lines still in caches as
 * evicted, but does not write back dirty ones. Nothing may follow. Call it for one thread after the other. */
void hierarchy_end(struct hierarchy_thread *thread);
