/* SPDX-License-Identifier: BSD-3-Clause
 * The table of doubts, and sets of them. */
#include "doubt.h"

#include <string.h>

#include "probe/machine.h"
#include "probe/text.h"

const struct doubt doubt_table[DOUBT_COUNT] = {
#define DOUBT(NAME, KIND, ...) [DOUBT_##NAME] = {DOUBTS_##KIND, __VA_ARGS__},
#include "doubt_rows.inc"
#undef DOUBT
};

enum { WORDS = sizeof(struct doubts) / sizeof(uint64_t) };
_Static_assert(WORDS * 64 >= DOUBT_COUNT, "a set holds every doubt");

enum doubt_id doubt_find(const char *name) {
    unsigned id = 0;
    while (id < DOUBT_COUNT && strcmp(doubt_table[id].name, name) != 0)
        id++;
    return (enum doubt_id)id;
}

static uint64_t bit_of(enum doubt_id id) {
    return UINT64_C(1) << id % 64;
}

void doubts_add(struct doubts *set, enum doubt_id id) {
    set->words[id / 64] |= bit_of(id);
}

void doubts_add_if(struct doubts *set, bool condition, enum doubt_id id) {
    if (condition)
        doubts_add(set, id);
}

void doubts_remove(struct doubts *set, enum doubt_id id) {
    set->words[id / 64] &= ~bit_of(id);
}

bool doubts_has(struct doubts set, enum doubt_id id) {
    return set.words[id / 64] & bit_of(id);
}

struct doubts doubts_listed(const enum doubt_id *ids, size_t count) {
    struct doubts set = {0};
    for (size_t i = 0; i < count; i++)
        doubts_add(&set, ids[i]);
    return set;
}

struct doubts doubts_of_kind(enum doubt_kind kind) {
    struct doubts set = {0};
    for (unsigned id = 0; id < DOUBT_COUNT; id++)
        doubts_add_if(&set, doubt_table[id].kind == kind, id);
    return set;
}

struct doubts doubts_all(void) {
    struct doubts set = {0};
    for (unsigned id = 0; id < DOUBT_COUNT; id++)
        doubts_add(&set, id);
    return set;
}

void doubts_join(struct doubts *set, struct doubts more) {
    for (size_t i = 0; i < WORDS; i++)
        set->words[i] |= more.words[i];
}

struct doubts doubts_union(struct doubts a, struct doubts b) {
    doubts_join(&a, b);
    return a;
}

struct doubts doubts_common(struct doubts a, struct doubts b) {
    for (size_t i = 0; i < WORDS; i++)
        a.words[i] &= b.words[i];
    return a;
}

struct doubts doubts_without(struct doubts set, struct doubts less) {
    for (size_t i = 0; i < WORDS; i++)
        set.words[i] &= ~less.words[i];
    return set;
}

bool doubts_any(struct doubts set) {
    uint64_t any = 0;
    for (size_t i = 0; i < WORDS; i++)
        any |= set.words[i];
    return any;
}

bool doubts_equal(struct doubts a, struct doubts b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

char *doubt_names(struct doubts doubts, char *out, size_t size) {
    out[0] = '\0';
    for (unsigned id = 0; id < DOUBT_COUNT; id++)
        if (doubts_has(doubts, id))
            text_append(out, size, "%s%s", *out ? ", " : "", doubt_table[id].name);
    return out;
}
