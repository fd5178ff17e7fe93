/* SPDX-License-Identifier: BSD-3-Clause
 * Allocates memory, or ends the program (see need.h). */
#include "need.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void need_end(void) {
    fputs("carmine: out of memory\n", stderr);
    exit(2);
}

void *need_made(void *pointer) {
    if (!pointer)
        need_end();
    return pointer;
}

void *need_malloc(size_t bytes) {
    return need_made(malloc(bytes + !bytes));
}

void *need_calloc(size_t count, size_t size) {
    return need_made(calloc(count + !count, size));
}

void *need_realloc(void *old, size_t bytes) {
    return need_made(realloc(old, bytes + !bytes));
}

bool need_line(char **line, size_t *bytes, FILE *file) {
    errno = 0;
    const bool got = getline(line, bytes, file) >= 0;
    if (!got && errno == ENOMEM)
        need_end();
    return got;
}

char *need_strdup(const char *text) {
    return need_made(strdup(text));
}
