/* SPDX-License-Identifier: BSD-3-Clause
 * Simulated caches: equal, event by event, to the simplest lists; set counts that are no power of two; droppable
 * accesses; threads that share a level; conflicts in one set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/naive_caches.h"
#include "tests/support/simulated_caches.h"

enum { OWNERS = 7 };

static const struct hierarchy_geometry MACHINES[] = {
    {1, {{1, 4, 2, CONTENT_FREE, 1, 0}}, {{0, 0}}},
    {2, {{1, 8, 2, CONTENT_FREE, 1, 0}, {2, 16, 4, CONTENT_FREE, 1, 0}}, {{1, 8}, {4, 4}}},
    {3,
     {{1, 4, 3, CONTENT_FREE, 1, 0}, {2, 7, 5, CONTENT_FREE, 1, 0}, {3, 12, 20, CONTENT_FREE, 1, 0}},
     {{2, 3}, {5, 4}}},
    {3,
     {{1, 4, 3, CONTENT_FREE, 1, 0}, {2, 8, 5, CONTENT_FREE, 1, 0}, {3, 12, 20, CONTENT_INCLUSIVE, 1, 0}},
     {{2, 3}, {5, 4}}},
    {3,
     {{1, 4, 3, CONTENT_FREE, 1, 0}, {2, 8, 4, CONTENT_FREE, 1, 0}, {3, 12, 11, CONTENT_VICTIM, 1, 0}},
     {{1, 20}, {0, 0}}},
    {3,
     {{1, 4, 4, CONTENT_FREE, 1, 0}, {2, 8, 2, CONTENT_INCLUSIVE, 1, 0}, {3, 9, 4, CONTENT_VICTIM, 1, 0}},
     {{2, 1}, {2, 9}}},
    {4,
     {{1, 2, 1, CONTENT_FREE, 1, 0},
      {2, 3, 2, CONTENT_INCLUSIVE, 1, 0},
      {3, 4, 3, CONTENT_VICTIM, 1, 0},
      {4, 25, 17, CONTENT_FREE, 1, 0}},
     {{0, 0}}},
    {2, {{1, 64, 8, CONTENT_FREE, 1, 0}, {2, 1, 128, CONTENT_VICTIM, 1, 0}}, {{16, 4}, {128, 12}}},
    {3,
     {{1, 4, 12, CONTENT_FREE, 1, 0}, {2, 4, 16, CONTENT_INCLUSIVE, 1, 0}, {3, 5, 16, CONTENT_VICTIM, 1, 0}},
     {{2, 4}, {1, 12}}},
};
enum { MACHINE_COUNT = sizeof MACHINES / sizeof *MACHINES };

static uint64_t random_state;
static uint64_t random_below(uint64_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % end;
}

/* Hot lines, runs through arrays, and random accesses; addresses within 64 pages. */
static struct memory_access random_access(uint64_t *at) {
    static const uint16_t BYTES[] = {0, 1, 2, 4, 8, 16, 32, 64, 8, 8};
    const uint64_t way = random_below(10);
    *at = way < 3 ? random_below(2048) : way < 8 ? *at + random_below(80) : random_below(64 * 4096);
    const uint64_t kind = random_below(20);
    return (struct memory_access){(1u << 20) + *at % (64 * 4096), (uint32_t)random_below(OWNERS),
                                  BYTES[random_below(10)],
                                  kind < 10   ? ACCESS_LOAD
                                  : kind < 16 ? ACCESS_STORE
                                  : kind < 18 ? ACCESS_UPDATE
                                  : kind < 19 ? ACCESS_NONTEMPORAL
                                              : ACCESS_USED};
}

static void assert_counts_equal(const struct hierarchy_counts *got, const struct hierarchy_counts *wanted) {
    const uint64_t *a = (const uint64_t *)got, *b = (const uint64_t *)wanted;
    for (size_t i = 0; i < sizeof *got / sizeof *a; i++)
        if (a[i] != b[i])
            fail_msg("number %zu is %lu, not %lu", i, a[i], b[i]);
}

/* Each count of each owner after every access, and at the end. */
static void equal_to_lists(void **state) {
    (void)state;
    enum { ACCESSES = 30000 };
    for (unsigned m = 0; m < MACHINE_COUNT; m++) {
        struct naive naive = naive_new(&MACHINES[m], OWNERS);
        struct caches *caches = caches_new(&MACHINES[m], 1, OWNERS, 1, 0);
        uint64_t at = 0;
        random_state = m + 1;
        for (unsigned i = 0; i < ACCESSES; i++) {
            const struct memory_access access = random_access(&at);
            const uint64_t soon[] = {access.address / 64, access.address / 64 + 1};
            naive_access(&naive, &access);
            hierarchy_announce(&caches->threads[0], soon, 2); /* changes nothing */
            hierarchy_take(&caches->threads[0], &access, 1);
            for (uint32_t owner = 0; owner < OWNERS; owner++)
                assert_counts_equal(&caches->threads[0].counts[owner], &naive.counts[owner]);
        }
        hierarchy_end(&caches->threads[0]);
        uint64_t fetched = 0, gone = 0;
        for (uint32_t owner = 0; owner < OWNERS; owner++) {
            const struct hierarchy_counts sum = caches_sum(caches, owner);
            const struct hierarchy_link *memory = &sum.outside[MACHINES[m].level_count - 1];
            fetched += memory->loads + memory->allocates;
            gone += sum.left_lines;
        }
        assert_int_equal(fetched, gone);
        naive_free(&naive);
        caches_delete(caches);
    }
}

