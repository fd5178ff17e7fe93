/* SPDX-License-Identifier: BSD-3-Clause
 * Makes all printed text safe: no character from a name, a path or a system's message can control the terminal
 * (render/page/safe_text.h). Line ends and tabs pass. notice_print(), table_set() and results limit such texts to one
 * line. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Replaces stdout and stderr by filtering streams with the same buffering. Call before any output. `plain`: the
 * terminal has no UTF-8, and all signs are printed in ASCII (plain_text_next()). */
void safe_output_begin(bool plain);

/* From now on standard output is data for a program, in UTF-8 whatever the terminal has. */
void safe_output_data(void);

/* Whether standard output is in ASCII; signs then have the widths of their ASCII forms. */
bool safe_output_plain(void);

/* Prints the program's own colours and erased lines after the output so far. `stream` is stdout or stderr. Other
 * programs' text in it must be safe already. */
void safe_output_own(const char *text, FILE *stream);
