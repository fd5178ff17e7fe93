/* SPDX-License-Identifier: BSD-3-Clause
 * Text broken between words (see wrap.h). */
#include "wrap.h"

#include <string.h>

void wrap_print(const char *text, size_t columns, const char *indent, FILE *out) {
    size_t column = 0;
    while (*text) {
        const size_t word = strcspn(text, " \n");
        if (column && column + 1 + word > columns) {
            fprintf(out, "\n%s%.*s", indent, (int)word, text);
            column = strlen(indent) + word;
        } else {
            column += (size_t)fprintf(out, "%s%.*s", column ? " " : "", (int)word, text);
        }
        text += word;
        if (*text == '\n') {
            fputc('\n', out);
            column = 0;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}
