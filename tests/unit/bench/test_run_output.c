/* SPDX-License-Identifier: BSD-3-Clause
 * What runs wrote: captured, and compared between native and counted runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "bench/programs/run_output.h"
#include "tests/support/fixtures.h"

/* A run that wrote the text to its standard output `times` times, and then `end`. NULL: no run. */
static struct run_output wrote_much(const char *text, unsigned times, const char *end) {
    struct output_capture capture;
    struct error err;
    if (!text)
        return (struct run_output){0};
    if (!run_output_begin(&capture, &err))
        fail_msg("%s", err.text);
    for (unsigned i = 0; i < times; i++)
        assert_int_equal(write(capture.to[0], text, strlen(text)), strlen(text));
    assert_int_equal(write(capture.to[0], end, strlen(end)), strlen(end));
    return run_output_end(&capture, NULL);
}
static struct run_output wrote(const char *text) {
    return wrote_much(text, 1, "");
}

static struct run_output both(struct run_output a, struct run_output b) {
    struct run_output all = {0};
    run_output_merge(&all, &a);
    run_output_merge(&all, &b);
    assert_int_equal(all.run_count, 2);
    return all;
}

/* `differs`: the difference; NULL: none. */
static void assert_found(struct run_output native, struct run_output counted, struct run_output again,
                         const char *differs, bool varies) {
    char text[512] = "nothing";
    const bool found = run_output_differs(&native, &counted, &again, text, sizeof text);
    if (found != (differs != NULL) || (found && strcmp(text, differs) != 0))
        fail_msg("%s, not %s", text, differs ? differs : "nothing");
    if (run_output_varies(&native, &counted, &again, text, sizeof text) != varies)
        fail_msg("it %s: %s", varies ? "does not vary" : "varies", text);
    run_output_free(&native);
    run_output_free(&counted);
    run_output_free(&again);
}

