/* SPDX-License-Identifier: BSD-3-Clause
 * Emptied TLBs (see tlb.h). */
#include "tlb.h"
#include "data.h"

#include <sys/mman.h>

#include "bench/kernels/memory.h"

static const uint64_t SMALL_BYTES = TLB_SMALL_PAGES * MEMORY_SMALL_PAGE_BYTES,
                      ALL_BYTES = TLB_SMALL_PAGES * MEMORY_SMALL_PAGE_BYTES + TLB_HUGE_PAGES * MEMORY_HUGE_PAGE_BYTES,
                      LINE_IN_PAGE = 2048; /* arrays and stacks begin and end elsewhere */

bool tlb_open(struct tlb_pages *out, struct error *err) {
    out->base = data_reserve(ALL_BYTES, err);
    if (!out->base)
        return false;
    madvise(out->base, SMALL_BYTES, MADV_NOHUGEPAGE);
    tlb_empty(out); /* the system makes the page tables now, and not before what is timed */
    return true;
}

void tlb_close(struct tlb_pages *pages) {
    data_release(pages->base, ALL_BYTES);
    *pages = (struct tlb_pages){0};
}

void tlb_empty(const struct tlb_pages *pages) {
    const volatile unsigned char *at = pages->base + LINE_IN_PAGE;
    unsigned char seen = 0; /* valgrind leaves out loads whose values are not used */
    for (unsigned page = 0; page < TLB_HUGE_PAGES; page++)
        seen |= at[SMALL_BYTES + page * MEMORY_HUGE_PAGE_BYTES];
    for (unsigned page = 0; page < TLB_SMALL_PAGES; page++)
        seen |= at[page * MEMORY_SMALL_PAGE_BYTES];
    volatile unsigned char used = seen;
    (void)used;
}
