/* SPDX-License-Identifier: BSD-3-Clause
 * The terminal's abilities, from its environment. */
#ifndef CARM_TERMINAL_H
#define CARM_TERMINAL_H

#include "cli.h"

#include "render/draw/term.h"

/* Reads --width and --color. Defaults: size of the terminal (or COLUMNS), UTF-8 from LC_ALL, LC_CTYPE or LANG, colours
 * from TERM and COLORTERM; no colours if NO_COLOR is set or standard output is no terminal. From then on tables are
 * limited to --width. */
bool terminal_find(const struct arguments *arguments, struct plot_terminal *out, struct error *err);

/* From now on tables are limited to the width of the terminal on standard output. In a pipe they have no limit. */
void terminal_fit_tables(void);

#endif
