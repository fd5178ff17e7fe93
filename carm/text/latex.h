/* SPDX-License-Identifier: BSD-3-Clause
 * Text for LaTeX: its signs in ASCII, letters in UTF-8; without packages. */
#pragma once

#include <stdio.h>

/* Prints the text so that LaTeX shows it, also at the start of a row, where [ and * have a meaning. Signs without a
 * form in LaTeX (bars, control characters) are left out. */
void latex_print(const char *text, FILE *out);

/* Turns all lines of stdout into comments from now on, except those that begin with latex_line(). */
void latex_comment_rest(void);

/* Begins a line of LaTeX. */
void latex_line(FILE *out);
