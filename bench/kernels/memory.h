/* SPDX-License-Identifier: BSD-3-Clause
 * The buffers that kernels walk over: one arena per memory node, in huge pages of that node. The cores nearest to the
 * node touch them first. They stay allocated between measurements. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "team.h"

struct error;

/* Buffers begin at whole units, which are whole pages of any system's small pages. */
#define MEMORY_UNIT_BYTES ((uint64_t)2 << 20)

/* No system has smaller pages: touching memory in such steps touches each page. */
#define MEMORY_LEAST_PAGE_BYTES ((uint64_t)4096)

struct arena {
    unsigned char *base; /* aligned to units, and to huge pages if it is to have some */
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

/* Gives each thread of the team `bytes` of touched memory on its node of the team. Buffers are apart by whole units;
 * buffers[i] is thread i's. Error: more than was reserved. */
bool memory_take(struct memory *memory, const struct team *team, uint64_t bytes, void **buffers, struct error *err);

/* Whether the touched buffers lie on the nodes that memory_take() chose, checked on some of their pages. False also if
 * the system does not report it; true on a machine with one node. */
bool memory_in_place(const struct memory *memory, const struct team *team, void *const *buffers, uint64_t bytes);

/* The bytes of the units that a buffer takes. */
static inline uint64_t memory_round_up(uint64_t bytes) {
    return (bytes + MEMORY_UNIT_BYTES - 1) / MEMORY_UNIT_BYTES * MEMORY_UNIT_BYTES;
}

/* Address space, allocated on touch, in pages of the system's choice; `bytes` is a multiple of `alignment`. NULL and
 * errno: it is refused. */
unsigned char *memory_reserve(uint64_t bytes, uint64_t alignment);

/* The size of the pages that back most of [buffer, buffer + bytes), from /proc/self/smaps: small ones if unknown. */
uint64_t memory_page_bytes(const void *buffer, uint64_t bytes);
