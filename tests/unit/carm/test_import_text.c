/* SPDX-License-Identifier: BSD-3-Clause
 * Basic readers for files of other tools: lines, a CSV as in RFC 4180, numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/import/import_text.h"
#include "tests/support/fixtures.h"

static struct import_text open_text(const char *text) {
    struct import_text out;
    struct error err;
    fixture_write(fixture_path("text"), text, strlen(text));
    if (!import_text_read(&out, fixture_path("text"), &err))
        fail_msg("%s", err.text);
    return out;
}

/* The rows as "cell|cell/cell|cell", or the error. */
static const char *rows_of(const char *csv, char separator) {
    static char out[1024];
    struct import_text text = open_text(csv);
    struct csv_row *row = malloc(sizeof *row);
    struct error err = {""};
    *out = '\0';
    while (csv_read(&text, separator, row, &err) && row->count > 0) {
        strcat(out, *out ? "/" : "");
        for (size_t i = 0; i < row->count; i++)
            strcat(strcat(out, i ? "|" : ""), row->cells[i]);
    }
    if (err.text[0])
        snprintf(out, sizeof out, "%s", strrchr(err.text, '/') + 1);
    import_text_free(&text);
    free(row);
    return out;
}

static void csv_as_rfc_4180_has_it(void **state) {
    (void)state;
    assert_string_equal(rows_of("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", ','), "aaa|bbb|ccc/zzz|yyy|xxx");
    assert_string_equal(rows_of("aaa,bbb,ccc\r\nzzz,yyy,xxx", ','), "aaa|bbb|ccc/zzz|yyy|xxx"); /* no last line end */
    assert_string_equal(rows_of("\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx\n", ','), "aaa|bbb|ccc/zzz|yyy|xxx");
    assert_string_equal(rows_of("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx\n", ','), "aaa|b\r\nbb|ccc/zzz|yyy|xxx");
    assert_string_equal(rows_of("\"a,a\",\"b\"\"bb\",c\n", ','), "a,a|b\"bb|c");
    assert_string_equal(rows_of(" a , b c ,\n", ','), " a | b c |"); /* blanks belong to the cell */
    assert_string_equal(rows_of("a,,c\n\n,,\n", ','), "a||c/||");    /* empty lines do not count, empty cells do */
    assert_string_equal(rows_of("\"\",\"\"\"\"\n", ','), "|\"");
    assert_string_equal(rows_of("a;b\tc;\"d;e\"\n", ';'), "a|b\tc|d;e");
    assert_string_equal(rows_of("\xEF\xBB\xBF"
                                "a,b\n",
                                ','),
                        "a|b");
    assert_string_equal(rows_of("a,b\nc,\"d\ne", ','), "text: line 2, column 3: a quote that is never closed; is the "
                                                       "file complete?");
    assert_string_equal(rows_of("a,b\n\"c\"d,e\n", ','), "text: line 2, column 1: text behind the closing quote");
    assert_string_equal(rows_of("a,b\nc,d\"e\"\n", ','), "text: line 2, column 2: a quote in the middle of a cell");
    assert_int_equal(csv_separator("a;b;c,d"), ';');
    assert_int_equal(csv_separator("a\tb,c\td"), '\t');
    assert_int_equal(csv_separator("a|b|c,d"), '|');
    assert_int_equal(csv_separator("a^b^c"), '^');
    assert_int_equal(csv_separator("a"), ',');
}

static void lines_and_rows_share_their_count(void **state) {
    (void)state;
    struct import_text text = open_text("one\r\ntwo\na,\"b\nc\"\nlast");
    struct csv_row *row = malloc(sizeof *row);
    struct error err;
    assert_string_equal(import_text_line(&text), "one");
    assert_string_equal(import_text_line(&text), "two");
    import_text_back(&text);
    assert_int_equal(text.line, 1);
    assert_string_equal(import_text_line(&text), "two");
    assert_true(csv_read(&text, ',', row, &err));
    assert_int_equal(row->line, 3);
    assert_string_equal(import_text_line(&text), "last");
    assert_int_equal(text.line, 5);
    assert_null(import_text_line(&text));
    import_text_free(&text);
    free(row);
}

static void numbers_are_plain_or_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
        const char *trouble; /* NULL: it is a number */
    } CASES[] = {
        {"12", 12, NULL},
        {" 1.5e9 ", 1.5e9, NULL},
        {"+.5", 0.5, NULL},
        {"0", 0, NULL},
        {"", 0, "is missing"},
        {"1,234", 0, "thousands separator"},
        {"1'234", 0, "thousands separator"},
        {"12 GB", 0, "followed by a unit"},
        {"3x", 0, "followed by a unit"},
        {"1.234.567", 0, "several points"},
        {"-1", 0, "is negative"},
        {"1e999", 0, "too large"},
        {"nan", 0, "is not a number"},
        {"inf", 0, "is not a number"},
        {"0x10", 0, "followed by a unit"},
        {"n/a", 0, "is not a number"},
        {"-", 0, "is not a number"},
        {"1e", 0, "followed by a unit"},
        {"11111111111111111111111111111111111111111111111111111111111111111", 0, "too long"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        double value = 0;
        const char *trouble = import_number(CASES[i].text, &value);
        if (!CASES[i].trouble && trouble)
            fail_msg("'%s' %s", CASES[i].text, trouble);
        if (CASES[i].trouble && !trouble)
            fail_msg("'%s' is taken for %g", CASES[i].text, value);
        if (CASES[i].trouble)
            assert_contains(trouble, CASES[i].trouble);
        else
            assert_near(value, CASES[i].value);
    }
    double value = 0;
    assert_null(import_grouped_number("1,234,567.5", &value));
    assert_near(value, 1234567.5);
    assert_null(import_grouped_number("999", &value));
    assert_near(value, 999);
    assert_non_null(import_grouped_number("1,23", &value));
    assert_non_null(import_grouped_number("65,77", &value));
    assert_non_null(import_grouped_number("1234,567", &value));
    assert_int_equal(import_count(3), 3);
    assert_int_equal(import_count(1e300), 0); /* no counter has been there */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_as_rfc_4180_has_it),
        cmocka_unit_test(lines_and_rows_share_their_count),
        cmocka_unit_test(numbers_are_plain_or_refused),
    };
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
