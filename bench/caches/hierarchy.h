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
#include "lru.h"
#include "sampling.h"
#include "translation.h"

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
