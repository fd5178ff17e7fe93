/* SPDX-License-Identifier: BSD-3-Clause
 * One line on the terminal behind stderr that is written over again and again: what is being done, and how far it is.
 * Where stderr is no terminal nothing is written. */
#ifndef CARM_STATUS_LINE_H
#define CARM_STATUS_LINE_H

#include <stdbool.h>

/* Whether there is a terminal: else its text need not be made. */
bool status_line_is_seen(void);

/* In place of what the line said before; cut to the terminal's width, and then it ends in "…". */
void status_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* To be called before anything else is printed. */
void status_line_clear(void);

/* Columns of the terminal that standard error is; 0: it is none. */
unsigned status_line_columns(void);

#endif
