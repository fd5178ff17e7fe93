/* SPDX-License-Identifier: BSD-3-Clause
 * A command line as its words (see command_words.h). */
#include "command_words.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "carm/text/shell_word.h"
#include "probe/need.h"

enum { FIRST_CAPACITY = 16 };

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

char *command_words_text(const struct command_words *words) {
    char *text = need_strdup("");
    for (size_t i = 0, length = 0; i < words->count; i++) {
        char *word = shell_word(words->list[i]);
        text = need_realloc(text, length + strlen(word) + 2);
        length += (size_t)sprintf(text + length, "%s%s", i > 0 ? " " : "", word);
        free(word);
    }
    return text;
}
