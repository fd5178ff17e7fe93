/* SPDX-License-Identifier: BSD-3-Clause
 * Breaks text between words. */

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "table.h"

static bool is_number(const char *word, size_t bytes) {
    return bytes > 0 && strspn(word, "0123456789.+-") >= bytes;
}

static size_t word_bytes(const char *text) {
    return strcspn(text, " \n");
}

static bool ends_with(const char *text, size_t bytes, const char *sign) {
    return bytes >= strlen(sign) && strncmp(text + bytes - strlen(sign), sign, strlen(sign)) == 0;
}

/* Bytes up to the next possible line end, after a word. A number stays with its unit, "9.5 %", "58 GB/s", and × or →
 * with both sides: "0.6 × f64". */
static size_t piece_bytes(const char *text) {
    size_t bytes = word_bytes(text);
    if (text[bytes] == ' ' && is_number(text, bytes))
        bytes += 1 + word_bytes(text + bytes + 1);
    if (text[bytes] == ' ' && (ends_with(text, bytes, "×") || ends_with(text, bytes, "→")))
        bytes += 1 + word_bytes(text + bytes + 1);
    return bytes;
}

/* Prints the blanks at the beginning of a line. Returns their number. */
static size_t print_margin(const char *text, FILE *out) {
    const size_t blanks = strspn(text, " ");
    fprintf(out, "%.*s", (int)blanks, text);
    return blanks;
}

void wrap_print(const char *text, size_t columns, const char *indent, FILE *out) {
    if (table_form() == TABLE_MARKDOWN) { /* two blanks keep the end of the line */
        fprintf(out, "%s  \n", text);
        return;
    }
    size_t column = print_margin(text, out);
    bool begun = false; /* the line has a word */
    text += column;
    while (*text) {
        const size_t bytes = piece_bytes(text), width = table_width_of(text, bytes);
        if (begun && column + 1 + width > columns) {
            fprintf(out, "\n%s%.*s", indent, (int)bytes, text);
            column = table_width(indent) + width;
        } else {
            fprintf(out, "%s%.*s", begun ? " " : "", (int)bytes, text);
            column += begun + width;
        }
        begun = true;
        text += bytes;
        if (*text == '\n') {
            fputc('\n', out);
            column = print_margin(text + 1, out);
            text += column;
            begun = false;
        }
        text += *text != '\0';
    }
    fputc('\n', out);
}

void wrap_fitted(const char *text, const char *indent, FILE *out) {
    const size_t width = table_usual_width();
    wrap_print(text, width ? width : SIZE_MAX, indent, out);
}

void wrap_format(FILE *out, const char *indent, const char *format, ...) {
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wrap_fitted(text, indent, out);
}
