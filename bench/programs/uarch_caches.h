/* SPDX-License-Identifier: BSD-3-Clause
 * What is documented of a microarchitecture's caches beyond their sizes, which the machine itself tells: what each
 * level holds of what the levels inside hold, and the TLBs for data in pages of 4 KiB. */
#ifndef BENCH_PROGRAMS_UARCH_CACHES_H
#define BENCH_PROGRAMS_UARCH_CACHES_H

#include "bench/caches/hierarchy.h"

struct tlb_size {
    unsigned entries; /* 0: not documented */
    int ways;         /* -1: fully associative, 0: not documented */
};

struct uarch_caches {
    const char *name; /* of the row of struct uarch */
    enum cache_content l2, l3;
    const char *content_source;
    struct tlb_size tlbs[2];
    const char *tlb_source; /* NULL: not documented */
};

struct uarch;

/* Of a microarchitecture; NULL: it isn't known, or nothing is documented. */
const struct uarch_caches *uarch_caches_of(const struct uarch *uarch);

/* Row by row; NULL after the last. */
const struct uarch_caches *uarch_caches_at(unsigned index);

#endif
