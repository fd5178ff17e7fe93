/* SPDX-License-Identifier: BSD-3-Clause
 * Text tables: which columns are left out if the terminal is too narrow, and in which order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carm/report/screen.h"
#include "tests/support/chance.h"
#include "tests/support/fixtures.h"

/* Four columns of five places each, the second with a letter of three bytes: 26 places in all. */
static char *printed(size_t width, const char *order, bool brief) {
    char *text;
    size_t length;
    struct table table = table_begin("lrll");
    table.width = width;
    table.order = order;
    table.brief = brief;
    for (int r = 0; r < 2; r++) {
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "first");
        table_set(row, 1, r ? "≈1.00" : "ratio");
        table_set(row, 2, r ? "" : "empty");
        table_set(row, 3, "notes");
    }
    FILE *out = open_memstream(&text, &length);
    table_print(&table, out);
    fclose(out);
    return text;
}

/* All columns, however narrow the terminal is. The heading of a table without one is empty. */
static void markdown(void **state) {
    (void)state;
    static const char *const ANSWERS[] = {"\n| name | number |\n|---|--:|\n| a\\|b | 1 |\n\n",
                                          "\n| | |\n|---|--:|\n| name | number |\n| a\\|b | 1 |\n\n"};
    table_use(TABLE_MARKDOWN);
    for (int headless = 0; headless < 2; headless++) {
        struct table table = table_begin("lr");
        table.width = 3, table.headless = headless;
        for (int r = 0; r < 2; r++) {
            char(*row)[TABLE_CELL_BYTES] = table_row(&table);
            table_set(row, 0, r ? "a|b" : "name");
            table_set(row, 1, r ? "1" : "number");
        }
        char *text;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        table_print(&table, out);
        fclose(out);
        assert_string_equal(text, ANSWERS[headless]);
        free(text);
    }
    table_use(TABLE_TEXT);
}

/* Whatever a cell holds, LaTeX reads a table: the signs that it interprets have a backslash or are in mathematics, a
 * row has as many columns as the table, no row begins with an argument of the row before, and no hyphens become a dash.
 * Letters stay, all else is ASCII. */
static void latex(void **state) {
    (void)state;
    static const char *const PARTS[] = {"%", "&", "_", "#", "$", "{",  "}", "~", "^", "\\", "±",
                                        "×", "▲", "█", "*", "a", "7 ", "<", "|", "[", "-",  "é"};
    size_t letters = 0;
    table_use(TABLE_LATEX);
    chance_seed = 11;
    for (int round = 0; round < 500; round++) {
        struct table table = table_begin("lrl");
        for (int r = 0; r < 3; r++) {
            char(*row)[TABLE_CELL_BYTES] = table_row(&table), cell[64];
            for (size_t c = 0; c < 3; c++) {
                cell[0] = '\0';
                for (unsigned n = (unsigned)(chance_next() >> 33) % 6; n > 0; n--)
                    strcat(cell, PARTS[(chance_next() >> 33) % (sizeof PARTS / sizeof *PARTS)]);
                table_set(row, c, "%s", cell);
            }
        }
        char *text;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        table_print(&table, out);
        fclose(out);
        int rows = 0, within = 0, ands = 0;
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            assert_int_equal(*line, '\x01');
            if (strncmp(line + 1, "\\begin", 6) == 0 || strncmp(line + 1, "\\end", 4) == 0 || strstr(line, "rule"))
                continue;
            rows++, within = ands = 0;
            assert_null(strchr("[*", line[1]));
            assert_null(strstr(line, "--"));
            for (const char *at = line + 1; *at; at++) {
                const bool letter = strncmp(at, "é", strlen("é")) == 0;
                letters += letter;
                at += letter;
                assert_true(letter || ((unsigned char)*at < 0x80 && *at >= ' '));
                assert_null(strchr(within ? "%&_#~" : "%_#~^<|", *at));
                ands += *at == '&';
                within ^= *at == '$';
                at += *at == '\\' && strchr("%&_#${}\\", at[1]);
            }
            assert_int_equal(within, 0);
            assert_int_equal(ands, 2);
        }
        assert_int_equal(rows, 3);
        free(text);
    }
    assert_true(letters > 0);
    table_use(TABLE_TEXT);
}

static void columns_go_in_the_stated_order(void **state) {
    static const struct {
        size_t width;
        const char *order, *first_line;
    } rows[] = {
        {0, NULL, "first  ratio  empty  notes\n"},
        {26, NULL, "first  ratio  empty  notes\n"},
        {25, NULL, "first  ratio  empty …\n"}, /* rightmost first */
        {20, NULL, "first  ratio …\n"},        /* with room for its sign */
        {1, NULL, "first …\n"},                /* the first column stays, unbroken */
        {25, "0910", "first  empty  notes …\n"},
        {18, "0910", "first  notes …\n"},
        {11, "0910", "first  notes …\n"}, /* columns that stay may be wider */
        {25, "1000", "ratio  empty  notes …\n"},
        {25, "0110", "first  ratio  notes …\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = printed(rows[i].width, rows[i].order, false);
        if (strncmp(text, rows[i].first_line, strlen(rows[i].first_line)) != 0)
            fail_msg("%zu places: %s", rows[i].width, text);
        free(text);
    }
}

static void empty_columns_take_no_room(void **state) {
    (void)state;
    char *text = printed(19, NULL, true);
    assert_string_equal(text, "first  ratio  notes\nfirst  ≈1.00  notes\n");
    free(text);
}

static void answers_do_not_say_what_they_leave_out(void **state) {
    const struct plot_terminal terminal = {.columns = 60};
    char *text;
    size_t length;
    (void)state;
    FILE *out = open_memstream(&text, &length);
    struct table table = screen_table(&(struct screen){&terminal, out}, "ll", NULL);
    for (int r = 0; r < 2; r++) {
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%30s", "first");
        table_set(row, 1, "%30s", "second");
    }
    table_print(&table, out);
    fclose(out);
    assert_null(strstr(text, "…"));
    assert_null(strstr(text, "second"));
    free(text);
}

/* Names lose their middle; columns that stay do not exceed the screen. */
static void long_names_are_shortened(void **state) {
    static const char *const NAMES[] = {"", "program", "program/große_Funktion<double>:17", "program/abcdefgh"};
    const struct plot_terminal terminal = {.columns = 30};
    char *text;
    size_t length;
    (void)state;
    FILE *out = open_memstream(&text, &length);
    struct table table = screen_table(&(struct screen){&terminal, out}, "lr", "00");
    for (size_t r = 0; r < 4; r++) {
        char(*row)[TABLE_CELL_BYTES] = table_row(&table);
        table_set(row, 0, "%s", NAMES[r]);
        table_set(row, 1, "%s", r ? "12.5 ms" : "time");
    }
    table_print(&table, out);
    fclose(out);
    assert_string_equal(text, "                          time\n"
                              "program                12.5 ms\n"
                              "program/große…ble>:17  12.5 ms\n"
                              "program/abcdefgh       12.5 ms\n");
    free(text);
}

static void tables_keep_to_the_terminal(void **state) {
    (void)state;
    table_fit(18);
    const struct table table = table_begin("l");
    table_fit(0);
    assert_int_equal(table.width, 18);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown),
        cmocka_unit_test(latex),
        cmocka_unit_test(columns_go_in_the_stated_order),
        cmocka_unit_test(empty_columns_take_no_room),
        cmocka_unit_test(answers_do_not_say_what_they_leave_out),
        cmocka_unit_test(long_names_are_shortened),
        cmocka_unit_test(tables_keep_to_the_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
