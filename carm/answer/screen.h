/* SPDX-License-Identifier: BSD-3-Clause
 * What answers are drawn with on a terminal: bars, emphasis, a line with something at its right end. */
#ifndef CARM_SCREEN_H
#define CARM_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "render/term/term.h"

/* A bar of at most 16 cells, in eighths where there is Unicode, else in '#'. */
enum { SCREEN_BAR_BYTES = 16 * 3 + 1 };

/* `share` of a bar of so many cells, 0 to 1; what is beyond is drawn as 1. Returns `out`. */
const char *screen_bar(double share, unsigned cells, bool unicode, char out[SCREEN_BAR_BYTES]);

/* On standard output: the left text in bold, where colours are wanted, and the right one at the end of the line; on a line of its own where
 * both do not fit into the terminal's columns. `good`: the right one is green, else yellow. */
void screen_heading(const char *left, const char *right, bool good, const struct plot_terminal *terminal);

/* Columns that a text takes: its characters, a place each. */
size_t screen_width(const char *text);

#endif
