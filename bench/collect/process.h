/* SPDX-License-Identifier: BSD-3-Clause
 * The process: its start, forks and end. */
#ifndef BENCH_COLLECT_PROCESS_H
#define BENCH_COLLECT_PROCESS_H

#include <stdbool.h>

bool collecting(void);     /* starts when it is called for the first time; false: nobody wants to know */
void process_report(void); /* all that is known now; for the time before an exec */
void process_stays(void);  /* the exec failed */
void process_end(void);

#endif
