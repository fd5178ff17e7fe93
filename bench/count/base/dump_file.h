/* SPDX-License-Identifier: BSD-3-Clause
 * The report's file: where it lies, and what it says as long as the counts do not stand in it (bench/profile/dump.h is
 * its format). */
#ifndef BENCH_COUNT_DUMP_FILE_H
#define BENCH_COUNT_DUMP_FILE_H

#include <stdbool.h>

#include "bench/profile/dump.h"

/* Where reports go; kept. */
void dump_prepare(const char *folder);

/* Creates this image's report, incomplete. False: it can't be written. */
bool dump_start(void);

/* The header of an incomplete report; and a header in place of the one that stands there. */
struct dump_header dump_header_now(void);
void dump_put_header(const struct dump_header *header);

/* The report, emptied: a descriptor to write to, negative when there is none. */
long dump_truncate(void);

/* After an exec that failed: the program goes on, so the report is not complete. */
void dump_go_on(void);

/* The report says why the program can't be counted. */
void dump_failure(const char *reason);

/* Announces that this process is about to become another program, or takes that back. */
void dump_announce_exec(const char *program);
void dump_withdraw_exec(void);

#endif
