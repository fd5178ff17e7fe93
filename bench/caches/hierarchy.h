/* SPDX-License-Identifier: BSD-3-Clause
 * The caches of one machine, simulated: each thread has its own inner levels and TLBs, and outer levels may be shared.
 * True LRU everywhere; stores allocate and are written back; non-temporal stores go past all levels through buffers
 * that combine them. What passes between levels is counted for owners. Freestanding: no libc, no floating point, all
 * memory by the caller, so that it works within another program.
 *
 * To begin with: hierarchy_cache_init() for each cache there is, sampling_init() and translation_init() for each
 * thread; then hierarchy_take() with each batch, and hierarchy_end() at the end. */
#ifndef BENCH_CACHES_HIERARCHY_H
#define BENCH_CACHES_HIERARCHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "counts.h"
#include "sampling.h"

/* The sets of one cache or TLB, each with true LRU order. A set is a ring of its ways: the head was used last, the way
 * before it is the one to replace, and replacing it is to turn the ring by one. A byte of each key's hash tells which
 * ways may hold it, eight at a time. Freestanding: no libc, no floating point, memory by the caller. */

enum { LRU_WAYS_MAX = 128 };

struct lru {
    uint64_t set_count; /* any number: the rest of the key by it is the set */
    unsigned ways;
    unsigned tag_words;           /* of eight ways each */
    unsigned low_bits;            /* set_count is 2^low_bits times an odd number */
    uint64_t low_mask;            /* 2^low_bits - 1 */
    uint64_t odd, odd_reciprocal; /* that number, and 2^64 divided by it, rounded up; 0: it is 1 */
    size_t row_bytes;
    uint8_t *rows;      /* a struct lru_row for each set */
    unsigned key_shift; /* a key every 2^key_shift words: what is between is the caller's */
    uint64_t *keys;     /* of each way of each set, plus one; 0: it is empty */
};

/* Then, in bytes: hashes of 8 × tag_words ways, the next way, the way before. */
struct lru_row {
    uint8_t head, ready;
    uint8_t lock; /* for whoever shares the set */
    uint8_t zero[5];
    uint64_t tags[];
};

/* A key, what its hash says, and its set. */
struct lru_place {
    uint64_t key; /* plus one */
    uint64_t tag; /* the byte, eight times */
    uint64_t set;
    struct lru_row *row;
};

/* Of `set_count` × `ways`, both 1 at least and ways LRU_WAYS_MAX at most; each with 2^key_shift words. */
size_t lru_bytes(uint64_t set_count, unsigned ways, unsigned key_shift);

/* `memory` is zeroed, aligned to 8 bytes, and as long as lru_bytes() says; what is never used is never touched. */
void lru_init(struct lru *lru, uint64_t set_count, unsigned ways, unsigned key_shift, void *memory);

/* The other entries of the ring are made when a set is used first. */
void lru_make_ready(const struct lru *lru, struct lru_row *row);

/* Makes an entry the first of its set, or empties it and makes it the next to be replaced. */
void lru_touch_way(const struct lru *lru, struct lru_row *row, unsigned way);

void lru_remove(const struct lru *lru, const struct lru_place *place, uint64_t entry);

/* Of all, by which keys are found. Those of one way lie one behind the other: a stream, which comes to set after set,
 * replaces the same way of each. */
static inline uint64_t lru_entry(const struct lru *lru, uint64_t set, unsigned way) {
    return way * lru->set_count + set;
}

static inline uint64_t *lru_key(const struct lru *lru, uint64_t entry) {
    return &lru->keys[entry << lru->key_shift];
}

static inline uint64_t lru_hash(uint64_t key) {
    const uint64_t byte = (key * 0x9e3779b97f4a7c15u) >> 56;
    return (byte ? byte : 1) * 0x0101010101010101u;
}

static inline uint64_t lru_set(const struct lru *lru, uint64_t key) {
    const uint64_t low = key & lru->low_mask, high = key >> lru->low_bits;
    if (lru->odd_reciprocal == 0)
        return low;
    __extension__ typedef unsigned __int128 wide;
    const uint64_t quotient = (uint64_t)((wide)high * lru->odd_reciprocal >> 64);
    return (high - quotient * lru->odd) << lru->low_bits | low;
}

