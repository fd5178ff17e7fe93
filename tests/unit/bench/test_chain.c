/* SPDX-License-Identifier: BSD-3-Clause
 * The list of the pointer chase: one cycle over all elements, one random line in each cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/kernels/timing.h"

enum { LINE = 64 };

/* Follows the list from its start; visited[i] counts the visits to cell i. Returns the length of the cycle. */
static uint64_t walk(unsigned char *buffer, uint64_t bytes, unsigned line, void *first, uint64_t cells,
                     unsigned char *visited) {
    uint64_t cell_lines = bytes / line / cells, length = 0;
    void *at = first;
    do {
        unsigned char *element = at;
        assert_true(element >= buffer && element + sizeof(void *) <= buffer + bytes);
        uint64_t offset = (uint64_t)(element - buffer);
        assert_int_equal(offset % line, 0);
        uint64_t cell = offset / line / cell_lines;
        assert_true(cell < cells);
        visited[cell]++;
        at = *(void **)at;
    } while (++length <= cells && at != first);
    return length;
}

static void one_cycle_over_all_cells(void **state) {
    (void)state;
    static const uint64_t sizes[] = {64, 128, 192, 4096, 8192, 48 * 1024, 100 * 1024 + 64, 1 << 20, (1 << 20) + 4096};
    static const unsigned lines[] = {64, 128, 256};
    for (size_t i = 0; i < 2 * 3 * sizeof sizes / sizeof sizes[0]; i++) {
        const bool flush = i % 2;
        const unsigned line = lines[i / 2 % 3];
        const uint64_t bytes = sizes[i / 6], cells = bytes / line;
        if (cells == 0)
            continue;
        unsigned char *buffer = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096), *visited = calloc(cells, 1);
        void *first = chain_build(buffer, bytes, line, flush);
        assert_int_equal(walk(buffer, bytes, line, first, cells, visited), cells);
        for (uint64_t c = 0; c < cells; c++)
            assert_int_equal(visited[c], 1);
        free(visited);
        free(buffer);
    }
}

/* More lines than elements: each element is in a cell of several lines, not always at the same place in it. */
static void cells_of_several_lines(void **state) {
    (void)state;
    uint64_t bytes = (uint64_t)CHAIN_MAX_FLUSHED * 5 * LINE;
    unsigned char *buffer = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096), *visited = calloc(CHAIN_MAX_FLUSHED, 1);
    void *first = chain_build(buffer, bytes, LINE, true), *at = first;
    assert_int_equal(walk(buffer, bytes, LINE, first, CHAIN_MAX_FLUSHED, visited), CHAIN_MAX_FLUSHED);
    uint64_t places[5] = {0};
    for (uint64_t i = 0; i < CHAIN_MAX_FLUSHED; i++, at = *(void **)at) {
        assert_int_equal(visited[i], 1);
        places[(uint64_t)((unsigned char *)at - buffer) / LINE % 5]++;
    }
    for (int i = 0; i < 5; i++)
        assert_in_range(places[i], CHAIN_MAX_FLUSHED / 6, CHAIN_MAX_FLUSHED / 4);
    free(visited);
    free(buffer);
}

/* The number of lines is no multiple of the elements: the cells still reach the buffer's end. */
static void uneven_cells_cover_the_buffer(void **state) {
    (void)state;
    uint64_t lines = CHAIN_MAX_FLUSHED + CHAIN_MAX_FLUSHED / 2 + 7;
    unsigned char *buffer = aligned_alloc(4096, (lines * LINE + 4095) / 4096 * 4096), *furthest = buffer;
    void *first = chain_build(buffer, lines * LINE, LINE, true), *at = first;
    uint64_t length = 0;
    do {
        furthest = (unsigned char *)at > furthest ? at : furthest;
        at = *(void **)at;
    } while (++length <= lines && at != first);
    assert_int_equal(length, CHAIN_MAX_FLUSHED);
    assert_true((uint64_t)(furthest - buffer) / LINE >= lines - 2);
    free(buffer);
}

/* A prefetcher that follows lines or strides must find no pattern. */
static void the_order_is_random(void **state) {
    (void)state;
    enum { BYTES = 1 << 20 };
    unsigned char *buffer = aligned_alloc(4096, BYTES);
    void *at = chain_build(buffer, BYTES, LINE, false);
    ptrdiff_t last_step = 0;
    unsigned same_step = 0, adjacent = 0;
    for (unsigned i = 0; i < BYTES / LINE; i++) {
        void *next = *(void **)at;
        ptrdiff_t step = (unsigned char *)next - (unsigned char *)at;
        same_step += step == last_step;
        adjacent += step == LINE || step == -LINE;
        last_step = step;
        at = next;
    }
    assert_true(same_step < 16);
    assert_true(adjacent < 64);
    free(buffer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_cycle_over_all_cells),
        cmocka_unit_test(cells_of_several_lines),
        cmocka_unit_test(uneven_cells_cover_the_buffer),
        cmocka_unit_test(the_order_is_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
