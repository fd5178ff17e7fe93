/* SPDX-License-Identifier: BSD-3-Clause
 * One line on the terminal of stderr that is overwritten again and again: the current step and the progress. Writes
 * nothing if stderr is no terminal. */
#ifndef CARM_STATUS_LINE_H
#define CARM_STATUS_LINE_H

#include <stdbool.h>

/* Whether the line is off from now on. */
void status_line_quiet(bool quiet);

/* Whether there is a terminal, and the line is on. If not, callers need not make the text. */
bool status_line_is_seen(void);

/* Replaces the line. A text wider than the terminal is cut and ends in "…". */
void status_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Call before any other output. */
void status_line_clear(void);

/* Columns of the terminal on standard error; 0: no terminal. */
unsigned status_line_columns(void);

#endif
