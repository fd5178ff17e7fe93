/* SPDX-License-Identifier: BSD-3-Clause
 * Without elfutils no symbols and no lines of programs are known (see symbols.h, lines.h). */
#include "lines.h"
#include "symbols.h"

#include "probe/error.h"

bool symbols_readable(struct error *err) {
    return error_set(err, BUILT_WITHOUT);
}

struct symbols *symbols_open(const char *path) {
    (void)path;
    return NULL;
}
void symbols_close(struct symbols *symbols) {
    (void)symbols;
}
const char *symbols_find(const struct symbols *symbols, uint64_t file_offset, uint64_t *start) {
    (void)symbols, (void)file_offset, (void)start;
    return NULL;
}
bool symbols_sanitizer(const char *path, char *out, size_t size) {
    (void)path, (void)out, (void)size;
    return false;
}

struct lines *lines_open(const char *path) {
    (void)path;
    return NULL;
}
void lines_close(struct lines *lines) {
    (void)lines;
}
bool lines_find(struct lines *lines, uint64_t file_offset, struct source_line *out) {
    (void)lines, (void)file_offset;
    *out = (struct source_line){.line = 0};
    return false;
}