/* A line that arrives has no note, or one of its own, which the next level kept. */
static void notes_are_the_lines_own(void **state) {
    (void)state;
    enum { LINES = 2000 };
    unsigned kept = 0;
    static uint64_t line_of[10 * LINES + 1]; /* by note */
    for (unsigned m = 0; m < MACHINE_COUNT; m++) {
        struct caches *caches = caches_new(&MACHINES[m], 1, OWNERS, 1, 0);
        struct hierarchy_thread *thread = &caches->threads[0];
        const struct memory_access store = {.kind = ACCESS_STORE};
        random_state = m + 1;
        for (unsigned i = 0; i < 10 * LINES; i++) {
            const struct memory_access access = {.kind = i % 2 ? ACCESS_STORE : ACCESS_LOAD};
            const uint64_t line = random_below(random_below(2) ? LINES : 20);
            const bool stays = hierarchy_hinted(thread, line);
            struct hierarchy_line *now = hierarchy_touch(thread, line, 1, &access);
            assert_ptr_equal(now, hierarchy_hinted(thread, line));
            if (now->note != 0)
                assert_int_equal(line_of[now->note], line);
            kept += !stays && now->note != 0;
            now->note = i + 1;
            line_of[i + 1] = line;
        }
        hierarchy_forget_notes(thread);
        for (uint64_t line = 0; line < LINES; line++)
            assert_int_equal(hierarchy_touch(thread, line, 1, &store)->note, 0);
        caches_delete(caches);
    }
    assert_true(kept > 0);
}

/* Pages whose numbers end alike are first looked for at the same place. */
static void pages_that_end_alike(void **state) {
    (void)state;
    enum { ACCESSES = 30000 };
    const struct hierarchy_geometry machine = {1, {{1, 4, 2, CONTENT_FREE, 1, 0}}, {{1, 20}, {2, 9}}};
    struct naive naive = naive_new(&machine, OWNERS);
    struct caches *caches = caches_new(&machine, 1, OWNERS, 1, 0);
    for (unsigned i = 0; i < ACCESSES; i++) {
        const uint64_t page = random_below(12) + TRANSLATION_HINTS * random_below(3);
        const struct memory_access access = {page * HIERARCHY_PAGE_BYTES, 0, 8, ACCESS_LOAD};
        naive_access(&naive, &access);
        hierarchy_take(&caches->threads[0], &access, 1);
        assert_counts_equal(&caches->threads[0].counts[0], &naive.counts[0]);
    }
    naive_free(&naive);
    caches_delete(caches);
}

/* Lines that memory sent in the last of three rounds over `count` lines, `stride` bytes apart, by the caches of a Core
 * Duo: 32 KiB of L1, 2 MiB of L2, 8 ways each. */
static uint64_t fetched_again(enum cache_content content, unsigned count, uint64_t stride) {
    const struct hierarchy_geometry core_duo = {
        2, {{1, 64, 8, CONTENT_FREE, 1, 0}, {2, 4096, 8, content, 1, 0}}, {{0, 0}}};
    struct caches *caches = caches_new(&core_duo, 1, 3, 1, 0);
    for (uint32_t round = 0; round < 3; round++)
        for (unsigned i = 0; i < count; i++)
            caches_access(caches, 0, ACCESS_LOAD, (1u << 20) + i * stride, 8, round);
    const uint64_t lines = caches_sum(caches, 2).outside[1].loads;
    caches_delete(caches);
    return lines;
}

/* Lines 256 KiB apart share a set of L2. The ninth evicts the first, and so on around. */
static void nine_lines_of_a_set(void **state) {
    (void)state;
    enum { WAY_BYTES = 4096 * HIERARCHY_LINE_BYTES };
    const enum cache_content contents[] = {CONTENT_FREE, CONTENT_INCLUSIVE};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(fetched_again(contents[i], 8, WAY_BYTES), 0);
        assert_int_equal(fetched_again(contents[i], 9, WAY_BYTES), 9);
        assert_int_equal(fetched_again(contents[i], 64, WAY_BYTES + HIERARCHY_LINE_BYTES), 0);
        assert_int_equal(fetched_again(contents[i], 16, WAY_BYTES / 2), 0);
        assert_int_equal(fetched_again(contents[i], 17, WAY_BYTES / 2), 9);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_to_lists),
        cmocka_unit_test(notes_are_the_lines_own),
        cmocka_unit_test(pages_that_end_alike),
        cmocka_unit_test(nine_lines_of_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
