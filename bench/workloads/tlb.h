/* SPDX-License-Identifier: BSD-3-Clause
 * A core's TLBs emptied of what a workload uses, by accesses to many other pages (Ofenbeck et al., "Applying the
 * Roofline Model", section III-A). */
#ifndef BENCH_WORKLOADS_TLB_H
#define BENCH_WORKLOADS_TLB_H

#include <stdbool.h>

#include "probe/error.h"

/* Twice the entries of the largest second-level TLB that is documented (4096: Zen 5, AMD 58455), in pages of 4 KiB;
 * and, since Intel's first level has 32 entries apart for pages of 2 MiB, twice these in such pages. */
enum { TLB_SMALL_PAGES = 8192, TLB_HUGE_PAGES = 64 };

struct tlb_pages {
    unsigned char *base; /* 2 MiB aligned: the small ones, then the huge ones */
};

/* Takes address space for them and page tables, but hardly memory: pages that are only read are all the system's one
 * page of zeros. Error: the address space is refused. */
bool tlb_open(struct tlb_pages *out, struct error *err);
void tlb_close(struct tlb_pages *pages);

/* Reads a line of each page, always the same line, so that of the caches' sets no more than one in 64 is used. What
 * comes along is the pages' tables, 64 KiB. */
void tlb_empty(const struct tlb_pages *pages);

#endif
