/* SPDX-License-Identifier: BSD-3-Clause
 * Which accesses a recorder may leave out, and how that changes the counts, as bench/caches/access.h states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/simulated_caches.h"

enum { OWNERS = 4, WAYS = 8, SETS = 64 };

static uint64_t random_state;
static uint64_t random_below(uint64_t end) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % end;
}

/* Runs, hot lines and anything, some past the caches; 1 MiB. */
static struct memory_access random_access(uint64_t *at) {
    const uint64_t way = random_below(10), kind = random_below(40);
    *at = (way < 3 ? random_below(32) * 64 : way < 8 ? *at + 8 : random_below(1 << 17) * 8) % (1 << 20);
    return (struct memory_access){(1u << 20) + *at, (uint32_t)random_below(OWNERS), 8,
                                  kind < 25   ? ACCESS_LOAD
                                  : kind < 35 ? ACCESS_STORE
                                  : kind < 39 ? ACCESS_UPDATE
                                              : ACCESS_NONTEMPORAL};
}

/* By set of L1: the line that was accessed last, and whether it was stored to. */
struct last_of_sets {
    uint64_t line[SETS];
    bool stored[SETS];
};
static bool may_drop(struct last_of_sets *last, const struct memory_access *access) {
    const uint64_t line = access->address / 64, set = line % SETS;
    const bool same = last->line[set] == line, stores = access->kind != ACCESS_LOAD;
    if (access->kind == ACCESS_NONTEMPORAL) {
        last->line[set] = same ? 0 : last->line[set]; /* it leaves the caches */
        return false;
    }
    const bool drop = same && (!stores || last->stored[set]);
    last->stored[set] = stores || (same && last->stored[set]);
    last->line[set] = line;
    return drop;
}

static void assert_links_equal(const struct hierarchy_counts *got, const struct hierarchy_counts *wanted) {
    assert_memory_equal(got->outside, wanted->outside, sizeof got->outside);
    assert_int_equal(got->nontemporal_lines, wanted->nontemporal_lines);
    assert_int_equal(got->left_lines, wanted->left_lines);
}

/* Accesses to the line that was last in its set of L1: without them, all links count the same, unless an outer level
 * evicts lines from inner ones. Then the counts are nearly the same. */
static void the_last_of_a_set_may_be_dropped(void **state) {
    (void)state;
    enum { ACCESSES = 300000 };
    static const enum cache_content LAST[] = {CONTENT_FREE, CONTENT_VICTIM, CONTENT_INCLUSIVE};
    for (unsigned each = 0; each < 3; each++) {
        const struct hierarchy_geometry machine = {
            3,
            {{1, SETS, WAYS, CONTENT_FREE, 1, 0}, {2, 512, 4, CONTENT_FREE, 1, 0}, {3, 768, 11, LAST[each], 1, 0}},
            {{0, 0}, {0, 0}}};
        struct caches *all = caches_new(&machine, 1, OWNERS, 1, 0), *some = caches_new(&machine, 1, OWNERS, 1, 0);
        struct last_of_sets last = {{0}, {0}};
        uint64_t at = 0, dropped = 0;
        random_state = each + 1;
        for (unsigned i = 0; i < ACCESSES; i++) {
            const struct memory_access access = random_access(&at);
            const bool drop = may_drop(&last, &access);
            hierarchy_take(&all->threads[0], &access, 1);
            hierarchy_take(&some->threads[0], &access, drop ? 0 : 1);
            dropped += drop;
        }
        assert_in_range(dropped, ACCESSES / 10, ACCESSES);
        for (unsigned t = 0; t < 2; t++)
            hierarchy_end(t ? &all->threads[0] : &some->threads[0]);
        for (uint32_t owner = 0; owner < OWNERS; owner++) {
            const struct hierarchy_counts exact = caches_sum(all, owner), got = caches_sum(some, owner);
            if (LAST[each] != CONTENT_INCLUSIVE) {
                assert_links_equal(&got, &exact);
                continue;
            }
            const uint64_t misses = exact.outside[0].loads, lost = misses - got.outside[0].loads;
            assert_true(got.outside[0].loads <= misses && lost * 200 <= misses);
        }
        caches_delete(all);
        caches_delete(some);
    }
}

/* Loads a hot line before each line of a loop over `lines` of the same set. Returns the loop's misses. */
static uint64_t misses_of_loop(unsigned ways, uint64_t lines, bool with_hot, bool drop_hot) {
    enum { PASSES = 50 };
    const struct hierarchy_geometry machine = {1, {{1, SETS, ways, CONTENT_FREE, 1, 0}}, {{0, 0}, {0, 0}}};
    struct caches *caches = caches_new(&machine, 1, OWNERS, 1, 0);
    for (uint64_t i = 0; i < PASSES * lines; i++) {
        if (with_hot && (i == 0 || !drop_hot))
            caches_access(caches, 0, ACCESS_LOAD, 64 * SETS, 8, 0);
        caches_access(caches, 0, ACCESS_LOAD, 64 * SETS * (2 + i % lines), 8, 1);
    }
    const uint64_t misses = caches_sum(caches, 1).outside[0].loads;
    caches_delete(caches);
    return misses;
}

/* Accesses to the line that the same instruction accessed last: in the simulation without them, such a line may lose
 * its way to others. So the others' misses lie between those with all ways and with one way less. */
static void one_line_of_an_instruction_is_a_way(void **state) {
    (void)state;
    for (uint64_t lines = 1; lines <= 2 * WAYS; lines++) {
        const uint64_t exact = misses_of_loop(WAYS, lines, true, false);
        const uint64_t filtered = misses_of_loop(WAYS, lines, true, true);
        assert_int_equal(exact, misses_of_loop(WAYS - 1, lines, false, false));
        assert_true(misses_of_loop(WAYS, lines, false, false) <= filtered && filtered <= exact);
        if (lines != WAYS)
            assert_in_range(filtered, exact - (lines < WAYS ? 0 : 1), exact);
        else
            assert_true(filtered < exact / 10); /* the only size at which it matters */
    }
}

/* The used part of lines can be added later, wherever the lines are. */
static void use_can_be_told_afterwards(void **state) {
    (void)state;
    const struct hierarchy_geometry machine = {
        2, {{1, SETS, 2, CONTENT_FREE, 1, 0}, {2, SETS, WAYS, CONTENT_FREE, 1, 0}}, {{0, 0}, {0, 0}}};
    struct caches *caches = caches_new(&machine, 1, OWNERS, 1, 0);
    for (uint64_t i = 0; i < 4; i++)
        caches_access(caches, 0, ACCESS_LOAD, 64 * SETS * (i + 1), 8, 0);
    for (uint64_t i = 0; i < 4; i++) /* two lines are only in L2 by now */
        caches_access(caches, 0, ACCESS_USED, 64 * SETS * (i + 1) + 8, 24, 0);
    caches_access(caches, 0, ACCESS_USED, 64 * SETS * 9, 64, 0); /* a line in no cache */
    hierarchy_end(&caches->threads[0]);
    const struct hierarchy_counts sum = caches_sum(caches, 0);
    assert_int_equal(sum.left_lines, 4);
    assert_int_equal(sum.left_used_bytes, 4 * 32);
    assert_int_equal(sum.outside[0].loads, 4);
    caches_delete(caches);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_of_a_set_may_be_dropped),
        cmocka_unit_test(one_line_of_an_instruction_is_a_way),
        cmocka_unit_test(use_can_be_told_afterwards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
