/* SPDX-License-Identifier: BSD-3-Clause
 * Memory without which a program cannot continue. If there is none, it prints "carmine: out of memory" and ends with
 * status 2, so no caller has to check. For code that reads, models and prints: it writes files beside and renames
 * them, and saves measurements as they arrive, so nothing is lost. Code that other programs load (the collectors,
 * render/) reports the error instead. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* As those of libc, but never NULL; zero bytes give one byte. Release with free(). */
void *need_malloc(size_t bytes);
void *need_calloc(size_t count, size_t size);
void *need_realloc(void *old, size_t bytes);
char *need_strdup(const char *text);

/* getline(), which reports lack of memory only as the end of the file: whether there is a line. */
bool need_line(char **line, size_t *bytes, FILE *file);

/* `pointer`, unless it is NULL: for pointers that a library allocated. */
void *need_made(void *pointer);

/* Ends the program: for a library's call that failed for lack of memory. */
_Noreturn void need_end(void);
