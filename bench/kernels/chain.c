/* SPDX-License-Identifier: BSD-3-Clause
 * The linked list that a pointer chase follows (see chain.h). */
#include "chain.h"

#include <stdlib.h>

#include "probe/arch.h"
#include "probe/need.h"

enum { LINE_BYTES = 64 };

/* xorshift64*: the order only has to defeat prefetchers. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du;
}

void *chain_build(void *buffer, uint64_t bytes, bool flush) {
    unsigned char *base = buffer;
    uint64_t lines = bytes / LINE_BYTES, most = flush ? CHAIN_MAX_FLUSHED : CHAIN_MAX_ELEMENTS;
    uint64_t count = lines < most ? lines : most, random = 88172645463325252u;
    void ***elements = need_malloc(count * sizeof *elements);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = i * lines / count, to = (i + 1) * lines / count;
        elements[i] = (void **)(void *)(base + (from + next_random(&random) % (to - from)) * LINE_BYTES);
    }
    for (uint64_t i = count - 1; i > 0; i--) {
        uint64_t j = next_random(&random) % (i + 1);
        void **swapped = elements[i];
        elements[i] = elements[j];
        elements[j] = swapped;
    }
    for (uint64_t i = 0; i < count; i++)
        *elements[i] = elements[(i + 1) % count];
    for (uint64_t i = 0; flush && i < count; i++)
        arch_flush_line(elements[i], 0);
    arch_fence();
    void *first = elements[0];
    free(elements);
    return first;
}

void chain_erase(void *element) {
    for (void **at = element, **next; at; at = next) {
        next = *at;
        *at = NULL;
    }
}
