/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-count.so as a whole: what is made ready before it takes a program over. */
#ifndef BENCH_COUNT_COUNTER_H
#define BENCH_COUNT_COUNTER_H

/* Opens the report in this folder, and makes the tables and the first thread's context; the program's environment says
 * whose marks are taken. Ends the process where that cannot be. */
void counter_prepare(const char *folder, char **environment);

#endif
