/* SPDX-License-Identifier: BSD-3-Clause
 * A word of a command line that people can copy into a shell. */
#pragma once

/* The word, quoted if needed. To be freed. Cannot fail. */
char *shell_word(const char *word);