/* The entry that was used last in a set. */
static inline uint64_t lru_first(const struct lru *lru, uint64_t set) {
    const struct lru_row *row = (const struct lru_row *)(const void *)(lru->rows + set * lru->row_bytes);
    return lru_entry(lru, set, row->head);
}

/* `hash` is lru_hash(key), which serves all levels. */
static inline struct lru_place lru_place(const struct lru *lru, uint64_t key, uint64_t hash) {
    const uint64_t set = lru_set(lru, key);
    struct lru_row *row = (struct lru_row *)(void *)(lru->rows + set * lru->row_bytes);
    return (struct lru_place){key + 1, hash, set, row};
}

/* For whoever shares the sets; nests from the inside out only. */
static inline void lru_lock(const struct lru_place *place) {
    while (__atomic_test_and_set(&place->row->lock, __ATOMIC_ACQUIRE))
        ;
}

static inline void lru_unlock(const struct lru_place *place) {
    __atomic_clear(&place->row->lock, __ATOMIC_RELEASE);
}

/* Which way holds a key; negative: none. In each word the bytes that equal the hash become 0, which the subtraction
 * marks in their highest bit; bytes above one that is equal may be marked, too, so the key decides. */
static inline int lru_way(const struct lru *lru, const struct lru_place *place) {
    const uint64_t ONES = 0x0101010101010101u, HIGHEST = 0x8080808080808080u;
    for (unsigned word = 0; word < lru->tag_words; word++) {
        const uint64_t differs = place->row->tags[word] ^ place->tag;
        for (uint64_t equal = (differs - ONES) & ~differs & HIGHEST; equal; equal &= equal - 1) {
            const unsigned way = word * 8 + (unsigned)__builtin_ctzll(equal) / 8;
            if (way < lru->ways && *lru_key(lru, lru_entry(lru, place->set, way)) == place->key)
                return (int)way;
        }
    }
    return -1;
}

/* The entry; negative: none. */
static inline int64_t lru_search(const struct lru *lru, const struct lru_place *place) {
    const int way = lru_way(lru, place);
    return way < 0 ? -1 : (int64_t)lru_entry(lru, place->set, (unsigned)way);
}

/* As lru_search(), and makes it the first of its set, which has been made ready then. Touches no key that isn't it. */
static inline int64_t lru_find(const struct lru *lru, const struct lru_place *place) {
    if (__builtin_expect(!place->row->ready, 0)) {
        lru_make_ready(lru, place->row);
        return -1;
    }
    const int way = lru_way(lru, place);
    if (way < 0)
        return -1;
    lru_touch_way(lru, place->row, (unsigned)way);
    return (int64_t)lru_entry(lru, place->set, (unsigned)way);
}

/* Of a set that is ready, the way that was used the longest time ago. */
static inline unsigned lru_next_way(const struct lru *lru, const struct lru_place *place) {
    const uint8_t *before = (const uint8_t *)place->row->tags + lru->tag_words * 16;
    return before[place->row->head];
}

static inline uint64_t lru_next(const struct lru *lru, const struct lru_place *place) {
    return lru_entry(lru, place->set, lru_next_way(lru, place));
}

/* Puts a key that lru_find() did not find into that entry, which is returned; `*gone` is the key that it held, plus
 * one, or 0. */
static inline uint64_t lru_insert(const struct lru *lru, const struct lru_place *place, uint64_t *gone) {
    const unsigned way = lru_next_way(lru, place);
    const uint64_t entry = lru_entry(lru, place->set, way);
    place->row->head = (uint8_t)way;
    ((uint8_t *)place->row->tags)[way] = (uint8_t)place->tag;
    *gone = *lru_key(lru, entry);
    *lru_key(lru, entry) = place->key;
    return entry;
}

/* TLBs for data, in pages of 4 KiB. The first is asked for every access, and is often one large set; so its order is
 * kept by the time of each entry's last use, and where pages were found last is tried first. Freestanding. */

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

