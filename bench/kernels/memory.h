/* SPDX-License-Identifier: BSD-3-Clause
 * The buffers that kernels walk over: one arena per memory node, in huge pages, asked from that node where there are
 * several, first touched by the cores nearest to it and kept from one measurement to the next. */
#ifndef BENCH_KERNELS_MEMORY_H
#define BENCH_KERNELS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "team.h"

#include "probe/error.h"

#define MEMORY_SMALL_PAGE_BYTES ((uint64_t)4096)
#define MEMORY_HUGE_PAGE_BYTES  ((uint64_t)2 << 20)

struct arena {
    unsigned char *base; /* 2 MiB aligned */
    uint64_t reserved_bytes;
    uint64_t touched_bytes; /* from the base on */
    unsigned os_index;      /* of its node */
};

struct memory {
    unsigned node_count;
    struct arena *arenas; /* one per memory node */
    bool huge_pages;      /* asked for */
    struct team everyone; /* touches new pages: all cores, since a gigabyte takes one core seconds */
};

/* Reserves address space only: memory is taken as it is touched. Error: the address space is refused. */
bool memory_open(struct memory *out, const struct machine *machine, uint64_t bytes_per_node, bool huge_pages,
                 struct error *err);
void memory_close(struct memory *memory);

/* The team's threads get `bytes` each on the nodes that the team names, touched, apart by whole 2 MiB pages.
 * buffers[i] is thread i's. Error: more than was reserved. */
bool memory_take(struct memory *memory, const struct team *team, uint64_t bytes, void **buffers, struct error *err);

/* Whether the touched buffers lie where memory_take() put them, judged by a page in every few. False also where the
 * system does not tell; true on a machine with one node, where there is no other place. */
bool memory_in_place(const struct memory *memory, const struct team *team, void *const *buffers, uint64_t bytes);

/* The size of the pages that back most of [buffer, buffer + bytes), from /proc/self/smaps: 4096 when in doubt. */
uint64_t memory_page_bytes(const void *buffer, uint64_t bytes);

#endif
