/* SPDX-License-Identifier: BSD-3-Clause
 * What the tables of commands and options say of themselves: --help (help.c), the completion of shells (completion.c)
 * and the manual page (manual.c). */
#ifndef CARM_HELP_H
#define CARM_HELP_H

#include "carm/options/cli.h"

/* On standard output; NULL: of the program. */
void help_print(const struct command *command);

/* A script for bash, zsh or fish, on standard output. Error: another shell. */
bool help_print_completion(const char *shell, struct error *err);

/* A page for man, on standard output. */
void help_print_man(void);

#endif
