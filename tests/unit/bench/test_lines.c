/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of a program that the test compiles itself: of functions, of inlined code, with the debug information in a
 * separate file, and without any. Skipped without a compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "bench/names/lines.h"
#include "bench/names/symbols.h"
#include "tests/support/folder.h"

/* Marks in the code show where lines should be found: each is a unique `lea`. */
static const char SOURCE[] = "#define MARK(n) __asm__ volatile(\"lea 0x4ca0\" #n \"(%%rax), %%rax\" ::: \"rax\")\n"
                             "static inline __attribute__((always_inline)) void innermost(void) {\n"
                             "    MARK(3);\n" /* line 3 */
                             "}\n"
                             "static inline __attribute__((always_inline)) void inner(void) {\n"
                             "    MARK(2);\n" /* line 6 */
                             "    innermost();\n"
                             "    MARK(4);\n" /* line 8 */
                             "}\n"
                             "__attribute__((noinline)) void outer(void) {\n"
                             "    MARK(1);\n" /* line 11 */
                             "    inner();\n"
                             "    MARK(5);\n" /* line 13 */
                             "}\n"
                             "int main(void) {\n"
                             "    outer();\n"
                             "    return 0;\n"
                             "}\n";
static const struct {
    unsigned line;
    const char *inlined;
} MARKS[] = {{11, ""}, {6, "inner"}, {3, "innermost"}, {8, "inner"}, {13, ""}};
enum { MARK_COUNT = sizeof MARKS / sizeof MARKS[0] };

static bool in_folder(const char *command) {
    char line[1024];
    snprintf(line, sizeof line, "cd %s && { %s; } >/dev/null 2>&1", fixture_folder, command);
    return system(line) == 0;
}

static void path_of(const char *name, char out[256]) {
    snprintf(out, 256, "%s/%s", fixture_folder, name);
}

static bool build(const char *flags) {
    char path[256], command[512];
    path_of("marked.c", path);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fputs(SOURCE, file);
    fclose(file);
    snprintf(command, sizeof command, "cc %s -o marked marked.c", flags);
    return in_folder(command);
}

/* The offset of a mark in the file: lea with a displacement of four bytes. */
static uint64_t offset_of_mark(unsigned mark) {
    static uint8_t bytes[1 << 17];
    char path[256];
    path_of("marked", path);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    const size_t count = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const uint8_t code[] = {0x48, 0x8d, 0x80, (uint8_t)(mark + 1), 0xca, 0x04, 0};
    for (size_t i = 0; i + sizeof code <= count; i++)
        if (memcmp(bytes + i, code, sizeof code) == 0)
            return i;
    fail_msg("mark %u is not there", mark);
    return 0;
}

static void assert_marks(void) {
    char path[256];
    path_of("marked", path);
    struct lines *lines = lines_open(path);
    assert_non_null(lines);
    for (unsigned i = 0; i < MARK_COUNT; i++) {
        struct source_line line;
        assert_true(lines_find(lines, offset_of_mark(i), &line));
        assert_int_equal(line.line, MARKS[i].line);
        assert_string_equal(line.inlined, MARKS[i].inlined);
        assert_string_equal(line.function, "outer");
        const char *slash = strrchr(line.file, '/');
        assert_string_equal(slash ? slash + 1 : line.file, "marked.c");
    }
    struct source_line none;
    assert_false(lines_find(lines, 0, &none));        /* headers */
    assert_false(lines_find(lines, 1u << 30, &none)); /* after its end */
    lines_close(lines);
}

static void lines_and_inlined_functions(void **state) {
    (void)state;
    static const char *const FLAGS[] = {"-g -O2", "-gdwarf-4 -O2", "-g -O1 -no-pie", "-g -O2 -gz"};
    for (size_t i = 0; i < sizeof FLAGS / sizeof FLAGS[0]; i++) {
        if (!build(FLAGS[i]))
            skip();
        assert_marks();
    }
}

static void in_a_file_beside_it(void **state) {
    (void)state;
    if (!build("-g -O2") || !in_folder("objcopy --only-keep-debug marked marked.debug && strip -g marked && objcopy "
                                       "--add-gnu-debuglink=marked.debug marked"))
        skip();
    assert_marks();
}

static void without_any(void **state) {
    (void)state;
    char path[256];
    if (!build("-g0 -O2"))
        skip();
    path_of("marked", path);
    struct lines *lines = lines_open(path);
    struct source_line line;
    if (lines != NULL)
        assert_false(lines_find(lines, offset_of_mark(0), &line));
    lines_close(lines);
    assert_null(lines_open("/no/such/file"));
    path_of("marked.c", path);
    assert_null(lines_open(path));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_and_inlined_functions),
                                       cmocka_unit_test(in_a_file_beside_it), cmocka_unit_test(without_any)};
    return cmocka_run_group_tests(tests, fixture_folder_make, fixture_folder_remove);
}
