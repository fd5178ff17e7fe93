/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of source files as their author wrote them, where those files are on this machine. */
#ifndef BENCH_PROFILE_SOURCE_TEXT_H
#define BENCH_PROFILE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct source_texts { /* files, each read once; zero to begin with */
    struct source_text *files;
    size_t count;
};
void source_texts_free(struct source_texts *texts);

/* The line (from 1), cut to `size`, tabs as blanks. False: there is no such file, or no such line. */
bool source_texts_line(struct source_texts *texts, const char *path, unsigned line, char *out, size_t size);

/* Whether the file is there and was written after `other` was. */
bool source_texts_newer(const char *path, const char *other);

#endif
