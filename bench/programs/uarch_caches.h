/* SPDX-License-Identifier: BSD-3-Clause
 * Documented properties of a microarchitecture's caches that the machine does not report: inclusion of the levels, and
 * the TLBs for data in pages of 4 KiB. */
#pragma once

#include "bench/profile/profile.h"

struct tlb_size {
    unsigned entries; /* 0: not documented */
    int ways;         /* -1: fully associative, 0: not documented */
};

struct uarch_caches {
    const char *name; /* as in struct uarch */
    enum cache_content l2, l3;
    const char *content_source;
    struct tlb_size tlbs[2];
    const char *tlb_source; /* NULL: not documented */
};

struct uarch;

/* NULL: unknown microarchitecture, or not documented. */
const struct uarch_caches *uarch_caches_of(const struct uarch *uarch);

/* By row; NULL after the last. */
const struct uarch_caches *uarch_caches_at(unsigned index);
