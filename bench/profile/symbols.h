/* SPDX-License-Identifier: BSD-3-Clause
 * Which function an address of an ELF file belongs to. */
#ifndef BENCH_PROFILE_SYMBOLS_H
#define BENCH_PROFILE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Names of functions as their source has them: of C++ by its runtime, where this machine has one, and of gfortran's
 * modules. */

/* "_ZN5solve3runEv" → "solve::run()" and "__grid_MOD_saxpy" → "grid::saxpy", cut to `size`; any other name as
 * it is. Returns `out`. */
const char *demangle(const char *name, char *out, size_t size);

/* The length of the name without what its function takes: of "solve::run(int) const" 10. */
size_t demangle_short(const char *name);

struct symbols;

/* The file's function symbols (.symtab, else .dynsym). A symbol without a size reaches to the next one. NULL when the
 * file can't be read or is no ELF file. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *symbols); /* also of NULL */

/* The function at an offset in the file, and where in the file it begins; NULL when none covers it. The text lives as
 * long as `symbols`. */
const char *symbols_find(const struct symbols *symbols, uint64_t file_offset, uint64_t *start);

#endif
