/* SPDX-License-Identifier: BSD-3-Clause
 * The buffers that kernels walk over: one arena per memory node, in huge pages of that node. The cores nearest to the
 * node touch them first. They stay allocated between measurements. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "team.h"

struct error;

#define MEMORY_SMALL_PAGE_BYTES ((uint64_t)4096)
#define MEMORY_HUGE_PAGE_BYTES  ((uint64_t)2 << 20)

struct arena {
    unsigned char *base; /* 2 MiB aligned */
    uint64_t reserved_bytes;
    uint64_t touched_bytes; /* counted from the base */
    unsigned os_index;      /* of the arena's node */
};

struct memory {
    unsigned node_count;
    struct arena *arenas; /* one per memory node */
    bool huge_pages;      /* as requested */
    struct team everyone; /* touches new pages with all cores, since one core takes seconds for a gigabyte */
};

/* Reserves address space only: memory is allocated when touched. Error: the address space is refused. */
bool memory_open(struct memory *out, const struct machine *machine, uint64_t bytes_per_node, bool huge_pages,
                 struct error *err);
void memory_close(struct memory *memory);

/* Gives each thread of the team `bytes` of touched memory on its node of the team. Buffers are apart by whole 2 MiB
 * pages; buffers[i] is thread i's. Error: more than was reserved. */
bool memory_take(struct memory *memory, const struct team *team, uint64_t bytes, void **buffers, struct error *err);

/* Whether the touched buffers lie on the nodes that memory_take() chose, checked on some of their pages. False also if
 * the system does not report it; true on a machine with one node. */
bool memory_in_place(const struct memory *memory, const struct team *team, void *const *buffers, uint64_t bytes);

/* The bytes of the huge pages that a buffer takes. */
static inline uint64_t memory_round_up(uint64_t bytes) {
    return (bytes + MEMORY_HUGE_PAGE_BYTES - 1) / MEMORY_HUGE_PAGE_BYTES * MEMORY_HUGE_PAGE_BYTES;
}

/* The size of the pages that back most of [buffer, buffer + bytes), from /proc/self/smaps: 4096 if unknown. */
uint64_t memory_page_bytes(const void *buffer, uint64_t bytes);
