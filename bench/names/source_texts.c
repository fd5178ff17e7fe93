/* SPDX-License-Identifier: BSD-3-Clause
 * The text of source lines (see lines.h): each file is read as a whole when first needed. */
#include "lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/need.h"

enum { MOST_BYTES = 16 << 20, TAB_COLUMNS = 4 };

struct source_text {
    char path[256];
    char *text; /* NULL: not readable */
    size_t line_count, *starts;
};

/* The zero-terminated content; NULL: not a file, or too long. */
static char *read_whole(const char *path) {
    struct stat status;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *text = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_BYTES) {
        size_t bytes = 0;
        text = need_calloc((size_t)status.st_size + 1, 1);
        for (ssize_t got; (got = read(file, text + bytes, (size_t)status.st_size - bytes)) > 0;)
            bytes += (size_t)got;
    }
    if (file >= 0)
        close(file);
    return text;
}

static void find_starts(struct source_text *file) {
    size_t most = 0;
    for (const char *at = file->text; at != NULL && *at != '\0';) {
        if (file->line_count == most) {
            most = 2 * most + 256;
            file->starts = need_realloc(file->starts, most * sizeof *file->starts);
        }
        file->starts[file->line_count++] = (size_t)(at - file->text);
        const char *end = strchr(at, '\n');
        at = end != NULL ? end + 1 : NULL;
    }
}

static const struct source_text *open_once(struct source_texts *texts, const char *path) {
    for (size_t i = 0; i < texts->count; i++)
        if (strcmp(texts->files[i].path, path) == 0)
            return &texts->files[i];
    texts->files = need_realloc(texts->files, (texts->count + 1) * sizeof *texts->files);
    struct source_text *file = &texts->files[texts->count++];
    *file = (struct source_text){.text = read_whole(path)};
    snprintf(file->path, sizeof file->path, "%s", path);
    find_starts(file);
    return file;
}

bool source_texts_line(struct source_texts *texts, const char *path, unsigned line, char *out, size_t size) {
    const struct source_text *file = open_once(texts, path);
    size_t length = 0;
    out[0] = '\0';
    if (line == 0 || line > file->line_count)
        return false;
    for (const char *at = file->text + file->starts[line - 1]; *at != '\0' && *at != '\n' && length + 1 < size; at++) {
        const bool tab = *at == '\t';
        do
            out[length++] = tab ? ' ' : *at;
        while (tab && length % TAB_COLUMNS != 0 && length + 1 < size);
    }
    while (length > 0 && (out[length - 1] == ' ' || out[length - 1] == '\r'))
        length--;
    out[length] = '\0';
    return true;
}

bool source_texts_newer(const char *path, const char *other) {
    struct stat own, others;
    return stat(path, &own) == 0 && stat(other, &others) == 0 && own.st_mtime > others.st_mtime;
}

void source_texts_free(struct source_texts *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        free(texts->files[i].text);
        free(texts->files[i].starts);
    }
    free(texts->files);
    *texts = (struct source_texts){0};
}
