/* SPDX-License-Identifier: BSD-3-Clause
 * Threads with simulated caches, ready for accesses. Include cmocka.h before it. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "bench/caches/hierarchy.h"

enum { CACHES_THREADS = 2 };

/* The last level is shared by all threads. */
struct caches {
    struct hierarchy_geometry geometry;
    unsigned thread_count;
    struct hierarchy_thread threads[CACHES_THREADS];
    struct hierarchy_cache own[CACHES_THREADS][HIERARCHY_LEVELS_MAX];
    void *taken[64];
    unsigned taken_count;
};

static inline void *caches_memory(struct caches *caches, size_t bytes) {
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    return caches->taken[caches->taken_count++] = memory;
}

static inline struct caches *caches_new(const struct hierarchy_geometry *geometry, unsigned threads, uint32_t owners,
                                        unsigned one_of, uint64_t seed) {
    struct caches *caches = calloc(1, sizeof *caches);
    assert_non_null(caches);
    caches->geometry = *geometry;
    caches->thread_count = threads;
    for (unsigned t = 0; t < threads; t++) {
        struct hierarchy_thread *thread = &caches->threads[t];
        sampling_init(&thread->sampling, one_of, seed);
        thread->level_count = geometry->level_count;
        thread->owner_count = owners;
        thread->counts = caches_memory(caches, sizeof *thread->counts * owners * thread->sampling.group_count);
        for (unsigned i = 0; i < geometry->level_count; i++) {
            const bool shared = threads > 1 && i == geometry->level_count - 1;
            thread->levels[i] = shared && t > 0 ? caches->threads[0].levels[i] : &caches->own[t][i];
            if (shared && t > 0)
                continue;
            const size_t bytes = hierarchy_cache_bytes(&geometry->levels[i], &thread->sampling);
            hierarchy_cache_init(thread->levels[i], &geometry->levels[i], &thread->sampling,
                                 caches_memory(caches, bytes));
            thread->levels[i]->shared = shared;
        }
        translation_init(&thread->translation, geometry->tlbs,
                         caches_memory(caches, translation_bytes(geometry->tlbs)));
    }
    if (threads > 1)
        hierarchy_share(&caches->threads[0]);
    return caches;
}

static inline void caches_delete(struct caches *caches) {
    while (caches->taken_count > 0)
        free(caches->taken[--caches->taken_count]);
    free(caches);
}

/* Over all groups and threads. All members of the counts are 64-bit numbers. */
static inline struct hierarchy_counts caches_sum(const struct caches *caches, uint32_t owner) {
    struct hierarchy_counts sum = {0};
    for (unsigned t = 0; t < caches->thread_count; t++) {
        const struct hierarchy_thread *thread = &caches->threads[t];
        for (unsigned group = 0; group < thread->sampling.group_count; group++) {
            const uint64_t *counts = (const uint64_t *)&thread->counts[group * thread->owner_count + owner];
            for (size_t i = 0; i < sizeof sum / 8; i++)
                ((uint64_t *)&sum)[i] += counts[i];
        }
    }
    return sum;
}

static inline void caches_access(struct caches *caches, unsigned thread, enum access_kind kind, uint64_t address,
                                 unsigned bytes, uint32_t owner) {
    const struct memory_access access = {address, owner, (uint16_t)bytes, (uint16_t)kind};
    hierarchy_take(&caches->threads[thread], &access, 1);
}
