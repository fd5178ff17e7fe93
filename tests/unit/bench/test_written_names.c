/* SPDX-License-Identifier: BSD-3-Clause
 * Names of code that a program wrote: perf's map of a process, and a dump of a just-in-time compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/names/written_names.h"

static const char *found(const struct written_names *names, uint64_t address) {
    uint64_t start;
    return written_names_find_start(names, address, &start);
}

static char map[64], dump[64];

static void write_map(const char *text) {
    snprintf(map, sizeof map, "/tmp/perf-%d.map", getpid());
    FILE *file = fopen(map, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void put_u32(FILE *file, uint32_t value) {
    fwrite(&value, sizeof value, 1, file);
}
static void put_u64(FILE *file, uint64_t value) {
    fwrite(&value, sizeof value, 1, file);
}
static void put_record(FILE *file, uint32_t id, uint32_t bytes) {
    put_u32(file, id);
    put_u32(file, 16 + bytes);
    put_u64(file, 0);
    put_u32(file, 1);
    put_u32(file, 1);
}

/* A function at 0x5000, another record, and the function's move to 0x7000; cut by this many bytes. */
static void write_dump(long cut) {
    snprintf(dump, sizeof dump, "/tmp/jit-%d.dump", getpid());
    FILE *file = fopen(dump, "w+");
    assert_non_null(file);
    const uint32_t header[] = {0x4a695444, 1, 40, 62, 0, 1, 0, 0, 0, 0};
    fwrite(header, sizeof header, 1, file);
    put_record(file, 0, 8 + 32 + 6 + 4);
    put_u64(file, 0x5000), put_u64(file, 0x5000), put_u64(file, 0x10), put_u64(file, 1);
    fwrite("moved\0code", 10, 1, file);
    put_record(file, 3, 8);
    put_record(file, 1, 8 + 40);
    put_u64(file, 0x7000), put_u64(file, 0x5000), put_u64(file, 0x7000), put_u64(file, 0x10), put_u64(file, 1);
    fflush(file);
    assert_int_equal(ftruncate(fileno(file), ftell(file) - cut), 0);
    fclose(file);
}

static int clean(void **state) {
    (void)state;
    unlink(map);
    unlink(dump);
    return 0;
}

static void the_map_tells(void **state) {
    (void)state;
    write_map("1000 20 first\n1020 10 a name with spaces\nno line of a map\n1040 0 empty\n");
    struct written_names *names = written_names_open((uint32_t)getpid(), "");
    assert_string_equal(found(names, 0x1000), "first");
    assert_string_equal(found(names, 0x101f), "first");
    assert_string_equal(found(names, 0x102f), "a name with spaces");
    assert_null(found(names, 0x1030));
    assert_null(found(names, 0x1040));
    assert_null(found(names, 0xfff));
    written_names_close(names);
}

static void what_was_put_there_last_counts(void **state) {
    (void)state;
    write_map("2000 100 old\n2040 20 newer\n1ff0 18 newest\n");
    struct written_names *names = written_names_open((uint32_t)getpid(), "");
    assert_string_equal(found(names, 0x2000), "newest");
    assert_string_equal(found(names, 0x2008), "old");
    assert_string_equal(found(names, 0x2050), "newer");
    assert_string_equal(found(names, 0x2060), "old");
    written_names_close(names);
}

static void a_dump_tells_too(void **state) {
    (void)state;
    write_dump(0);
    struct written_names *names = written_names_open((uint32_t)getpid(), dump);
    assert_string_equal(found(names, 0x500f), "moved");
    assert_string_equal(found(names, 0x7000), "moved");
    assert_null(found(names, 0x7010));
    written_names_close(names);
}

static void what_is_cut_tells_what_is_left(void **state) {
    (void)state;
    write_dump(1);
    struct written_names *names = written_names_open((uint32_t)getpid(), dump);
    assert_string_equal(found(names, 0x5000), "moved");
    assert_null(found(names, 0x7000));
    written_names_close(names);
}

static bool is_read(void) {
    struct written_names *names = written_names_open((uint32_t)getpid(), "");
    const bool read = found(names, 0x1000) != NULL;
    written_names_close(names);
    return read;
}

/* Others may write there what they like; root takes it all the same. */
static void files_of_others_are_not_read(void **state) {
    (void)state;
    enum { OTHER = 12345 };
    write_map("1000 20 first\n");
    if (geteuid() != 0 || chown(map, OTHER, OTHER) != 0)
        skip();
    const bool by_root = is_read(), changed = seteuid(OTHER) == 0, own = is_read(), back = seteuid(0) == 0;
    assert_true(by_root && changed && own && back);
    assert_int_equal(chown(map, 0, 0), 0);
    assert_int_equal(seteuid(OTHER), 0);
    const bool foreign = is_read();
    assert_int_equal(seteuid(0), 0);
    assert_false(foreign);
}

static void no_file_is_no_names(void **state) {
    (void)state;
    struct written_names *names = written_names_open((uint32_t)getpid(), "/nonexistent/jit-1.dump");
    assert_null(found(names, 0x1000));
    written_names_close(names);
    written_names_close(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_map_tells, clean),
        cmocka_unit_test_teardown(what_was_put_there_last_counts, clean),
        cmocka_unit_test_teardown(a_dump_tells_too, clean),
        cmocka_unit_test_teardown(what_is_cut_tells_what_is_left, clean),
        cmocka_unit_test_teardown(files_of_others_are_not_read, clean),
        cmocka_unit_test_teardown(no_file_is_no_names, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
