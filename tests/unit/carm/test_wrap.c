/* SPDX-License-Identifier: BSD-3-Clause
 * Text broken between words: line ends, continuation lines, words longer than a line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carm/text/table.h"

static const char *wrapped(const char *text, size_t columns, const char *indent) {
    static char out[256];
    memset(out, 0, sizeof out);
    FILE *file = fmemopen(out, sizeof out - 1, "w");
    assert_non_null(file);
    wrap_print(text, columns, indent, file);
    fclose(file);
    return out;
}

static void lines_end_between_words(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t columns;
        const char *indent, *wanted;
    } rows[] = {
        {"", 10, "", "\n"},
        {"one two", 10, "", "one two\n"},
        {"one two ten", 11, "", "one two ten\n"}, /* just fits */
        {"one two ten", 10, "", "one two\nten\n"},
        {"one two ten", 7, "  ", "one two\n  ten\n"},
        {"one two ten six", 9, "  ", "one two\n  ten six\n"}, /* the indent counts */
        {"one two ten six", 8, "  ", "one two\n  ten\n  six\n"},
        {"incomprehensible no", 6, "", "incomprehensible\nno\n"},
        {"no incomprehensible", 6, "> ", "no\n> incomprehensible\n"},
        {"one\ntwo ten", 10, "  ", "one\ntwo ten\n"}, /* a paragraph has no indent */
        {"one\n\ntwo", 10, "  ", "one\n\ntwo\n"},
        {"× · …", 5, "", "× · …\n"}, /* characters count, not bytes */
        {"× · …", 4, "·", "× ·\n·…\n"},
        {"lower by 9.5 %", 12, "", "lower by\n9.5 %\n"}, /* a number stays with its unit */
        {"-1 2 3", 4, "", "-1 2\n3\n"},                  /* in a row of them each stays only with the next */
        {"is 13 → 6, 2", 8, "", "is\n13 → 6,\n2\n"},
        {"is 3 × f64", 7, "", "is\n3 × f64\n"},           /* and a sign stays with both sides */
        {"  one two\n two", 5, "", "  one\ntwo\n two\n"}, /* margins stay */
        {"at 3", 3, "", "at\n3\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(wrapped(rows[i].text, rows[i].columns, rows[i].indent), rows[i].wanted);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_end_between_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
