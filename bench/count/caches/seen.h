/* SPDX-License-Identifier: BSD-3-Clause
 * What groups of accesses come to: which of their lines are simulated; pages, for the TLBs and the footprint; and how
 * many lines of each class of the sampling.
 *
 * Most records are passed over: a group that spans the same pages as in its last record, and no line that is
 * simulated, tells nothing new. Classes are counted in a part of the records. */
#ifndef BENCH_COUNT_SEEN_H
#define BENCH_COUNT_SEEN_H

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

#include "bench/caches/access.h"
#include "bench/count/code/record.h"

/* A group of accesses in a run of records, as a loop leaves them, where it goes on by the same distance each time:
 * which lines that are, and which record comes to a line, follows without a look at each. */

enum { STREAM_RECORDS = 64 }; /* that are looked at together: a bit each */

/* Where a group begins, by the words of a record. */
static inline uint64_t stream_begin(const struct record_reach *reach, const uint64_t *words) {
    return (words[reach->base_at] & reach->base_mask) + words[reach->index_at] * reach->scale + (uint64_t)reach->low;
}

/* Where a group begins that spans just the pages from `low` to `high`, by a byte and so many behind it: at `*from`, or
 * less than what is returned behind it. */
static inline uint64_t stream_same_pages(uint64_t low, uint64_t high, uint32_t span, uint64_t *from) {
    const uint64_t first = low * HIERARCHY_PAGE_BYTES, last = first + HIERARCHY_PAGE_BYTES - 1,
                   least = high * HIERARCHY_PAGE_BYTES - span, most = least + HIERARCHY_PAGE_BYTES - 1;
    *from = low == high || first > least ? first : least;
    return (low != high && last < most ? last : most) - *from + 1;
}

/* A group in records, one behind the other, that begins as far from where it was in each. */
struct record_stream {
    uint64_t begin, step; /* bytes */
    uint32_t span;        /* bytes behind where it begins, in each */
    unsigned last;        /* index of the last record */
};

/* Whether there are lines between its first and its last that it does not come to. */
static inline bool stream_leaves_out(const struct record_stream *stream) {
    return stream->step > stream->span + HIERARCHY_LINE_BYTES;
}

/* Whether a group is one in so many records, 2 at least, that leaves no line out. */
static inline bool stream_find(const struct record_reach *reach, const uint64_t *words, uint16_t record_words,
                               unsigned count, struct record_stream *stream) {
    const uint64_t begin = stream_begin(reach, words), step = stream_begin(reach, words + record_words) - begin;
    uint64_t next = begin;
    *stream = (struct record_stream){begin, step, reach->span, count - 1};
    if (stream_leaves_out(stream))
        return false;
    for (unsigned i = 1; i < count; i++) {
        words += record_words;
        next += step;
        if (stream_begin(reach, words) != next)
            return false;
    }
    return true;
}

/* Which records of a stream, which leaves no line out, have a line. */
static inline uint64_t stream_records(const struct record_stream *stream, uint64_t line) {
    const uint64_t address = line * HIERARCHY_LINE_BYTES, end = address + HIERARCHY_LINE_BYTES - 1,
                   reached = stream->begin + stream->span;
    if (stream->step == 0)
        return UINT64_MAX >> (STREAM_RECORDS - 1 - stream->last);
    const uint64_t from = address <= reached ? 0 : (address - reached + stream->step - 1) / stream->step,
                   until = (end - stream->begin) / stream->step, to = until < stream->last ? until : stream->last;
    return UINT64_MAX >> (STREAM_RECORDS - 1 - to) & UINT64_MAX << from;
}

enum { SEEN_SPANS = 64 };

/* Which lines are sampled, of all cores; and by a line's class a bit that says whether any of it and of so many behind
 * it is. */
struct seen {
    struct sampling sampling;
    uint64_t any[SEEN_SPANS];
};
extern struct seen seen;

/* To be called once, with the sampling of all cores. */
void seen_prepare(const struct sampling *of_all);

/* Nothing touched yet; `by_code`: kept apart by group. */
void seen_make(struct levels_touched *touched, bool by_code);
void seen_unmap(const struct levels_touched *touched);

/* Some of 64 neighbours, which a group came to. Past a limit it is not kept any more which group did. */
void seen_add_bits(struct levels_touched *touched, uint32_t owner, uint64_t neighbours, uint64_t bits);

/* All that others came to. */
void seen_add_all(struct levels_touched *to, const struct levels_touched *more);

/* A line, by its sampled number, or a page, that a group came to. Most are known. */
static inline void seen_add(struct levels_touched *touched, uint32_t owner, uint64_t item) {
    const uint64_t bit = 1ull << item % 64;
    if (!footprint_has(&touched->of_groups, footprint_of_owner(item / 64, owner & touched->owner_mask), bit))
        seen_add_bits(touched, owner, item / 64, bit);
}

/* The next part of the records begins: whether classes are counted in it, and with which weight. */
void seen_begin_part(struct levels_core *core);

/* A group comes to all bytes from the first to the last: which pages are new to it. */
void seen_pages(struct levels_core *core, uint32_t owner, const struct levels_look *look, uint64_t first_byte,
                uint64_t last_byte);

/* The same, with its last record, of so many bytes behind where it begins: the next one is compared with that. */
void seen_keep(struct levels_core *core, struct levels_look *look, uint64_t begin, uint32_t bytes);

/* The same with a byte of a group that is looked at by itself. */
void seen_keep_byte(struct levels_core *core, struct levels_look *look, uint64_t address);

/* Whoever is counted for from now on has come to no pages yet. */
void seen_forget(struct levels_core *core);

/* Classes of lines that a group comes to; the last ones are not counted anew. */
void seen_lines(struct levels_core *core, uint32_t owner, uint64_t low, uint64_t high);

/* Of records that were left early, each group has its last pages apart: those of a loop's last round, mostly, which go
 * on from round to round just as those of the others do. */
static inline struct levels_look *look_of(struct levels_core *core, uint32_t owner, bool whole) {
    return &core->looks[owner + (whole ? (size_t)RECORD_GROUPS_MOST : 0)];
}

/* Every line is simulated, so that nothing is to be estimated. */
static inline bool seen_is_exact(void) {
    return seen.sampling.classes == UINT64_MAX;
}

/* A group reaches over fewer lines than there are classes. */
static inline bool any_sampled(uint64_t low, uint64_t high) {
    return seen.any[(high - low) % SEEN_SPANS] >> low % SAMPLING_CLASSES & 1;
}

/* Whether a group that begins here can be passed over. One that is looked at alone never is. */
static inline bool is_passed(const struct levels_look *look, uint64_t begin) {
    return begin - look->from < look->width && !(look->hits >> begin / HIERARCHY_LINE_BYTES % SAMPLING_CLASSES & 1);
}

/* One that is not: notes its pages. Returns whether any of its lines is simulated. */
static inline bool see_group(struct levels_core *core, uint32_t owner, struct levels_look *look, uint64_t begin,
                             uint32_t bytes) {
    if (begin - look->from >= look->width) {
        seen_pages(core, owner, look, begin, begin + bytes);
        seen_keep(core, look, begin, bytes);
    }
    return any_sampled(begin / HIERARCHY_LINE_BYTES, (begin + bytes) / HIERARCHY_LINE_BYTES);
}

#endif
