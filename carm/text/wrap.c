/* SPDX-License-Identifier: BSD-3-Clause
 * Text broken between words (see wrap.h). */
#include "wrap.h"

#include <stdbool.h>
#include <string.h>

#include "table.h"

static bool is_number(const char *word, size_t bytes) {
    return bytes > 0 && strspn(word, "0123456789.+-") >= bytes;
}

static size_t word_bytes(const char *text) {
    return strcspn(text, " \n");
}

/* Bytes up to where a line may end: behind a word. A number stays with what it counts, "9.5 %", "58 GB/s", and a sign
 * with both of its sides: "0.6 × f64". */
static size_t piece_bytes(const char *text) {
    size_t bytes = word_bytes(text);
    if (text[bytes] == ' ' && is_number(text, bytes))
        bytes += 1 + word_bytes(text + bytes + 1);
    if (text[bytes] == ' ' && bytes >= strlen("×") && strncmp(text + bytes - strlen("×"), "×", strlen("×")) == 0)
        bytes += 1 + word_bytes(text + bytes + 1);
    return bytes;
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
