/* SPDX-License-Identifier: BSD-3-Clause
 * Quoting for a shell. */
#include "shell_word.h"

#include <string.h>

#include "probe/need.h"

static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";

char *shell_word(const char *word) {
    if (*word && strspn(word, PLAIN) == strlen(word))
        return need_strdup(word);
    char *text = need_malloc(4 * strlen(word) + 3), *end = text;
    *end++ = '\'';
    for (; *word; word++)
        if (*word == '\'')
            end = stpcpy(end, "'\\''");
        else
            *end++ = *word;
    strcpy(end, "'");
    return text;
}
