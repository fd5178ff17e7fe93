/* SPDX-License-Identifier: BSD-3-Clause
 * What groups of accesses touch: which of their lines are simulated, the pages (for TLBs and footprint), and the number
 * of lines in each class of the sampling.
 *
 * Most records are skipped: nothing is new in a group that spans the same pages as in its last record and no simulated
 * line. Classes are counted in a part of the records. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reader.h"

#include "bench/caches/access.h"
#include "bench/count/code/record.h"

/* A group of accesses in a run of records, as loops leave them, that moves on by a constant distance. Its lines, and
 * the records that touch a line, are computed without checking each record. */

enum { STREAM_RECORDS = 64 }; /* records checked together: one bit each */

/* The begin of a group, from the words of a record. */
static inline uint64_t stream_begin(const struct record_reach *reach, const uint64_t *words) {
    return (words[reach->base_at] & reach->base_mask) + words[reach->index_at] * reach->scale + (uint64_t)reach->low;
}

/* The begins of a group of this span that touches exactly the pages from `low` to `high`: from `*from` on, as many
 * bytes as are returned. */
static inline uint64_t stream_same_pages(uint64_t low, uint64_t high, uint32_t span, uint64_t *from) {
    const uint64_t first = low * HIERARCHY_PAGE_BYTES, last = first + HIERARCHY_PAGE_BYTES - 1,
                   least = high * HIERARCHY_PAGE_BYTES - span, most = least + HIERARCHY_PAGE_BYTES - 1;
    *from = low == high || first > least ? first : least;
    return (low != high && last < most ? last : most) - *from + 1;
}

/* A group in consecutive records, whose begin moves by a constant distance. */
struct record_stream {
    uint64_t begin, step; /* bytes */
    uint32_t span;        /* bytes after the begin, the same in each record */
    unsigned last;        /* index of the last record */
};

/* Whether the stream skips lines between its first and its last. */
static inline bool stream_leaves_out(const struct record_stream *stream) {
    return stream->step > stream->span + HIERARCHY_LINE_BYTES;
}

/* Whether a group is a stream in `count` records, at least 2, that skips no line. */
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

/* Which records of a stream without skipped lines touch a line. */
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

/* Which lines are sampled, the same for all cores; per span, one bit per class of the first line: any of the lines is
 * sampled. */
struct seen {
    struct sampling sampling;
    uint64_t any[SEEN_SPANS];
};
extern struct seen seen;

/* Call once, with the sampling of all cores. */
void seen_prepare(const struct sampling *of_all);

/* An empty table; `by_code`: separate for each group. */
void seen_make(struct levels_touched *touched, bool by_code);
void seen_unmap(const struct levels_touched *touched);

/* Adds some of 64 neighbouring items that a group touched. Past a size limit, groups are merged. */
void seen_add_bits(struct levels_touched *touched, uint32_t owner, uint64_t neighbours, uint64_t bits);

/* Adds everything from another table. */
void seen_add_all(struct levels_touched *to, const struct levels_touched *more);

/* Adds an item that a group touched: a line, by sampled number, or a page. Most are known already. */
static inline void seen_add(struct levels_touched *touched, uint32_t owner, uint64_t item) {
    const uint64_t bit = 1ull << item % 64;
    if (!footprint_has(&touched->of_groups, footprint_of_owner(item / 64, owner & touched->owner_mask), bit))
        seen_add_bits(touched, owner, item / 64, bit);
}

/* The same item follows soon. */
static inline void seen_announce(const struct levels_touched *touched, uint32_t owner, uint64_t item) {
    const struct footprint *footprint = &touched->of_groups;
    const uint64_t group = footprint_of_owner(item / 64, owner & touched->owner_mask);
    __builtin_prefetch(&footprint->slots[footprint_place(footprint, group)]);
}

/* Begins the next part of the records: chooses whether its classes are counted, and with which weight. */
void seen_begin_part(struct levels_core *core);

/* Adds those pages from the first byte to the last that are new to the group. */
void seen_pages(struct levels_core *core, uint32_t owner, const struct levels_look *look, uint64_t first_byte,
                uint64_t last_byte);

/* Keeps the begin and span of a group's last record; the next record is compared with it. */
void seen_keep(struct levels_core *core, struct levels_look *look, uint64_t begin, uint32_t bytes);

/* The same for one byte of a group that needs a look of its own. */
void seen_keep_byte(struct levels_core *core, struct levels_look *look, uint64_t address);

/* Counts go to another set from now on, in which no page has been touched yet. */
void seen_forget(struct levels_core *core);

/* Counts the classes of the lines that a group touches, except the lines that it spanned last. */
void seen_lines(struct levels_core *core, uint32_t owner, uint64_t low, uint64_t high);

/* Partial records have separate last pages for each group. Most are from a loop's last round, and they advance from
 * round to round like the complete records do. */
static inline struct levels_look *look_of(struct levels_core *core, uint32_t owner, bool whole) {
    return &core->looks[owner + (whole ? (size_t)RECORD_GROUPS_MOST : 0)];
}

/* Every line is simulated; nothing is estimated. */
static inline bool seen_is_exact(void) {
    return seen.sampling.classes == UINT64_MAX;
}

/* A group spans fewer lines than there are classes. */
static inline bool any_sampled(uint64_t low, uint64_t high) {
    return seen.any[(high - low) % SEEN_SPANS] >> low % SAMPLING_CLASSES & 1;
}

/* Whether a group that begins here can be skipped; never true for a group that needs a look of its own. */
static inline bool is_passed(const struct levels_look *look, uint64_t begin) {
    return begin - look->from < look->width && !(look->hits >> begin / HIERARCHY_LINE_BYTES % SAMPLING_CLASSES & 1);
}

/* A group has moved to other pages. */
void seen_move(struct levels_core *core, uint32_t owner, struct levels_look *look, uint64_t begin, uint32_t bytes);

/* Notes the pages of a group that is not skipped. Returns whether any of its lines is simulated. */
static inline bool see_group(struct levels_core *core, uint32_t owner, struct levels_look *look, uint64_t begin,
                             uint32_t bytes) {
    if (begin - look->from >= look->width)
        seen_move(core, owner, look, begin, bytes);
    return any_sampled(begin / HIERARCHY_LINE_BYTES, (begin + bytes) / HIERARCHY_LINE_BYTES);
}
