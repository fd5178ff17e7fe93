/* SPDX-License-Identifier: BSD-3-Clause
 * The report of the process: the file that bench/programs/regions.c reads. */
#ifndef BENCH_COLLECT_REPORT_H
#define BENCH_COLLECT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the report's file in the folder. False on failure. */
bool report_create(const char *folder);

/* Writes a report marked as incomplete, in case the process ends without notice. */
void report_begin(void);

/* Writes the report of a process that began at `start_ns`, as of `now_ns` (clock_ns()). */
void report_write(uint64_t start_ns, uint64_t now_ns);

#endif
