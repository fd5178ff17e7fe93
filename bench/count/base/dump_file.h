/* SPDX-License-Identifier: BSD-3-Clause
 * The report's file, in the format of bench/profile/dump.h: its place, and its content until counts are written. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/profile/dump.h"
#include "probe/marks/ranks.h"

/* Sets the folder for reports (the text is copied) and the process's rank. Call once, before all others. */
void dump_prepare(const char *folder, struct rank rank);

/* Sets the program's path, where /proc/self/exe does not name it; copies the text. Call before dump_prepare(). */
void dump_set_program(const char *path);

/* Creates the report of the program that this process executes now, marked as incomplete. False: it cannot be
 * written. */
bool dump_start(void);

/* The same in the child of a fork. If the child's report cannot be written, the parent's report says so, and all later
 * writes of the child are dropped. */
void dump_forked(void);

/* Call before the program changes its root, user or limits: holds the report by a descriptor. Before a limit on file
 * size or disk space, the report is also mapped. */
void dump_hold(void);
void dump_hold_room(void);

/* The header of this process's report, marked as incomplete, with current values. */
struct dump_header dump_header_now(void);

/* Starts the report anew. dump_append() fills it, header first; one of the two close functions ends it. False: it
 * cannot be opened, or it says that the program is not counted. Until it is closed, exceeding `ulimit -f` is an error
 * and does not end the program. */
bool dump_begin(void);

/* Appends to the report. False: it does not fit. */
bool dump_append(const void *bytes, size_t count);

/* The report is complete: writes its header, which says so. */
void dump_close_complete(struct dump_header header);

/* The report is incomplete: empties it and writes a header with the reason. */
void dump_close_failed(const char *reason);

/* Call after a failed exec: the program continues, so its report is incomplete again. */
void dump_go_on(void);

/* Call when a thread begins, possibly after the end of the last known one: a finished report is incomplete again. */
void dump_unfinish(void);

/* Writes the reason why the program cannot be counted into the report. */
void dump_failure(const char *reason);

/* Announces that this process is about to execute the program whose path lies at this address in the program. The
 * announcement goes into its report with the next write, or, without a report (child of a vfork), into a file in the
 * folder. */
void dump_announce_exec(uint64_t path, bool has_report);

/* Records in the folder that the program kills that process itself, which then cannot write its counts. */
void dump_announce_kill(uint64_t pid);

/* Withdraws dump_announce_exec(): the exec has failed, or this is the executed program. */
void dump_withdraw_exec(bool has_report);
