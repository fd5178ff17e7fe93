/* SPDX-License-Identifier: BSD-3-Clause
 * Text broken between words. */
#pragma once

#include <stddef.h>
#include <stdio.h>

/* Prints lines of up to `columns` characters; a longer word has its own line. '\n' in the text ends a line too. Blanks
 * at its beginning stay. Continued lines begin with `indent`. A number stays with the next word, and × or → with both
 * sides. Ends in '\n'. In Markdown the text is one line. */
void wrap_print(const char *text, size_t columns, const char *indent, FILE *out);

/* The same, limited to the width of tables (carm/text/table.h); no limit in a pipe. */
void wrap_fitted(const char *text, const char *indent, FILE *out);

/* wrap_fitted() of a formatted text. */
void wrap_format(FILE *out, const char *indent, const char *format, ...) __attribute__((format(printf, 3, 4)));
