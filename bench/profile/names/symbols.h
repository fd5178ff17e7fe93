/* SPDX-License-Identifier: BSD-3-Clause
 * Which function an address of an ELF file belongs to. */
#ifndef BENCH_SYMBOLS_H
#define BENCH_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

/* The file's function symbols (.symtab, else .dynsym). A symbol without a size reaches to the next one. NULL when the
 * file can't be read or is no ELF file. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *symbols); /* also of NULL */

/* The offset in the file of an address as the file's own headers tell it; false when the file does not hold it. */
bool symbols_offset(const struct symbols *symbols, uint64_t address, uint64_t *file_offset);

/* The function at an offset in the file, NULL when none covers it. The text lives as long as `symbols`. */
const char *symbols_find(const struct symbols *symbols, uint64_t file_offset);
/* With where in the file it begins. */
const char *symbols_find_start(const struct symbols *symbols, uint64_t file_offset, uint64_t *start);

/* The bytes of the file at an offset, and how many follow in the same segment; NULL when there are none. */
const uint8_t *symbols_code(const struct symbols *symbols, uint64_t file_offset, uint64_t *bytes);

#endif