/* What a level holds, in relation to those inside of it. */
enum cache_content {
    CONTENT_FREE,      /* lines that pass inwards stay here; what it forgets stays inside (neither in- nor exclusive) */
    CONTENT_INCLUSIVE, /* the same, but what it forgets, the levels inside forget */
    CONTENT_VICTIM, /* lines that the level inside forgets; one that is asked for moves inwards, and is here no more */
};

struct hierarchy_level {
    unsigned level; /* 1, 2, 3 */
    uint64_t set_count;
    unsigned ways;
    enum cache_content content; /* of an inclusive one, the thread's own levels inside forget what it forgets */
    unsigned sharing_cores;     /* that one cache serves */
    unsigned inside_ways;       /* of one of victims: lines inside, for each set, that it knows of; 0: none */
};

struct hierarchy_geometry {
    unsigned level_count; /* 1 at least */
    struct hierarchy_level levels[HIERARCHY_LEVELS_MAX];
    struct tlb_geometry tlbs[HIERARCHY_TLBS];
};

/* What is known of a line where a cache holds it. */
struct hierarchy_line {
    uint64_t key;  /* struct lru's */
    uint64_t used; /* a bit for each byte that was accessed since it came here, and was not told outwards yet */
    uint32_t dirty_owner, fetch_owner;
    uint32_t outer; /* the entry of the next level that holds it, unless that has changed meanwhile */
    bool dirty;
    bool fetched; /* of all copies of a line from memory the one that counts */
};

enum { HIERARCHY_KEY_SHIFT = 2 };
_Static_assert(sizeof(struct hierarchy_line) == sizeof(uint64_t) << HIERARCHY_KEY_SHIFT, "a key every so many words");

struct hierarchy_cache {
    struct lru lru;
    struct hierarchy_line *lines; /* by entry: lru.keys, with the words between them */
    enum cache_content content;
    bool shared; /* by threads; never the innermost */
    bool locked; /* threads that share it run at a time */
    /* Lines that threads have taken from a shared cache of victims, or past it: they pass them on to each other. */
    struct lru inside;
};

enum {
    HIERARCHY_COMBINING = 8, /* lines at a time that non-temporal stores combine to: Intel's have 10 to 16, AMD's 8 */
    HIERARCHY_PENDING = 128,
};

struct hierarchy_thread {
    unsigned level_count;
    struct hierarchy_cache *levels[HIERARCHY_LEVELS_MAX];
    struct sampling sampling; /* the same classes for all threads of a shared cache */
    bool seen_apart;          /* the caller asks the TLBs, and notes accesses to lines that aren't sampled, by itself */
    struct translation translation;
    struct hierarchy_counts *counts; /* zeroed: [group of the sampling][owner], group_count × owner_count */
    uint32_t owner_count;            /* every access' owner is less */
    struct combining {
        uint64_t line; /* plus one; 0: the buffer is free */
        uint64_t written;
        uint32_t owner;
    } combining[HIERARCHY_COMBINING];
    unsigned combining_next;
    struct hierarchy_pending {
        uint64_t line; /* by its sampled number */
        const struct memory_access *access;
    } pending[HIERARCHY_PENDING]; /* of the batch, the accesses to lines that are sampled */
};

/* Memory of a cache of so many sets, sampled ones only; zeroed, aligned to 8 bytes. */
size_t hierarchy_cache_bytes(const struct hierarchy_level *level, const struct sampling *sampling);
void hierarchy_cache_init(struct hierarchy_cache *cache, const struct hierarchy_level *level,
                          const struct sampling *sampling, void *memory);

/* Simulates what a thread did, in its order. Threads may do so at the same time, each with its own struct. */
void hierarchy_take(struct hierarchy_thread *thread, const struct memory_access *accesses, size_t count);

/* Changed lines are written back to memory, and stay where they are, unchanged: of the thread's own levels, and of
 * those that it shares where `shared`. Counted on each link that a line passes, for the one who changed it last. */
void hierarchy_write_back(struct hierarchy_thread *thread, bool shared);

/* Ends what is open: the buffers of non-temporal stores are written, and lines that caches still hold count as gone,
 * but changed ones are not written back. Nothing may follow. To be called for one thread after the other. */
void hierarchy_end(struct hierarchy_thread *thread);

#endif
