/* SPDX-License-Identifier: BSD-3-Clause
 * Which line of the source an address of an ELF file comes from, and which inlined function: by DWARF, through libdw.
 */
#ifndef BENCH_PROFILE_LINES_H
#define BENCH_PROFILE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Lines of source files as their author wrote them, where those files are on this machine. */

struct source_texts { /* files, each read once; zero to begin with */
    struct source_text *files;
    size_t count;
};

void source_texts_free(struct source_texts *texts);

/* The line (from 1), cut to `size`, tabs as blanks. False: there is no such file, or no such line. */
bool source_texts_line(struct source_texts *texts, const char *path, unsigned line, char *out, size_t size);

/* Whether the file is there and was written after `other` was. */
bool source_texts_newer(const char *path, const char *other);

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
