/* SPDX-License-Identifier: BSD-3-Clause
 * Memory that a program cannot go on without. Where there is none, it says "carmine: out of memory" and ends with
 * status 2, so that no caller has to check. For what reads, models and prints: a file is written beside and renamed,
 * and what is measured has been saved, so that nothing is lost. What others' programs load (the collectors, render/)
 * reports instead.
 */
#ifndef PROBE_NEED_H
#define PROBE_NEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As those of libc, and never NULL; of nothing a byte. To be freed with free(). */
void *need_malloc(size_t bytes);
void *need_calloc(size_t count, size_t size);
void *need_realloc(void *old, size_t bytes);
char *need_strdup(const char *text);

/* getline(), which has no other sign for want of memory than for the file's end: whether there is a line. */
bool need_line(char **line, size_t *bytes, FILE *file);

/* `pointer`, unless it is NULL: for what a library allocated. */
void *need_made(void *pointer);

/* The end, for a library's call that failed for want of memory. */
_Noreturn void need_end(void);

#endif
