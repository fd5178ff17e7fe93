/* SPDX-License-Identifier: BSD-3-Clause
 * Writing the report (see dump.h). */
#ifndef BENCH_COUNT_DUMP_WRITE_H
#define BENCH_COUNT_DUMP_WRITE_H

#include <stdbool.h>

/* Where reports go; kept. */
void dump_prepare(const char *folder);

/* Creates this image's report, incomplete. False: it can't be written. */
bool dump_start(void);

/* Writes what was counted. Called under the lock; may be called again. */
void dump_write(void);

/* After an exec that failed: the program goes on, so the report is not complete. */
void dump_go_on(void);

/* The report says why the program can't be counted. */
void dump_failure(const char *reason);

/* Announces that this process is about to become another program, or takes that back. */
void dump_announce_exec(const char *program);
void dump_withdraw_exec(void);

#endif
