/* SPDX-License-Identifier: BSD-3-Clause
 * The source line and the inlined function of an address in an ELF file: from DWARF, by libdw. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The text of source lines, for files that are on this machine. */

struct source_texts { /* each file is read once; zero before first use */
    struct source_text *files;
    size_t count;
};

void source_texts_free(struct source_texts *texts);

/* The line (from 1), cut to `size`, tabs as blanks. False: no such file or line. */
bool source_texts_line(struct source_texts *texts, const char *path, unsigned line, char *out, size_t size);

/* Whether the file exists and was written after `other`. */
bool source_texts_newer(const char *path, const char *other);

struct lines;

struct source_line {
    char file[256];     /* as in the debug information; "": unknown */
    char inlined[256];  /* the innermost inlined function, by its linker name; "": none */
    char function[256]; /* the enclosing function, by the debug information; "": unknown */
    unsigned line;
};

/* The debug information in the file itself, or in the separate file that its build-id or debug link names, in the
 * places where libdw looks for one (/usr/lib/debug; DEBUGINFOD_URLS, if set). NULL: there is none. */
struct lines *lines_open(const char *path);
void lines_close(struct lines *lines); /* NULL: no effect */

/* For an offset in the file; false: its line is unknown. */
bool lines_find(struct lines *lines, uint64_t file_offset, struct source_line *out);
