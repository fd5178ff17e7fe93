/* SPDX-License-Identifier: BSD-3-Clause
 * The table of doubts: each has its own name, a cause and a remedy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/kernels/doubt.h"
#include "tests/support/fixtures.h"

static void each_is_complete_and_unique(void **state) {
    (void)state;
    for (unsigned i = 0; i < DOUBT_COUNT; i++) {
        const struct doubt *d = &doubt_table[i];
        assert_true(strlen(d->name) > 0 && strlen(d->cause) > 10 && strlen(d->remedy) > 5);
        assert_null(strchr(d->name, ',')); /* names are listed with commas between them */
        assert_null(strchr(d->name, '"'));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(d->name, doubt_table[j].name);
    }
}

/* Each one alone, so that no two share a bit, and all others without it. */
static void sets_hold_every_doubt(void **state) {
    (void)state;
    for (unsigned i = 0; i < DOUBT_COUNT; i++) {
        struct doubts one = NO_DOUBTS, rest = doubts_all();
        assert_false(doubts_any(one));
        doubts_add_if(&one, false, i);
        assert_false(doubts_any(one));
        doubts_add_if(&one, true, i);
        doubts_remove(&rest, i);
        for (unsigned j = 0; j < DOUBT_COUNT; j++) {
            assert_int_equal(doubts_has(one, j), i == j);
            assert_int_equal(doubts_has(rest, j), i != j);
        }
        assert_true(doubts_any(one));
        assert_true(doubts_equal(doubts_union(one, rest), doubts_all()));
        assert_false(doubts_equal(rest, doubts_all()));
        assert_false(doubts_any(doubts_common(one, rest)));
        assert_true(doubts_equal(doubts_without(doubts_all(), rest), one));
        assert_true(doubts_has(doubts_of_kind(doubt_table[i].kind), i));
    }
}

/* Files and the index of a fleet rely on the order. */
static void the_first_ones_keep_their_places(void **state) {
    (void)state;
    assert_int_equal(DOUBT_TOO_SHORT, 0);
    assert_int_equal(DOUBT_MEMORY_ELSEWHERE, 15);
    assert_int_equal(DOUBT_KILLED, 30);
}

static void names_round_trip(void **state) {
    (void)state;
    char text[256];
    for (unsigned i = 0; i < DOUBT_COUNT; i++) {
        assert_int_equal(doubt_find(doubt_table[i].name), i);
        assert_string_equal(doubt_names(DOUBTS(i), text, sizeof text), doubt_table[i].name);
    }
    assert_int_equal(doubt_find("no such doubt"), DOUBT_COUNT);
    assert_int_equal(doubt_find(""), DOUBT_COUNT);
    assert_string_equal(doubt_names(NO_DOUBTS, text, sizeof text), "");
    assert_ptr_equal(doubt_names(DOUBTS(DOUBT_UNSTABLE, DOUBT_TOO_SHORT), text, sizeof text), text);
    assert_string_equal(text, "too short, unstable");
}

static void names_are_cut_safely(void **state) {
    (void)state;
    char whole[2048], part[2048];
    doubt_names(doubts_all(), whole, sizeof whole);
    assert_true(strlen(whole) < sizeof whole - 1);
    for (size_t size = 1; size <= strlen(whole) + 2; size++) {
        memset(part, '#', sizeof part);
        doubt_names(doubts_all(), part, size);
        assert_true(strlen(part) < size);
        const size_t length = strlen(part), cut = size > strlen("…") && size <= strlen(whole) ? strlen("…") : 0;
        assert_memory_equal(part, whole, length - cut);
        assert_int_equal(length, size - 1 < strlen(whole) ? size - 1 : strlen(whole));
        assert_string_equal(cut ? part + length - cut : "…", "…");
        for (size_t i = size; i < sizeof part; i++)
            assert_int_equal(part[i], '#');
    }
}

/* docs/agents.md has a row for each doubt, in their order, and no other. */
static void the_page_for_programs_has_each(void **state) {
    (void)state;
    static const char *const KINDS[] = {[DOUBTS_MEASUREMENT] = "measurement",
                                        [DOUBTS_PASSING] = "passing",
                                        [DOUBTS_CONDITION] = "condition",
                                        [DOUBTS_PROGRAM] = "program"};
    char row[2048];
    size_t length;
    char *page = fixture_read("docs/agents.md", &length), *at = strstr(page, "## Warnings");
    assert_non_null(at);
    at = strstr(at, "|---|---|---|---|\n");
    assert_non_null(at);
    at += strlen("|---|---|---|---|\n");
    for (unsigned i = 0; i < DOUBT_COUNT; i++) {
        const struct doubt *d = &doubt_table[i];
        snprintf(row, sizeof row, "| `%s` | %s | %s | %s |\n", d->name, KINDS[d->kind], d->cause, d->remedy);
        if (strncmp(at, row, strlen(row)) != 0)
            fail_msg("docs/agents.md lacks this row at its place: %s", row);
        at += strlen(row);
    }
    assert_string_equal(at, "");
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_complete_and_unique),
        cmocka_unit_test(sets_hold_every_doubt),
        cmocka_unit_test(the_first_ones_keep_their_places),
        cmocka_unit_test(names_round_trip),
        cmocka_unit_test(names_are_cut_safely),
        cmocka_unit_test(the_page_for_programs_has_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
