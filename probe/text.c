/* SPDX-License-Identifier: BSD-3-Clause */
#include "text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char CUT[] = "…";

/* Whether it was cut before: it ends with the sign, and three bytes are free at most. A cut text grows no further. */
static bool is_cut(const char *out, size_t length, size_t size) {
    return length + sizeof CUT >= size - 1 && length + 1 >= sizeof CUT &&
           strcmp(out + length + 1 - sizeof CUT, CUT) == 0;
}

void text_append_list(char *out, size_t size, const char *format, va_list arguments) {
    const size_t length = strlen(out);
    if (is_cut(out, length, size))
        return;
    const int added = vsnprintf(out + length, size - length, format, arguments);
    if (added < 0 || (size_t)added < size - length || size < sizeof CUT)
        return;
    size_t end = size - sizeof CUT;
    while (end > 0 && ((unsigned char)out[end] & 0xc0) == 0x80) /* no half of a character */
        end--;
    memcpy(out + end, CUT, sizeof CUT);
}

void text_append(char *out, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_append_list(out, size, format, arguments);
    va_end(arguments);
}
