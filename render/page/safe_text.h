/* SPDX-License-Identifier: BSD-3-Clause
 * Text of others (names in files, paths, what programs say) that is to be shown: a terminal, a browser or a reader of
 * pictures takes some characters for orders. What stands for them:
 *
 *   " "  control characters: C0 with line ends and tabs, DEL, C1 (U+0080 to U+009F)
 *   "?"  what turns the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), other line
 *        ends (U+2028, U+2029), and bytes that are not UTF-8
 *
 * All else is itself, so that safe text stays as it is. It is never longer than before. Pure but for memory. */
#ifndef RENDER_SAFE_TEXT_H
#define RENDER_SAFE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The bytes of the character at `text`, which does not end there; what stands for it in `*instead`, NULL: itself. */
size_t safe_text_next(const char *text, const char **instead);

/* Its number, of one below U+10000 that is valid: as all are that JSON holds and something stands for. */
uint32_t safe_text_code(const char *text);

bool safe_text_is(const char *text);

/* In place. */
void safe_text_clean(char *text);

/* A clean copy, to be freed. NULL without memory. */
char *safe_text_copy(const char *text);

/* Printed as it would be copied. */
void safe_text_print(const char *text, FILE *out);

#endif
