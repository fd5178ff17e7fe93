/* SPDX-License-Identifier: BSD-3-Clause
 * The linked list of a pointer chase. */
#include "chain.h"

#include <stdlib.h>

#include "probe/arch.h"
#include "probe/need.h"

/* xorshift64*: the order only has to defeat prefetchers. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du;
}

struct chain chain_make(void *buffer, uint64_t bytes, unsigned line_bytes, size_t most) {
    unsigned char *base = buffer;
    uint64_t lines = bytes / line_bytes, random = 88172645463325252u;
    struct chain chain = {.count = lines < most ? lines : most};
    void ***elements = chain.elements = need_malloc(chain.count * sizeof *elements);
    for (uint64_t i = 0; i < chain.count; i++) {
        uint64_t from = i * lines / chain.count, to = (i + 1) * lines / chain.count;
        elements[i] = (void **)(void *)(base + (from + next_random(&random) % (to - from)) * line_bytes);
    }
    for (uint64_t i = chain.count - 1; i > 0; i--) {
        uint64_t j = next_random(&random) % (i + 1);
        void **swapped = elements[i];
        elements[i] = elements[j];
        elements[j] = swapped;
    }
    for (uint64_t i = 0; i < chain.count; i++)
        *elements[i] = elements[(i + 1) % chain.count];
    return chain;
}

void chain_flush(const struct chain *chain, size_t from, size_t count) {
    for (size_t i = 0; i < count; i++)
        arch_flush_line(chain->elements[(from + i) % chain->count], 0);
    arch_fence();
}

void chain_free(struct chain *chain) {
    free(chain->elements);
    *chain = (struct chain){0};
}

void *chain_build(void *buffer, uint64_t bytes, unsigned line_bytes, bool flush) {
    struct chain chain = chain_make(buffer, bytes, line_bytes, flush ? CHAIN_MAX_FLUSHED : CHAIN_MAX_ELEMENTS);
    if (flush)
        chain_flush(&chain, 0, chain.count);
    arch_fence();
    void *first = chain.elements[0];
    chain_free(&chain);
    return first;
}

void chain_erase(void *element) {
    for (void **at = element, **next; at; at = next) {
        next = *at;
        *at = NULL;
    }
}
