/* SPDX-License-Identifier: BSD-3-Clause
 * Texts made from the tables of commands and options: --help and the page for programs (help.c), completion scripts
 * (completion.c), manual pages (manual.c). */
#pragma once

#include "carm/options/cli.h"

/* On standard output. NULL: help of the program. */
void help_print(const struct command *command);

/* docs/agents.md, on standard output. */
void help_print_agents(void);

/* A script for bash, zsh or fish, on standard output. Error: another shell. */
bool help_print_completion(const char *shell, struct error *err);

/* A manual page, on standard output. NULL: that of the program. */
void help_print_man(const struct command *command);
