/* SPDX-License-Identifier: BSD-3-Clause
 * Text for LaTeX, in ASCII: with any encoding of the document, and without packages but amsmath's signs. */
#ifndef CARM_LATEX_H
#define CARM_LATEX_H

#include <stdio.h>

/* Prints the text so that LaTeX shows it. Signs without a form in LaTeX (bars, control characters) are left out. */
void latex_print(const char *text, FILE *out);

/* From now on all lines of stdout are comments, but those that latex_line() began. */
void latex_comment_rest(void);

/* Begins a line of LaTeX. */
void latex_line(FILE *out);

#endif
