/* SPDX-License-Identifier: BSD-3-Clause
 * Messages of the program beside its output. */
#ifndef CARM_NOTICE_H
#define CARM_NOTICE_H

#include <stdbool.h>

/* "carmine: …" on stderr: one line, whatever its names contain. On a terminal it is broken between words. */
void notice_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether notice_print() and the status line are silent from now on. */
void notice_quiet(bool quiet);

/* "carmine run: …": the error that ends a command. */
void notice_error(const char *command, const char *what);

#endif
