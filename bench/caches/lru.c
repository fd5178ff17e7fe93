/* SPDX-License-Identifier: BSD-3-Clause
 * Sets with true LRU order (see lru.h). */
#include "lru.h"

static uint8_t *next_of(const struct lru *lru, struct lru_row *row) {
    return (uint8_t *)row->tags + lru->tag_words * 8;
}
static uint8_t *before_of(const struct lru *lru, struct lru_row *row) {
    return (uint8_t *)row->tags + lru->tag_words * 16;
}

static unsigned tag_words_of(unsigned ways) {
    return (ways + 7) / 8;
}
static size_t row_bytes_of(unsigned ways) {
    return sizeof(struct lru_row) + tag_words_of(ways) * 24;
}

size_t lru_bytes(uint64_t set_count, unsigned ways, unsigned key_shift) {
    return set_count * row_bytes_of(ways) + (set_count * ways << key_shift) * sizeof(uint64_t);
}

void lru_init(struct lru *lru, uint64_t set_count, unsigned ways, unsigned key_shift, void *memory) {
    *lru = (struct lru){.set_count = set_count, .ways = ways, .tag_words = tag_words_of(ways), .rows = memory};
    lru->low_bits = (unsigned)__builtin_ctzll(set_count);
    lru->low_mask = (1ull << lru->low_bits) - 1;
    lru->odd = set_count >> lru->low_bits;
    lru->odd_reciprocal = lru->odd > 1 ? UINT64_MAX / lru->odd + 1 : 0;
    lru->row_bytes = row_bytes_of(ways);
    lru->key_shift = key_shift;
    lru->keys = (uint64_t *)(void *)(lru->rows + set_count * lru->row_bytes);
}

void lru_make_ready(const struct lru *lru, struct lru_row *row) {
    uint8_t *next = next_of(lru, row), *before = before_of(lru, row);
    for (unsigned way = 0; way < lru->ways; way++) {
        next[way] = (uint8_t)(way + 1 < lru->ways ? way + 1 : 0);
        before[way] = (uint8_t)(way > 0 ? way - 1 : lru->ways - 1);
    }
    row->ready = 1;
}

/* Takes a way out of the ring, and puts it before the head. */
static void move_before_head(const struct lru *lru, struct lru_row *row, unsigned way) {
    uint8_t *next = next_of(lru, row), *before = before_of(lru, row);
    const unsigned head = row->head, last = before[head];
    const uint8_t after = next[way], ahead = before[way];
    next[ahead] = after;
    before[after] = ahead;
    next[last] = (uint8_t)way;
    before[way] = (uint8_t)last;
    next[way] = (uint8_t)head;
    before[head] = (uint8_t)way;
}

void lru_touch_way(const struct lru *lru, struct lru_row *row, unsigned way) {
    if (way == row->head)
        return;
    if (way != before_of(lru, row)[row->head])
        move_before_head(lru, row, way);
    row->head = (uint8_t)way;
}

void lru_remove(const struct lru *lru, const struct lru_place *place, uint64_t entry) {
    const unsigned way = (unsigned)(entry / lru->set_count);
    *lru_key(lru, entry) = 0;
    ((uint8_t *)place->row->tags)[way] = 0;
    if (way == place->row->head)
        place->row->head = next_of(lru, place->row)[way];
    else if (way != before_of(lru, place->row)[place->row->head])
        move_before_head(lru, place->row, way);
}
