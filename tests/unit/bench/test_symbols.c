/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of ELF files: of this program, at known addresses, of the C library, which has only dynamic symbols, and of
 * files that are truncated, changed or not ELF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <link.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/names/symbols.h"

/* Functions as compilers and assembly authors produce them: with a size; without one, up to the next; one within
 * another; several names for one address. */
void sized(void), unsized(void), beyond(void), outer(void), inner(void), plain(void);
__asm__(".pushsection .text\n"
        ".balign 16\n"
        ".globl sized, unsized, beyond, outer, inner, plain, __plain\n"
        ".type sized, @function\n.type unsized, @function\n.type beyond, @function\n"
        ".type outer, @function\n.type inner, @function\n.type plain, @function\n.type __plain, @function\n"
        "sized: .fill 8, 1, 0x90\n"
        ".size sized, 8\n"
        ".fill 8, 1, 0xcc\n" /* no function's */
        "unsized: .fill 16, 1, 0x90\n"
        "beyond: .fill 8, 1, 0x90\n"
        ".size beyond, 8\n"
        "outer: .fill 8, 1, 0x90\n"
        "inner: .fill 8, 1, 0x90\n"
        ".size inner, 8\n"
        ".fill 8, 1, 0x90\n"
        ".size outer, . - outer\n"
        "__plain:\n"
        "plain: .fill 8, 1, 0x90\n"
        ".size plain, 8\n.size __plain, 8\n"
        ".popsection\n");

/* The origin of an address in this process. */
struct origin {
    uintptr_t address;
    char path[4096];
    uint64_t offset;
};

static int find_origin(struct dl_phdr_info *info, size_t size, void *data) {
    struct origin *origin = data;
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        uintptr_t low = info->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD || origin->address < low || origin->address >= low + header->p_filesz)
            continue;
        snprintf(origin->path, sizeof origin->path, "%s",
                 info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe");
        origin->offset = header->p_offset + (origin->address - low);
        return 1;
    }
    return 0;
}

static struct origin origin_of(const void *address) {
    struct origin origin = {.address = (uintptr_t)address};
    assert_int_equal(dl_iterate_phdr(find_origin, &origin), 1);
    return origin;
}

static const char *found(const struct symbols *symbols, uint64_t file_offset) {
    uint64_t start;
    return symbols_find(symbols, file_offset, &start);
}

static const char *name_at(const struct symbols *symbols, void (*function)(void), unsigned ahead) {
    const char *name = found(symbols, origin_of((const char *)(uintptr_t)function + ahead).offset);
    return name != NULL ? name : "none";
}

static void functions_of_this_program(void **state) {
    (void)state;
    struct symbols *symbols = symbols_open("/proc/self/exe");
    assert_non_null(symbols);
    assert_string_equal(name_at(symbols, sized, 0), "sized");
    assert_string_equal(name_at(symbols, sized, 7), "sized");
    assert_string_equal(name_at(symbols, sized, 8), "none");
    assert_string_equal(name_at(symbols, unsized, 0), "unsized");
    assert_string_equal(name_at(symbols, unsized, 15), "unsized");
    assert_string_equal(name_at(symbols, unsized, 16), "beyond");
    assert_string_equal(name_at(symbols, outer, 7), "outer");
    assert_string_equal(name_at(symbols, outer, 8), "inner");
    assert_string_equal(name_at(symbols, outer, 15), "inner");
    assert_string_equal(name_at(symbols, outer, 16), "outer");
    assert_string_equal(name_at(symbols, plain, 0), "plain");
    assert_null(found(symbols, 0));
    assert_null(found(symbols, UINT64_MAX));
    symbols_close(symbols);
}

/* Debian's has no .symtab. */
static void functions_of_the_c_library(void **state) {
    (void)state;
    struct origin origin = origin_of((const void *)(uintptr_t)qsort);
    struct symbols *symbols = symbols_open(origin.path);
    assert_non_null(symbols);
    assert_string_equal(found(symbols, origin.offset), "qsort");
    assert_string_equal(found(symbols, origin.offset + 3), "qsort");
    symbols_close(symbols);
}

static void what_is_no_elf_file_has_none(void **state) {
    (void)state;
    static const char *const paths[] = {"/no/such/file",   "/",           "/dev/null", "/dev/zero",
                                        "/proc/self/maps", "/etc/passwd", ""};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        assert_null(symbols_open(paths[i]));
    symbols_close(NULL);
}

static void write_file(const char *path, const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

static void look_around(const char *path) {
    struct symbols *symbols = symbols_open(path);
    for (uint64_t offset = 0; symbols != NULL && offset < 1 << 16; offset += 97) {
        const char *name = found(symbols, offset);
        assert_true(name == NULL || strlen(name) > 0);
    }
    symbols_close(symbols);
}

/* None may crash the reader. */
static void damaged_files_are_survived(void **state) {
    (void)state;
    enum { CUTS = 150, CHANGES = 300 };
    char path[] = "/tmp/carmine-symbols-XXXXXX";
    struct stat status;
    FILE *self = fopen("/bin/true", "re");
    assert_non_null(self);
    assert_int_equal(fstat(fileno(self), &status), 0);
    size_t count = (size_t)status.st_size;
    uint8_t *bytes = malloc(count);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, count, self), count);
    fclose(self);
    close(mkstemp(path));
    for (size_t i = 0; i < CUTS; i++) {
        write_file(path, bytes, i < 70 ? i : count * i / CUTS);
        look_around(path);
    }
    srand(1);
    for (size_t i = 0; i < CHANGES; i++) {
        size_t at = i % 3 == 0   ? (size_t)rand() % 64
                    : i % 3 == 1 ? (size_t)rand() % 1024
                                 : count - 1 - (size_t)rand() % 2048;
        uint8_t before = bytes[at];
        bytes[at] = (uint8_t)rand();
        write_file(path, bytes, count);
        look_around(path);
        bytes[at] = before;
    }
    unlink(path);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_this_program),
        cmocka_unit_test(functions_of_the_c_library),
        cmocka_unit_test(what_is_no_elf_file_has_none),
        cmocka_unit_test(damaged_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
