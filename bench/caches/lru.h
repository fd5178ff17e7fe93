/* SPDX-License-Identifier: BSD-3-Clause
 * The sets of one cache or TLB, each with true LRU order. A set is a ring of its ways: the head was used last, the way
 * before it is the one to replace, and replacing it is to turn the ring by one. A byte of each key's hash tells which
 * ways may hold it, eight at a time. Freestanding: no libc, no floating point, memory by the caller. */
#ifndef BENCH_CACHES_LRU_H
#define BENCH_CACHES_LRU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
