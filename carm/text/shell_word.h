/* SPDX-License-Identifier: BSD-3-Clause
 * A word of a command line that a person may copy into a shell. */
#ifndef CARM_SHELL_WORD_H
#define CARM_SHELL_WORD_H

/* The word as a shell reads it back: quoted where it has to be. To be freed. Cannot fail. */
char *shell_word(const char *word);

#endif
