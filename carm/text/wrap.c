/* SPDX-License-Identifier: BSD-3-Clause
 * Text broken between words (see wrap.h). */
#include "wrap.h"

#include <stdbool.h>
#include <string.h>

#include "table.h"

static bool is_number(const char *word, size_t bytes) {
    return bytes > 0 && strspn(word, "0123456789.+-") >= bytes;
}

/* Bytes up to where a line may end: behind a word. A number stays with what it counts: "9.5 %", "58 GB/s". */
static size_t piece_bytes(const char *text) {
    const size_t word = strcspn(text, " \n");
    return text[word] == ' ' && is_number(text, word) ? word + 1 + strcspn(text + word + 1, " \n") : word;
}

void wrap_print(const char *text, size_t columns, const char *indent, FILE *out) {
    size_t column = 0;
    while (*text) {
        const size_t bytes = piece_bytes(text), width = table_width_of(text, bytes);
        if (column && column + 1 + width > columns) {
            fprintf(out, "\n%s%.*s", indent, (int)bytes, text);
            column = table_width(indent) + width;
        } else {
            fprintf(out, "%s%.*s", column ? " " : "", (int)bytes, text);
            column += (column ? 1 : 0) + width;
        }
        text += bytes;
        if (*text == '\n') {
            fputc('\n', out);
            column = 0;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}
