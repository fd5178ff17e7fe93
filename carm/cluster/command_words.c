/* SPDX-License-Identifier: BSD-3-Clause
 * A command line as its words (see command_words.h). */
#include "command_words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

enum { FIRST_CAPACITY = 16 };
static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";

void command_words_add(struct command_words *words, const char *format, ...) {
    va_list arguments;
    if (words->count + 2 > words->capacity) {
        words->capacity = words->capacity ? 2 * words->capacity : FIRST_CAPACITY;
        words->list = need_realloc(words->list, words->capacity * sizeof *words->list);
    }
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *word = need_malloc((size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(word, (size_t)length + 1, format, arguments);
    va_end(arguments);
    words->list[words->count++] = word;
    words->list[words->count] = NULL;
}

void command_words_free(struct command_words *words) {
    for (size_t i = 0; i < words->count; i++)
        free(words->list[i]);
    free(words->list);
    *words = (struct command_words){0};
}

/* The end of what was written. */
static char *write_quoted(const char *word, char *out) {
    *out++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            out = stpcpy(out, "'\\''");
        else
            *out++ = *word;
    *out++ = '\'';
    return out;
}

char *command_words_text(const struct command_words *words) {
    size_t bytes = 1;
    for (size_t i = 0; i < words->count; i++)
        bytes += 4 * strlen(words->list[i]) + 3;
    char *text = need_malloc(bytes), *end = text;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->list[i];
        if (i > 0)
            *end++ = ' ';
        end = *word && strspn(word, PLAIN) == strlen(word) ? stpcpy(end, word) : write_quoted(word, end);
    }
    *end = '\0';
    return text;
}
