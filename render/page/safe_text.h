/* SPDX-License-Identifier: BSD-3-Clause
 * Untrusted text (names in files, paths, output of programs) made safe to show: terminals, browsers and readers of
 * pictures interpret some characters. Replacements:
 *
 *   " "  control characters: C0 with line ends and tabs, DEL, C1 (U+0080 to U+009F)
 *   "?"  changes of the writing direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), other line
 *        ends (U+2028, U+2029), characters without a width (U+200B to U+200D, U+2060 to U+2064, U+FEFF) but a joiner
 *        within an emoji, U+FFFE and U+FFFF, and bytes that are not UTF-8
 *
 * All other characters remain, so safe text does not change. The text never grows. Pure but for memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The length in bytes of the character at `text`, which is not at its end. `*instead` becomes its replacement; NULL:
 * none. */
size_t safe_text_next(const char *text, const char **instead);

/* The code of a valid character below U+10000. All characters that JSON holds and that have a replacement are such. */
uint32_t safe_text_code(const char *text);

bool safe_text_is(const char *text);

/* Cleans the text in place. */
void safe_text_clean(char *text);

/* A clean copy, to be freed; NULL: no memory. */
char *safe_text_copy(const char *text);

/* Prints the text as safe_text_copy() cleans it. */
void safe_text_print(const char *text, FILE *out);

/* A character that XML does not accept as it is, "&amp;", for text and attributes; NULL: it needs no replacement. */
const char *xml_entity(char character);

/* ASCII forms of signs, for terminals without UTF-8: "×" is "x", "±" is "+-", a character without a form is "?".
 *
 * The length in bytes of the character at `text`, which is safe text and not at its end. `*plain` becomes its ASCII
 * form; NULL: it is ASCII. `*raised` is false before the first character: the forms of "10⁻⁹" are "10^-9". */
size_t plain_text_next(const char *text, bool *raised, const char **plain);
