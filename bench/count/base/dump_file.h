/* SPDX-License-Identifier: BSD-3-Clause
 * The file of the report, in the format of bench/profile/dump.h: where it lies, and what it says before the counts
 * are written. */
#ifndef BENCH_COUNT_DUMP_FILE_H
#define BENCH_COUNT_DUMP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/profile/dump.h"
#include "probe/marks/ranks.h"

/* Sets the folder that reports go to, the text is copied, and the rank that the process is. To be called once, first.
 */
void dump_prepare(const char *folder, struct rank rank);

/* The path of the program, where /proc/self/exe does not name it; the text is copied. To be called before
 * dump_prepare(). */
void dump_set_program(const char *path);

/* Creates the report of the program that this process executes now; it says of itself that it is incomplete. False: it
 * cannot be written. */
bool dump_start(void);

/* The same in the child of a fork. Where it cannot be written the report of the process before says so, and this one
 * has none: all that would be written is left away. */
void dump_forked(void);

/* To be called before the program changes its root, its user or its limits: the report is held by a descriptor; before
 * it limits the size of files or the space for them, by memory, too. */
void dump_hold(void);
void dump_hold_room(void);

/* The header of an incomplete report of this process, as of now. */
struct dump_header dump_header_now(void);

/* Writes a header over the one in the file. */
void dump_put_header(const struct dump_header *header);

/* Begins the report anew, to be filled by dump_append(), with its header first, and left by one of the two that close
 * it. False: it cannot be opened, or says that the program is not counted. A file beyond `ulimit -f` is an error
 * meanwhile, and not the program's end. */
bool dump_begin(void);

/* Adds to the report. False: it does not fit. */
bool dump_append(const void *bytes, size_t count);

/* All counts stand in it: writes its header, which says so. */
void dump_close_complete(struct dump_header header);

/* They do not: empties it, but for a header with the reason. */
void dump_close_failed(const char *reason);

/* To be called after an exec that failed: the program goes on, so the report is incomplete again. */
void dump_go_on(void);

/* To be called when a thread begins, which may come after the end of the last one that was known: a report that was
 * written is incomplete again. */
void dump_unfinish(void);

/* Writes into the report why the program cannot be counted. */
void dump_failure(const char *reason);

/* Says that this process is about to become another program, whose path is at this address in the program: its own
 * report does as it is written next, or a file in the folder where it has none, as the child of a vfork. */
void dump_announce_exec(uint64_t path, bool has_report);

/* Says in the folder that the program kills that process itself, so that it cannot leave its counts. */
void dump_announce_kill(uint64_t pid);

/* Takes back what dump_announce_exec() said: the exec has failed, or this is the program that it led to. */
void dump_withdraw_exec(bool has_report);

#endif
