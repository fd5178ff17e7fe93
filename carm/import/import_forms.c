/* SPDX-License-Identifier: BSD-3-Clause
 * Forms that are not read (see import_forms.h). */
#include "import_forms.h"

#include <stdbool.h>
#include <string.h>

static const char UTF_16[] = "this is UTF-16, as PowerShell writes it: convert it with iconv -f UTF-16 -t UTF-8";

static const struct binary_form {
    const char *mark;
    size_t length;
    const char *sentence;
} BINARY[] = {
    {"PERFILE2", 8, "this is perf.data of perf record: make counts with perf stat -x,"},
    {"NVR\0", 4, "this is a report of Nsight Compute: print it with ncu --import FILE --csv --page raw"},
    {"SQLite format 3", 16,
     "this is a database, as nvprof -o and nsys export write it: make nvprof's text with nvprof --csv --metrics …, and "
     "the times with nvprof --import FILE --csv --print-gpu-summary"},
    {"\177ELF", 4, "this is a program: give the output of the tool"},
    {"\x1f\x8b", 2, "this file is compressed: unpack it with gunzip"},
    {"PK\3\4", 4, "this is an archive or a workbook: unpack it, or store its table as CSV"},
    {"\xFF\xFE", 2, UTF_16},
    {"\xFE\xFF", 2, UTF_16},
};

static bool begins_line(const char *text, const char *at) {
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == text || at[-1] == '\n' || at[-1] == '\0';
}

static bool has_mark(const char *text, size_t length, const char *mark) {
    const bool at_beginning = *mark == '^';
    const char *end = text + length;
    mark += at_beginning;
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), mark, strlen(mark))); at++)
        if (!at_beginning || begins_line(text, at))
            return true;
    return false;
}

const char *forms_find(const struct unread_form *forms, const char *text, size_t length) {
    for (; forms->mark; forms++)
        if (has_mark(text, length, forms->mark))
            return forms->sentence;
    return NULL;
}

const char *forms_find_binary(const char *bytes, size_t length) {
    for (size_t i = 0; i < sizeof BINARY / sizeof BINARY[0]; i++)
        if (length >= BINARY[i].length && memcmp(bytes, BINARY[i].mark, BINARY[i].length) == 0)
            return BINARY[i].sentence;
    return NULL;
}
