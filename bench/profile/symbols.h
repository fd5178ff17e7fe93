/* SPDX-License-Identifier: BSD-3-Clause
 * Which function an address of an ELF file belongs to. */
#ifndef BENCH_PROFILE_SYMBOLS_H
#define BENCH_PROFILE_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

/* The file's function symbols (.symtab, else .dynsym). A symbol without a size reaches to the next one. NULL when the
 * file can't be read or is no ELF file. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *symbols); /* also of NULL */

/* The function at an offset in the file, and where in the file it begins; NULL when none covers it. The text lives as
 * long as `symbols`. */
const char *symbols_find(const struct symbols *symbols, uint64_t file_offset, uint64_t *start);

#endif
