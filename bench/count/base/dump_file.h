/* SPDX-License-Identifier: BSD-3-Clause
 * The file of the report, in the format of bench/profile/dump.h: where it lies, and what it says before the counts are
 * written. */
#ifndef BENCH_COUNT_DUMP_FILE_H
#define BENCH_COUNT_DUMP_FILE_H

#include <stdbool.h>

#include "bench/profile/dump.h"
#include "probe/marks/ranks.h"

/* Sets the folder that reports go to, the text is copied, and the rank that the process is. To be called once, first.
 */
void dump_prepare(const char *folder, struct rank rank);

/* The path of the program, where /proc/self/exe does not name it; the text is borrowed. */
void dump_set_program(const char *path);

/* Creates the report of the program that this process executes now; it says of itself that it is incomplete. False: it
 * cannot be written. */
bool dump_start(void);

/* The header of an incomplete report of this process, as of now. */
struct dump_header dump_header_now(void);

/* Writes a header over the one in the file. */
void dump_put_header(const struct dump_header *header);

/* Empties the report and opens it. Gives the descriptor to write to, which the caller closes; negative: it cannot be
 * opened. */
long dump_truncate(void);

/* While it is true a file beyond `ulimit -f` is an error, and not the program's end; does not nest. */
void dump_fail_writes(bool fail);

/* To be called after an exec that failed: the program goes on, so the report is incomplete again. */
void dump_go_on(void);

/* To be called when a thread begins, which may come after the end of the last one that was known: a report that was
 * written is incomplete again. */
void dump_unfinish(void);

/* Writes into the report why the program cannot be counted. */
void dump_failure(const char *reason);

/* Says in the folder that this process is about to become another program. */
void dump_announce_exec(const char *program);

/* Takes back what dump_announce_exec() said, since the exec has failed. */
void dump_withdraw_exec(void);

#endif
