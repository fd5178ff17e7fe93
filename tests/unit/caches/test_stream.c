/* SPDX-License-Identifier: BSD-3-Clause
 * Computed lines of a stream's records, against a check of each record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bench/count/caches/seen.h"

enum { WORDS = 2 };

/* Records of a group whose base moves by `step`, in the last one by `more` than that. */
static bool find(uint64_t begin, uint64_t step, uint32_t span, unsigned count, uint64_t more,
                 struct record_stream *stream) {
    const struct record_reach reach = {.low = 24, .span = span, .base_mask = UINT64_MAX, .index_at = -1};
    uint64_t records[STREAM_RECORDS * WORDS] = {0};
    for (unsigned i = 0; i < count; i++)
        records[i * WORDS + 1] = begin - 24 + i * step;
    records[(count - 1) * WORDS + 1] += more;
    return stream_find(&reach, records + 1, WORDS, count, stream);
}

static uint64_t records_one_by_one(uint64_t begin, uint64_t step, uint32_t span, unsigned count, uint64_t line) {
    uint64_t records = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t at = begin + i * step;
        records |= (uint64_t)(at / HIERARCHY_LINE_BYTES <= line && (at + span) / HIERARCHY_LINE_BYTES >= line) << i;
    }
    return records;
}

static void tells_which_records_have_a_line(void **state) {
    static const uint64_t steps[] = {0, 1, 8, 24, 63, 64, 65, 100, 256, 500};
    static const unsigned counts[] = {4, 5, 63, 64};
    (void)state;
    for (unsigned s = 0; s < sizeof steps / sizeof *steps; s++)
        for (unsigned c = 0; c < sizeof counts / sizeof *counts; c++)
            for (uint32_t span = steps[s] > 64 ? (uint32_t)steps[s] - 64 : 0; span < 600; span += 37)
                for (uint64_t begin = 1 << 20; begin < (1 << 20) + 128; begin += 5) {
                    struct record_stream stream;
                    const uint64_t end = begin + (counts[c] - 1) * steps[s] + span;
                    assert_true(find(begin, steps[s], span, counts[c], 0, &stream));
                    for (uint64_t line = begin / HIERARCHY_LINE_BYTES; line <= end / HIERARCHY_LINE_BYTES; line++)
                        assert_int_equal(stream_records(&stream, line),
                                         records_one_by_one(begin, steps[s], span, counts[c], line));
                }
}

static void refuses_what_is_none(void **state) {
    struct record_stream stream;
    (void)state;
    assert_true(find(1 << 20, 64, 7, 64, 0, &stream));
    assert_false(find(1 << 20, 64, 7, 64, 8, &stream));            /* it jumps */
    assert_false(find(1 << 20, 64 + 8, 7, 64, 0, &stream));        /* it may skip a line */
    assert_false(find(1 << 20, (uint64_t)-64, 7, 64, 0, &stream)); /* it goes backwards */
}

static void tells_where_the_same_pages_begin(void **state) {
    (void)state;
    for (uint32_t span = 0; span < 3 * HIERARCHY_PAGE_BYTES; span += 127)
        for (uint64_t begin = 1 << 20; begin < (1 << 20) + HIERARCHY_PAGE_BYTES; begin += 13) {
            const uint64_t low = begin / HIERARCHY_PAGE_BYTES, high = (begin + span) / HIERARCHY_PAGE_BYTES;
            uint64_t from;
            const uint64_t width = stream_same_pages(low, high, span, &from);
            for (uint64_t other = begin - HIERARCHY_PAGE_BYTES; other <= begin + HIERARCHY_PAGE_BYTES; other += 61)
                assert_int_equal(other - from < width,
                                 other / HIERARCHY_PAGE_BYTES == low && (other + span) / HIERARCHY_PAGE_BYTES == high);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_which_records_have_a_line),
        cmocka_unit_test(refuses_what_is_none),
        cmocka_unit_test(tells_where_the_same_pages_begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
