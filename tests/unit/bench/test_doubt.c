/* SPDX-License-Identifier: BSD-3-Clause
 * The table of doubts: each has a name of its own, a cause and a remedy. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bench/sample/doubt.h"

static void each_is_complete_and_unique(void **state) {
    (void)state;
    uint32_t seen = 0;
    assert_true(doubt_count > 0 && doubt_count <= 32);
    for (size_t i = 0; i < doubt_count; i++) {
        const struct doubt *d = &doubt_table[i];
        assert_true(d->bit != 0 && (d->bit & (d->bit - 1)) == 0);
        assert_false(seen & d->bit);
        seen |= d->bit;
        assert_true(strlen(d->name) > 0 && strlen(d->cause) > 10 && strlen(d->remedy) > 5);
        assert_null(strchr(d->name, ',')); /* names are listed with commas between them */
        assert_null(strchr(d->name, '"'));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(d->name, doubt_table[j].name);
    }
}

static void names_round_trip(void **state) {
    (void)state;
    char text[256];
    for (size_t i = 0; i < doubt_count; i++) {
        assert_ptr_equal(doubt_find(doubt_table[i].name), &doubt_table[i]);
        assert_string_equal(doubt_names(doubt_table[i].bit, text, sizeof text), doubt_table[i].name);
    }
    assert_null(doubt_find("no such doubt"));
    assert_null(doubt_find(""));
    assert_string_equal(doubt_names(0, text, sizeof text), "");
    assert_ptr_equal(doubt_names(DOUBT_TOO_SHORT | DOUBT_UNSTABLE, text, sizeof text), text);
    assert_string_equal(text, "too short, unstable");
}

static void names_are_cut_safely(void **state) {
    (void)state;
    char whole[2048], part[2048];
    doubt_names(~0u, whole, sizeof whole);
    assert_true(strlen(whole) < sizeof whole - 1);
    for (size_t size = 1; size <= strlen(whole) + 2; size++) {
        memset(part, '#', sizeof part);
        doubt_names(~0u, part, size);
        assert_true(strlen(part) < size);
        assert_memory_equal(part, whole, strlen(part));
        assert_int_equal(strlen(part), size - 1 < strlen(whole) ? size - 1 : strlen(whole));
        for (size_t i = size; i < sizeof part; i++)
            assert_int_equal(part[i], '#');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_complete_and_unique),
        cmocka_unit_test(names_round_trip),
        cmocka_unit_test(names_are_cut_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
