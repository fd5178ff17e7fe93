/* SPDX-License-Identifier: BSD-3-Clause
 * Touched lines or pages: each counts once, in any order, as far as there is room. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "bench/caches/footprint.h"

enum { ITEMS = 20000, RANGE = 1 << 16 };

static struct footprint made(size_t bytes) {
    struct footprint footprint;
    footprint_init(&footprint, calloc(1, bytes), bytes);
    return footprint;
}

static uint64_t next(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void add(struct footprint *footprint, uint64_t item) {
    footprint_add_bits(footprint, item / 64, 1ull << item % 64);
}

static void each_item_counts_once(void **state) {
    (void)state;
    struct footprint a = made(1 << 18), b = made(1 << 18), both = made(1 << 18);
    static bool seen[2][RANGE];
    uint64_t random = 1, wanted[2] = {0, 0}, of_both = 0;
    for (unsigned i = 0; i < ITEMS; i++) {
        const unsigned which = i % 2;
        const uint64_t item = next(&random) % RANGE;
        add(which ? &b : &a, item);
        wanted[which] += !seen[which][item];
        of_both += !seen[0][item] && !seen[1][item];
        seen[which][item] = true;
    }
    assert_int_equal(a.item_count, wanted[0]);
    assert_int_equal(b.item_count, wanted[1]);
    footprint_add_all(&both, &a);
    footprint_add_all(&both, &b);
    footprint_add_all(&both, &a);
    assert_int_equal(both.item_count, of_both);
    assert_false(a.incomplete || b.incomplete || both.incomplete);
    free(a.slots), free(b.slots), free(both.slots);
}

/* Far apart, so that each takes its own slot. */
static void a_full_one_says_so(void **state) {
    (void)state;
    struct footprint small = made(64 * sizeof(struct footprint_slot)), large = made(1 << 16);
    for (uint64_t i = 0; i < 32; i++) {
        assert_false(footprint_is_tight(&small));
        add(&small, i * 1000);
    }
    assert_true(footprint_is_tight(&small));
    assert_false(small.incomplete);
    for (uint64_t i = 32; i < 100; i++)
        add(&small, i * 1000);
    assert_true(small.incomplete);
    assert_true(small.item_count < 100);
    footprint_add_all(&large, &small);
    assert_int_equal(large.item_count, small.item_count);
    assert_true(large.incomplete);
    free(small.slots), free(large.slots);
}

/* Several owners in one table, with the same items; lines at both ends of 57-bit addresses. */
static void owners_are_apart(void **state) {
    (void)state;
    enum { OWNERS = 5, SLOTS = 1 << 12, GROUPS = 100 };
    const uint64_t last_line = (1ull << 57) / 64 - 1, last_group = last_line / 64;
    struct footprint table = made(SLOTS * sizeof(struct footprint_slot));
    for (uint32_t owner = 0; owner < OWNERS; owner++)
        for (uint64_t group = 0; group < GROUPS; group++) {
            const uint64_t of =
                footprint_of_owner(group % 2 ? last_group - group : group, FOOTPRINT_OWNERS - 2 - owner);
            assert_false(footprint_has(&table, of, 1));
            footprint_add_bits(&table, of, owner);
            footprint_add_bits(&table, of, owner);
            assert_int_equal(footprint_owner(of), FOOTPRINT_OWNERS - 2 - owner);
            assert_int_equal(footprint_group(of), group % 2 ? last_group - group : group);
        }
    assert_int_equal(table.used_slots, OWNERS * GROUPS);
    assert_int_equal(table.item_count, GROUPS * (0 + 1 + 1 + 2 + 1)); /* bits of 0 to 4 */
    unsigned found = 0;
    for (uint64_t group = 0; group < GROUPS; group += 2)
        found += footprint_has(&table, footprint_of_owner(group, FOOTPRINT_OWNERS - 2 - 3), 3) &&
                 !footprint_has(&table, footprint_of_owner(group, FOOTPRINT_OWNERS - 2 - 3), 4);
    assert_in_range(found, GROUPS / 2 * 3 / 4, GROUPS / 2); /* one probe finds most */
    free(table.slots);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_counts_once),
        cmocka_unit_test(a_full_one_says_so),
        cmocka_unit_test(owners_are_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
