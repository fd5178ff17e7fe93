/* SPDX-License-Identifier: BSD-3-Clause
 * Whether a roof of one result and a roof of another are the same: kernel, level, kind of pages, place, and one core,
 * all cores or the same number. Pure. */
#pragma once

#include "asm/element.h"
#include "bench/kernels/sample.h"
#include "model.h"

#define ROOF_ALL_CORES (~0u)

struct roof_key {
    enum sample_kind kind;
    unsigned cores;                      /* 1, ROOF_ALL_CORES, or a number; 0: any number (no roof has it) */
    unsigned package, node, memory_node; /* 1 + number, as in samples */
    bool smt;
    unsigned char small_pages; /* KiB of each, if they were requested; 0: they were not */
    char kernel[48], level[9]; /* kernel: "" of a headline, the best of its level or type */
    char type[8];              /* of a headline: the element type of its ceilings, "" of a level's */
    bool figure;               /* of the memory system, not a roof */
    char core_kind[32];
};
struct roof_key roof_key_make(const struct model *model, const struct roof *roof);

/* " (4 KiB pages)" for requested small pages, else "". Returns `out`. */
enum { ROOF_KEY_PAGES_BYTES = 24 };
const char *roof_key_pages(const struct roof_key *key, char out[ROOF_KEY_PAGES_BYTES]);

/* Small pages are the same, whatever their size. */
bool roof_key_same(const struct roof_key *a, const struct roof_key *b);

/* The cores that a roof's threads run on; 0: unknown. */
unsigned roof_cores(const struct roof *roof);

/* From the kernel's name: the element type of a ceiling (TYPE_NONE for a level's roof), and the operation ("fma" of
 * "avx2.f64.fma"). */
enum element_type roof_key_type(const struct roof_key *key);
const char *roof_key_operation(const struct roof_key *key);

/* "one core", "all cores", "4 cores, node 1" */
const char *roof_key_place(const struct roof_key *key, char *out, size_t size);

/* "L1 avx512.load, all cores" */
const char *roof_key_text(const struct roof_key *key, char *out, size_t size);

/* The unit of values with this key: "flop/s", and in files "flop_per_s". */
const char *roof_key_unit(const struct roof_key *key);
const char *roof_key_unit_name(const struct roof_key *key);

/* Keys, numbered in order of insertion. */
struct roof_keys {
    size_t count, capacity;
    struct roof_key *keys;
    size_t *slots; /* 1 + number, by hash; 0: free. Twice the capacity */
};
#define ROOF_KEYS_NONE ((size_t)-1)

size_t roof_keys_put(struct roof_keys *keys, const struct roof_key *key);
size_t roof_keys_find(const struct roof_keys *keys, const struct roof_key *key); /* or ROOF_KEYS_NONE */
void roof_keys_free(struct roof_keys *keys);
