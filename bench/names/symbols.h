/* SPDX-License-Identifier: BSD-3-Clause
 * The function of an address in an ELF file. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/* Function names as in the source: C++ and Rust names by the C++ runtime, if this machine has one, and gfortran's
 * module procedures. */

/* "_ZN5solve3runEv" → "solve::run()", "_ZN2ru4axpy17h0123456789abcdefE" → "ru::axpy" and "__grid_MOD_saxpy" →
 * "grid::saxpy", cut to `size`; other names unchanged. Returns `out`. */
const char *demangle(const char *name, char *out, size_t size);

/* The length of the name without its parameters: 10 for "solve::run(int) const". Go's "main.(*S).Norm" has none. */
size_t demangle_short(const char *name);

/* Whether this build reads symbols and lines at all. Error: it was built without elfutils. */
bool symbols_readable(struct error *err);

struct symbols;

/* The file's function symbols (.symtab, else .dynsym). A symbol without a size extends to the next one. NULL: the file
 * can't be read or is no ELF file. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *symbols); /* NULL: no effect */

/* The function at an offset in the file, and its start in the file; NULL if none covers it. The text lives as long as
 * `symbols`. */
const char *symbols_find(const struct symbols *symbols, uint64_t file_offset, uint64_t *start);

/* Whether the file needs a sanitizer's runtime, as programs do that are built to check themselves. Writes its name
 * ("libasan.so.8") to `out`. */
bool symbols_sanitizer(const char *path, char *out, size_t size);
