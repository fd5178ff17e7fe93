/* SPDX-License-Identifier: BSD-3-Clause
 * The process: its start, forks and end. */
#ifndef BENCH_COLLECT_PROCESS_H
#define BENCH_COLLECT_PROCESS_H

#include <stdbool.h>

/* Whether this process is measured. The first call starts that. False where no folder for the report is set. */
bool collecting(void);

/* Writes the report as it stands now. Called before an exec, after which nothing is left to report. */
void process_report(void);

/* The exec has failed and the process goes on: its report is incomplete again. */
void process_stays(void);

/* The process ends: writes the report. May be called within a signal handler. */
void process_end(void);

#endif
