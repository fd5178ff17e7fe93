/* SPDX-License-Identifier: BSD-3-Clause
 * What the tables of commands and options say of themselves: --help, the bash completion, the manual page. */
#ifndef CARM_HELP_H
#define CARM_HELP_H

#include "carm/options/cli.h"

/* On standard output; NULL: of the program. */
void help_print(const struct command *command);

/* A bash script, and a page for man, on standard output. */
void help_print_completion(void);
void help_print_man(void);

#endif
