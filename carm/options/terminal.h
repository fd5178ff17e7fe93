/* SPDX-License-Identifier: BSD-3-Clause
 * What the terminal can show, by its environment. */
#ifndef CARM_TERMINAL_H
#define CARM_TERMINAL_H

#include "render/term/term.h"
#include "cli.h"

/* Reads --width and --color where they are given; else the size of the terminal (or COLUMNS), UTF-8 by LC_ALL, LC_CTYPE
 * or LANG, and colours by TERM and COLORTERM, none where NO_COLOR is set or standard output is no terminal. */
bool terminal_find(const struct arguments *arguments, struct plot_terminal *out, struct error *err);

#endif
