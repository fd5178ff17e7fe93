/* SPDX-License-Identifier: BSD-3-Clause
 * Texts of others as LaTeX prints them, and as cells of a table that LaTeX reads. */
#ifndef RENDER_TEX_TEXT_H
#define RENDER_TEX_TEXT_H

#include <stdio.h>

/* Nothing in it is a command: what LaTeX takes for one is written so that it stands for itself, and what its usual
 * fonts lack becomes "?". */
void tex_text(FILE *out, const char *text);

/* Letters, digits and a few signs; all else, commas too, becomes a blank. */
void tex_cell(FILE *out, const char *text);

#endif
