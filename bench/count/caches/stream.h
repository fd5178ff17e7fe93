/* SPDX-License-Identifier: BSD-3-Clause
 * A group of accesses in a run of records, as a loop leaves them, where it goes on by the same distance each time:
 * which lines that are, and which record comes to a line, follows without a look at each. */
#ifndef BENCH_COUNT_STREAM_H
#define BENCH_COUNT_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/caches/access.h"
#include "bench/count/code/record.h"

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

#endif
