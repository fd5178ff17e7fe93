/* SPDX-License-Identifier: BSD-3-Clause
 * What the program says beside its output. */
#ifndef CARM_NOTICE_H
#define CARM_NOTICE_H

/* "carmine: …" on stderr: one line, whatever the names in it hold; on a terminal broken between words. */
void notice_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "carmine run: …": the error that ends a command. */
void notice_error(const char *command, const char *what);

#endif
