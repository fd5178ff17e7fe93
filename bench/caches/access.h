/* SPDX-License-Identifier: BSD-3-Clause
 * A program's memory accesses as input of simulated caches: one access after the other, in the thread's order. The
 * recorder may drop some; this comment states the consequences.
 *
 * An access to the most recently used line of its first-level set does not change the order there. It may be dropped,
 * and all links between levels count as before, unless it is non-temporal, or stores to a line that was only loaded
 * since it became the most recently used. A non-temporal store removes the line from the head of its set. Not exact
 * then: inclusive levels may have invalidated the line in the first level; the order of pages in TLBs; the used bytes
 * of lines, which ACCESS_USED may report later.
 *
 * An access to the line that the same instruction accessed last may be dropped too, even with other accesses in
 * between. That is not exact: the line ages in the simulation while the program uses it. If p such lines of one set
 * of W ways are in use at a time, the other lines of the set miss as often as with between W and W - p ways. If W or
 * more other lines of the set are accessed between two executions of the instruction, its own miss is not counted. */
#pragma once

#include <stdint.h>

#include "caches.h"

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_UPDATE,      /* a load, and a store to the same bytes */
    ACCESS_NONTEMPORAL, /* a store past the caches */
    ACCESS_USED,        /* not an access: dropped accesses used these bytes of a line */
};

/* 16 bytes, written by three moves. */
struct memory_access {
    uint64_t address;
    uint32_t owner; /* the object that it is counted for: an instruction, a block, a loop */
    uint16_t bytes; /* at most 64, so at most two lines; 0: touches the line, uses none of its bytes */
    uint16_t kind;  /* enum access_kind */
};

/* A bit for each of `count` bytes of a line, 1 to 64, from this one on. */
static inline uint64_t access_bits(uint64_t from, uint64_t count) {
    return UINT64_MAX >> (HIERARCHY_LINE_BYTES - count) << from;
}

/* The bytes that an access uses of its line and of the next one: a bit for each. */
struct access_parts {
    uint64_t line, bytes[2];
};
static inline struct access_parts access_parts(const struct memory_access *access) {
    const unsigned from = access->address % HIERARCHY_LINE_BYTES;
    const uint64_t bytes = access->bytes > 0 ? access_bits(0, access->bytes) : 0;
    return (struct access_parts){.line = access->address / HIERARCHY_LINE_BYTES,
                                 .bytes = {bytes << from, from > 0 ? bytes >> (HIERARCHY_LINE_BYTES - from) : 0}};
}
