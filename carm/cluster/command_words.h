/* SPDX-License-Identifier: BSD-3-Clause
 * A command line as its words: built word by word, executed unchanged, and printed for a shell. */
#pragma once

#include <stddef.h>
#include <stdio.h>

struct command_words {
    size_t count, capacity;
    char **list;       /* NULL at the end */
    const char *input; /* a file: its standard input; NULL: none */
};

void command_words_add(struct command_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void command_words_free(struct command_words *words);

/* One text that a shell splits into the same words, quoted if needed. To be freed. */
char *command_words_text(const struct command_words *words);
