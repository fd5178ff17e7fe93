/* SPDX-License-Identifier: BSD-3-Clause
 * Lines and pages that groups come to (see seen.h). */
#include "seen.h"

#include <sys/syscall.h>

#include "bench/count/base/fail.h"
#include "bench/count/base/system.h"

struct seen seen;

void seen_prepare(const struct sampling *of_all) {
    seen.sampling = *of_all;
    const uint64_t classes = seen.sampling.classes;
    for (unsigned span = 0; span < SEEN_SPANS; span++)
        for (unsigned i = 0; i <= span; i++)
            seen.any[span] |= classes >> i | (i ? classes << (64 - i) : 0);
}

void seen_enlarge(struct footprint *footprint) {
    const size_t bytes = footprint->slot_count * sizeof *footprint->slots;
    struct footprint larger;
    footprint_init(&larger, fail_or_map(4 * bytes), 4 * bytes);
    footprint_add_all(&larger, footprint);
    SYSTEM_CALL(SYS_munmap, footprint->slots, bytes);
    *footprint = larger;
}

void seen_add(struct footprint *footprint, uint64_t item, uint64_t recent[CORE_RECENT]) {
    uint64_t *known = &recent[item % CORE_RECENT];
    if (*known == item + 1)
        return;
    *known = item + 1;
    if (footprint_is_tight(footprint))
        seen_enlarge(footprint);
    footprint_add(footprint, item);
}

void seen_page(struct levels_core *core, uint32_t owner, uint64_t page) {
    translation_access(&core->thread.translation, page, &core->thread.counts[owner]);
    seen_add(&core->set->pages, page, core->recent_pages);
}

void seen_lines(struct levels_core *core, uint32_t owner, const struct levels_span *last, uint64_t low, uint64_t high) {
    enum { FEW = 2 };
    uint64_t page = (low > last->low ? last->high : last->low) / LINES_PER_PAGE, first = low, end = high;
    if (first > last->low && first <= last->high && end > last->high)
        first = last->high + 1;
    else if (first < last->low && end >= last->low && end <= last->high)
        end = last->low - 1;
    if (end - first < FEW)
        for (uint64_t line = first; line <= end; line++)
            sampling_see(&core->thread.sampling, line);
    else
        sampling_see_range(&core->thread.sampling, first, end - first + 1);
    for (uint64_t next = first / LINES_PER_PAGE; next <= end / LINES_PER_PAGE; page = next++)
        if (next != page)
            seen_page(core, owner, next);
}
