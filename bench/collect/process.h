/* SPDX-License-Identifier: BSD-3-Clause
 * The process: its start, forks and end. */
#pragma once

#include <stdbool.h>

/* Whether this process is measured; the first call starts the measurement. False if no folder for the report is set. */
bool collecting(void);

/* Writes the report of now. Called before an exec, which leaves no later chance. */
void process_report(void);

/* The exec has failed and the process continues: marks its report as incomplete again. */
void process_stays(void);

/* The process ends: writes the report. May be called within a signal handler. */
void process_end(void);
