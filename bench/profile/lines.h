/* SPDX-License-Identifier: BSD-3-Clause
 * Which line of the source an address of an ELF file comes from, and which inlined function: by DWARF, through libdw.
 */
#ifndef BENCH_PROFILE_LINES_H
#define BENCH_PROFILE_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct lines;

struct source_line {
    char file[256];     /* as the debug information has it; "": none is known */
    char inlined[256];  /* the innermost inlined function that the code is of, as its linker would call it; "": none */
    char function[256]; /* that the code is in, by the debug information; "": not known */
    unsigned line;
};

/* The file's own debug information, or that of the separate file that its build-id or its debug link names, where libdw
 * looks for one (/usr/lib/debug; by DEBUGINFOD_URLS, where that is set). NULL: there is none. */
struct lines *lines_open(const char *path);
void lines_close(struct lines *lines); /* also of NULL */

/* At an offset in the file; false: no line is known of it. */
bool lines_find(struct lines *lines, uint64_t file_offset, struct source_line *out);

#endif
