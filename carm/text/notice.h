/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of the program beside its output, on stderr: notices, and on a terminal the status line, one line that is
 * overwritten again and again with the current step and the progress. */
#pragma once

#include <stdbool.h>

/* Whether there is a terminal, and the line is on. If not, callers need not make the text. */
bool status_line_is_seen(void);

/* Replaces the line. A text wider than the terminal is cut and ends in "…". */
void status_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Call before any other output. */
void status_line_clear(void);

/* "carmine: …" on stderr: one line, whatever its names contain. On a terminal it is broken between words. */
void notice_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether notice_print() and the status line are silent from now on. */
void notice_quiet(bool quiet);

/* "carmine run: …": the error that ends a command. */
void notice_error(const char *command, const char *what);
