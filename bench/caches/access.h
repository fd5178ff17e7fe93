/* SPDX-License-Identifier: BSD-3-Clause
 * What a program did to memory, as simulated caches are told of it: one access after the other, in the order of the
 * thread. Whoever records may leave some out; what that changes is stated here.
 *
 * An access to the line that was accessed last in its set of the first level changes no order there, as that line is
 * the first already. It may be dropped, and all links between levels count as before, unless it is non-temporal, or
 * stores to a line that was only loaded since it came to be the last. A line that is stored to past the caches isn't
 * the last of its set any more. What isn't exact then: levels that are inclusive may have made the first level forget
 * the line; the order of pages in TLBs; and the bytes that were used of lines, which ACCESS_USED may tell afterwards.
 *
 * An access to the line that the same instruction accessed last may be dropped, too, though other accesses came
 * between. That is not exact: the line grows old in the simulation while the program uses it. Where p such lines are
 * used at a time that are of one set of W ways, the others there miss as often as with between W and W - p ways; and
 * where W other lines of the set or more come between two executions of the instruction, its own miss is not seen. */
#ifndef BENCH_CACHES_ACCESS_H
#define BENCH_CACHES_ACCESS_H

#include <stdint.h>

/* Bytes of a line at each level, and of a page. Other lines are refused where a geometry is made. */
enum { HIERARCHY_LINE_BYTES = 64, HIERARCHY_PAGE_BYTES = 4096 };

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_UPDATE,      /* a load, and a store to the same bytes */
    ACCESS_NONTEMPORAL, /* a store past the caches */
    ACCESS_USED,        /* no access: these bytes of a line were used by accesses that were dropped */
};

/* 16 bytes, to be written by three moves. */
struct memory_access {
    uint64_t address;
    uint32_t owner; /* whom it is counted for: an instruction, a block, a loop */
    uint16_t bytes; /* at most 64, so that it touches two lines at most; 0: the line is touched, none of it is used */
    uint16_t kind;  /* enum access_kind */
};

#endif
