/* SPDX-License-Identifier: BSD-3-Clause
 * Text broken between words. */
#ifndef CARM_WRAP_H
#define CARM_WRAP_H

#include <stddef.h>
#include <stdio.h>

/* Lines of up to `columns` characters, but for a word that is longer; '\n' in the text ends a line too, and blanks that
 * a line of it begins with stay. What a broken line goes on with begins with `indent`. A number stays with the word
 * behind it, and × with both of its sides. Ends in '\n'. */
void wrap_print(const char *text, size_t columns, const char *indent, FILE *out);

/* The same, no wider than tables are (carm/text/table.h); in a pipe as wide as the text. */
void wrap_fitted(const char *text, const char *indent, FILE *out);

#endif
