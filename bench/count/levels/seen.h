/* SPDX-License-Identifier: BSD-3-Clause
 * What groups of accesses come to, whether their lines are simulated or not: which lines and pages, for the classes of
 * the sampling, the TLBs and the footprint. Accesses of a group to the same lines as in its last record tell nothing
 * new. */
#ifndef BENCH_COUNT_SEEN_H
#define BENCH_COUNT_SEEN_H

#include "reader.h"
#include "stream.h"

enum { LINES_PER_PAGE = HIERARCHY_PAGE_BYTES / HIERARCHY_LINE_BYTES, SEEN_SPANS = 64 };

/* Which lines are sampled, of all cores; and by a line's class a bit that says whether any of it and of so many behind
 * it is. */
struct seen {
    struct sampling sampling;
    uint64_t any[SEEN_SPANS];
};
extern struct seen seen;

/* To be called once, with the sampling of all cores. */
void seen_prepare(const struct sampling *of_all);

/* Gives a footprint a larger table. */
void seen_enlarge(struct footprint *footprint);

/* Something new for a footprint, unless it was among the recent ones. */
void seen_add(struct footprint *footprint, uint64_t item, uint64_t recent[CORE_RECENT]);

/* Lines that a group comes to, sampled or not; the last ones are not seen anew. */
void seen_lines(struct levels_core *core, uint32_t owner, const struct levels_span *last, uint64_t low, uint64_t high);
void seen_page(struct levels_core *core, uint32_t owner, uint64_t page);

/* A group reaches over fewer lines than there are classes. */
static inline bool any_sampled(uint64_t low, uint64_t high) {
    return seen.any[(high - low) % SEEN_SPANS] >> low % SAMPLING_CLASSES & 1;
}

/* Of records that were left early, each group has its last lines apart: those of a loop's last round, mostly, which go
 * on from round to round just as those of the others do. */
static inline struct levels_span *span_of(struct levels_core *core, uint32_t owner, bool whole) {
    return &core->spans[2 * (size_t)owner + whole];
}

static inline void keep_span(struct levels_span *span, uint64_t low, uint64_t high, uint32_t bytes) {
    *span = (struct levels_span){.low = low, .high = high, .hit = any_sampled(low, high)};
    span->width = stream_same_lines(low, high, bytes, &span->from);
}

static inline void see(struct levels_core *core, uint32_t owner, const struct levels_span *last, uint64_t low,
                       uint64_t high) {
    if (last->low == low && last->high == high)
        return;
    if (low != high) {
        seen_lines(core, owner, last, low, high);
        return;
    }
    sampling_see(&core->thread.sampling, low);
    if (low / LINES_PER_PAGE != last->low / LINES_PER_PAGE)
        seen_page(core, owner, low / LINES_PER_PAGE);
}

/* A group begins here, and reaches over so many bytes behind; whether any of its lines is simulated. */
static inline bool see_group(struct levels_core *core, uint32_t owner, struct levels_span *last, uint64_t begin,
                             uint32_t bytes) {
    if (begin - last->from >= last->width) {
        const uint64_t low = begin / HIERARCHY_LINE_BYTES, high = (begin + bytes) / HIERARCHY_LINE_BYTES;
        see(core, owner, last, low, high);
        keep_span(last, low, high, bytes);
    }
    return last->hit;
}

#endif
