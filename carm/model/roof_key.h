/* SPDX-License-Identifier: BSD-3-Clause
 * When a roof of one result and a roof of another are the same: of one kernel, level, kind of pages and place, by one
 * core, by all of them, or by as many. Pure. */
#ifndef CARM_ROOF_KEY_H
#define CARM_ROOF_KEY_H

#include "asm/element.h"
#include "model.h"

#define ROOF_ALL_CORES (~0u)

struct roof_key {
    enum sample_kind kind;
    unsigned cores;                      /* 1, ROOF_ALL_CORES, or how many; 0: of any number, which no roof has */
    unsigned package, node, memory_node; /* 1 + number, as in samples */
    bool smt, small_pages;
    char kernel[48], level[10], core_kind[32]; /* zero behind their ends: keys are compared as bytes */
};
/* Nothing lies between the members, or behind them, that a copy need not take along. */
_Static_assert(sizeof(struct roof_key) ==
                   sizeof(enum sample_kind) + 4 * sizeof(unsigned) + 2 * sizeof(bool) + 48 + 10 + 32,
               "keys are compared as bytes");

struct roof_key roof_key_make(const struct model *model, const struct roof *roof);

/* The cores that a roof's threads run on; 0: not known. */
unsigned roof_cores(const struct roof *roof);

/* What the kernel's name says: the type of a ceiling's elements, TYPE_NONE of a level's roof; and "fma" of
 * "avx2.f64.fma". */
enum element_type roof_key_type(const struct roof_key *key);
const char *roof_key_operation(const struct roof_key *key);

/* "one core", "all cores", "4 cores, node 1" */
const char *roof_key_place(const struct roof_key *key, char *out, size_t size);

/* "L1 avx512.load, all cores" */
const char *roof_key_text(const struct roof_key *key, char *out, size_t size);

/* "flop/s" and, as files say it, "flop_per_s": of the values of roofs with this key. */
const char *roof_key_unit(const struct roof_key *key);
const char *roof_key_unit_name(const struct roof_key *key);

/* Keys, numbered in the order in which they were put. */
struct roof_keys {
    size_t count, capacity;
    struct roof_key *keys;
    size_t *slots; /* 1 + number, by hash; 0: free. Twice the capacity */
};
#define ROOF_KEYS_NONE ((size_t)-1)

size_t roof_keys_put(struct roof_keys *keys, const struct roof_key *key);
size_t roof_keys_find(const struct roof_keys *keys, const struct roof_key *key); /* or ROOF_KEYS_NONE */
void roof_keys_free(struct roof_keys *keys);

#endif
