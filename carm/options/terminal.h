/* SPDX-License-Identifier: BSD-3-Clause
 * What the terminal can show, by its environment. */
#ifndef CARM_TERMINAL_H
#define CARM_TERMINAL_H

#include "cli.h"

#include "render/draw/term.h"

/* The rows of a command's options that terminal_find() reads; --width has other words where pictures have it, too. */
#define CHOICE_COLOR                                                                                                   \
    { "color", 0, "WHEN", "colours in the terminal: {} (default: auto)" }
#define CHOICE_TERMINAL                                                                                                \
    {"width", 0, "N", "of what is drawn in the terminal, in columns (default: the terminal's, at least 60)"},          \
        CHOICE_COLOR

/* Reads --width and --color where they are given; else the size of the terminal (or COLUMNS), UTF-8 by LC_ALL, LC_CTYPE
 * or LANG, and colours by TERM and COLORTERM, none where NO_COLOR is set or standard output is no terminal. Tables keep
 * to
 * --width from then on. */
bool terminal_find(const struct arguments *arguments, struct plot_terminal *out, struct error *err);

/* From now on no table is wider than the terminal that standard output is. In a pipe they are as wide as they need. */
void terminal_fit_tables(void);

#endif
