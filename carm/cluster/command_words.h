/* SPDX-License-Identifier: BSD-3-Clause
 * A command line as its words: made one by one, executed as they are, and printed as a shell takes them. */
#ifndef CARM_COMMAND_WORDS_H
#define CARM_COMMAND_WORDS_H

#include <stddef.h>
#include <stdio.h>

struct command_words {
    size_t count, capacity;
    char **list; /* NULL behind the last */
};

void command_words_add(struct command_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
void command_words_free(struct command_words *words);

/* One text, in which a shell finds the same words: quoted where that is needed. To be freed. */
char *command_words_text(const struct command_words *words);

#endif
