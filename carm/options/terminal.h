/* SPDX-License-Identifier: BSD-3-Clause
 * The terminal's abilities, from its environment. */
#ifndef CARM_TERMINAL_H
#define CARM_TERMINAL_H

#include "render/draw/term.h"

/* Whether LC_ALL, LC_CTYPE or LANG, the first that is set, names UTF-8. */
bool terminal_has_utf8(void);

/* Columns: COLUMNS, else the terminal's on standard output. UTF-8 by the function above. Colours from TERM and
 * COLORTERM: none if NO_COLOR is set or standard output is no terminal, unless CLICOLOR_FORCE is set (bixense.com). */
struct plot_terminal terminal_find(void);

/* From now on tables are limited to the columns. In a pipe without COLUMNS they have no limit. */
void terminal_fit_tables(void);

#endif
