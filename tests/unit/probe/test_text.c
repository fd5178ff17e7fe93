/* SPDX-License-Identifier: BSD-3-Clause
 * A text that grows: whole where it has room, else its beginning and "…", of whole characters. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "probe/text.h"

static const char WHOLE[] = "1 µs ± 2 % · ≈ 3";

static void grows(void **state) {
    (void)state;
    char out[64] = "";
    text_append(out, sizeof out, "%s", "");
    assert_string_equal(out, "");
    text_append(out, sizeof out, "%d and", 1);
    text_append(out, sizeof out, " %s", "two");
    assert_string_equal(out, "1 and two");
}

/* In every size, added at once and byte by byte: the whole text, or as much of it as fits before "…". */
static void shows_its_cut(void **state) {
    (void)state;
    for (size_t size = 4; size <= sizeof WHOLE + 2; size++)
        for (size_t step = 1; step <= sizeof WHOLE; step += sizeof WHOLE - 1) {
            char out[64] = "";
            out[size] = '#';
            for (size_t at = 0; at < strlen(WHOLE); at += step)
                text_append(out, size, "%.*s", (int)step, WHOLE + at);
            assert_int_equal(out[size], '#');
            if (size >= sizeof WHOLE) {
                assert_string_equal(out, WHOLE);
                continue;
            }
            const size_t kept = strlen(out) - strlen("…");
            assert_true(strlen(out) < size && strlen(out) + 3 >= size);
            assert_string_equal(out + kept, "…");
            assert_memory_equal(out, WHOLE, kept);
            assert_true(((unsigned char)WHOLE[kept] & 0xc0) != 0x80);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(grows), cmocka_unit_test(shows_its_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