static void lines_are_compared(void **state) {
    (void)state;
    static const struct {
        const char *native[2], *counted, *again, *differs;
        bool varies;
    } CASES[] = {
        {{"", ""}, "", NULL, NULL, false},
        {{"a\nb\n", "a\nb\n"}, "a\nb\n", NULL, NULL, false},
        {{"a\nb\n", "a\nb\n"},
         "a\nc\n",
         NULL,
         "standard output differs from byte 2 on: \"b\\n\" natively, \"c\\n\" counted",
         false},
        {{"a\nb", "a\nb"},
         "a\nb\n",
         NULL,
         "standard output differs from byte 3 on: nothing natively, \"\\n\" counted",
         false},
        {{"a\n", "a\n"}, "", NULL, "standard output differs from byte 0 on: \"a\\n\" natively, nothing counted", false},
        {{"a\nb\nc\n", "a\nb\nc\n"}, "c\na\nb\n", NULL, NULL, false},      /* another order */
        {{"a\n1 s\nc\n", "a\n2 s\nc\n"}, "c\n3 s\na\n", NULL, NULL, true}, /* and one varies */
        {{"a\n1 s\nc\n", "a\n2 s\nc\n"},
         "d\n1 s\na\n",
         NULL,
         "standard output differs from byte 0 on: \"a\\n1 s\\nc\\n\" natively, \"d\\n1 s\\na\\n\" counted",
         true},
        {{"a\n1 s\nc\n", "a\n1 s\nc\n"}, "c\n2 s\na\n", "c\n4 s\na\n", NULL, true},
        {{"1 s\na\nb\n", "2 s\na\nb\n"},
         "3 s\na\nc\n",
         "4 s\na\nc\n",
         "standard output differs from byte 6 on: \"b\\n\" natively, \"c\\n\" counted",
         true},
        {{"1 s\nb\n", "2 s\nb\n"}, "3 s\nb\n", NULL, NULL, true},
        {{"1 s\nb\n", "2 s\nb\n"},
         "10 s\nc\n",
         NULL,
         "standard output differs from byte 4 on: \"b\\n\" natively, \"c\\n\" counted",
         true},
        {{"1 s\n", "1 s\n"}, "2 s\n", "4 s\n", NULL, true}, /* depends on the clock */
        {{"1 s\nb\n", "1 s\nb\n"},
         "2 s\nc\n",
         "4 s\nc\n",
         "standard output differs from byte 4 on: \"b\\n\" natively, \"c\\n\" counted",
         true},
        {{"a\n", "a\nb\n"}, "c\n", NULL, NULL, true}, /* not as many lines each time */
        {{"a\n", "a\n"}, "a\nb\n", "a\nb\nb\n", NULL, true},
        {{"\x1b[1m\xe9", "\x1b[1m\xe9"},
         "x",
         NULL,
         "standard output differs from byte 0 on: \"\\x1b[1m\\xe9\" natively, \"x\" counted",
         false},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_found(both(wrote(CASES[i].native[0]), wrote(CASES[i].native[1])), wrote(CASES[i].counted),
                     wrote(CASES[i].again), CASES[i].differs, CASES[i].varies);
}

/* Beyond the limits only the length counts; a long line is compared, too. */
static void much_is_compared(void **state) {
    (void)state;
    enum { TIMES = (OUTPUT_BYTES_MOST >> 16) + 3, LINE_BYTES = 1 << 16, SHORT = 40000 };
    char *line = calloc(1, LINE_BYTES + 1);
    memset(line, 'x', LINE_BYTES);
    assert_found(wrote_much(line, TIMES, "a"), wrote_much(line, TIMES, "b"), wrote(NULL), NULL, false);
    assert_found(wrote_much(line, TIMES, "a"), wrote_much(line, TIMES, "bb"), wrote(NULL),
                 "standard output differs in the line at byte 16777216", false);
    assert_found(wrote_much(line, 2, "a"), wrote_much(line, 2, "b"), wrote(NULL),
                 "standard output differs from byte 131072 on: \"a\" natively, \"b\" counted", false);
    assert_found(wrote_much("0123456\n", SHORT, "a\n"), wrote_much("0123456\n", SHORT, "b\n"), wrote(NULL),
                 "standard output differs in the line at byte 320000", false);
    free(line);
}

static struct run_output wrote_file(const char *name, const char *text, const char *left_out) {
    struct output_capture capture;
    struct error err;
    if (!run_output_begin(&capture, &err))
        fail_msg("%s", err.text);
    FILE *file = fopen(name, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return run_output_end(&capture, left_out);
}

static void files_are_compared(void **state) {
    (void)state;
    assert_int_equal(chdir(fixture_folder), 0);
    struct run_output old = wrote_file("old", "an older file\n", NULL);
    run_output_free(&old);
    assert_found(wrote_file("b\033", "1", NULL), wrote_file("b\033", "2", NULL), wrote(NULL),
                 "file b? differs from byte 0 on: \"1\" natively, \"2\" counted", false);
    assert_found(both(wrote_file("c", "1", NULL), wrote_file("c", "2", NULL)), wrote_file("c", "3", NULL), wrote(NULL),
                 NULL, true);
    struct run_output with = wrote_file("d", "1", NULL), without = wrote("");
    assert_found(with, without, wrote(NULL), "file d was not written", false);
    with = wrote_file("d", "1", NULL);
    without = wrote("");
    assert_found(both(with, without), wrote(""), wrote(NULL), NULL, false); /* nor by all native runs */
    assert_found(wrote_file("e", "1", "e"), wrote_file("e", "2", "e"), wrote(NULL), NULL, false); /* our own */
}

/* With a limit of the size of files the streams go nowhere, and the answer says so; files are compared all the same. */
static void a_limit_of_files_is_told(void **state) {
    (void)state;
    struct rlimit before, small;
    char text[512] = "";
    assert_int_equal(chdir(fixture_folder), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 1 << 20;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    struct run_output native = wrote("a\n"), counted = wrote("b\n"), again = {0};
    assert_false(run_output_differs(&native, &counted, &again, text, sizeof text));
    assert_true(run_output_varies(&native, &counted, &again, text, sizeof text));
    assert_string_equal(text, "with `ulimit -f` standard output and standard error were not compared");
    assert_found(wrote_file("f", "1", NULL), wrote_file("f", "2", NULL), wrote(NULL),
                 "file f differs from byte 0 on: \"1\" natively, \"2\" counted", true);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    run_output_free(&native);
    run_output_free(&counted);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_compared), cmocka_unit_test(much_is_compared),
                                       cmocka_unit_test(files_are_compared),
                                       cmocka_unit_test(a_limit_of_files_is_told)};
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
