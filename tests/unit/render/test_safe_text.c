/* SPDX-License-Identifier: BSD-3-Clause
 * Foreign text: the replacement of each unsafe character; all others stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carm/text/csv.h"
#include "render/page/safe_text.h"

static const char *const TEXTS[][2] = {
    {"", ""},
    {"plain, 1.5 × µ · ▲ ά 語 \xf0\x9f\x8c\x8d", "plain, 1.5 × µ · ▲ ά 語 \xf0\x9f\x8c\x8d"},
    {"a\x1b[31mb\x07\x7f", "a [31mb  "},
    {"line\nline\r\tline", "line line  line"},
    {"\xc2\x80\xc2\x85\xc2\x9b\xc2\x9f\xc2\xa0", "    \xc2\xa0"}, /* C1, and the blank that follows it */
    {"\xd8\x9b\xd8\x9c", "\xd8\x9b?"},
    {"\xe2\x80\x8a\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90",
     "\xe2\x80\x8a?????\xe2\x80\x90"},
    {"al\xe2\x80\x8bike al\xe2\x80\x8dike \xef\xbb\xbf alike", "al?ike al?ike ? alike"},
    {"\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xf0\x9f\x91\xa9\xe2\x80\x8d\xe2\x9a\x95\xef\xb8\x8f",
     "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb \xf0\x9f\x91\xa9\xe2\x80\x8d\xe2\x9a\x95\xef\xb8\x8f"},
    {"\xf0\x9f\x91\xa9\xe2\x80\x8d", "\xf0\x9f\x91\xa9?"}, /* joined to nothing */
    {"\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf", "\xef\xbf\xbd??"},
    {"\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae\xe2\x80\xaf",
     "\xe2\x80\xa7???????\xe2\x80\xaf"},
    {"\xe2\x81\x9f\xe2\x81\xa0\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9\xe2\x81\xaa",
     "\xe2\x81\x9f?????\xe2\x81\xaa"},
    {"\x9b"
     "31m\xff",
     "?31m?"},                         /* single bytes */
    {"\xc0\xaf\xe0\x80\x8a", "?????"}, /* longer than necessary */
    {"\xed\xa0\x80", "???"},           /* a surrogate */
    {"cut \xe2\x80", "cut ??"},
};

static void texts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
        char *copy = safe_text_copy(TEXTS[i][0]);
        assert_string_equal(copy, TEXTS[i][1]);
        assert_true(safe_text_is(copy));
        assert_int_equal(safe_text_is(TEXTS[i][0]), strcmp(TEXTS[i][0], TEXTS[i][1]) == 0);
        free(copy);
    }
}

static void cells(void **state) {
    (void)state;
    static const char *const CELLS[][2] = {
        {"", "\"\""},          {"a \"b\", c", "\"a \"\"b\"\", c\""},
        {"=1+1", "\"'=1+1\""}, {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},     {"@x", "\"'@x\""},
        {"\tx", "\"' x\""},    {"\rx", "\"' x\""},
        {"a\nb", "\"a b\""},   {"\xc2\x9b=", "\" =\""},
        {"a-1", "\"a-1\""},
    };
    for (size_t i = 0; i < sizeof CELLS / sizeof CELLS[0]; i++) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        csv_put_text(CELLS[i][0], out);
        csv_put_number(-1.5, 7, out);
        fclose(out);
        assert_int_equal(strncmp(text, CELLS[i][1], strlen(CELLS[i][1])), 0);
        assert_string_equal(text + strlen(CELLS[i][1]), ",-1.5");
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(texts), cmocka_unit_test(cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
