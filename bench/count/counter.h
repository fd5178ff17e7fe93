/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-count.so as a whole: what is made ready before it takes a program over. */
#ifndef BENCH_COUNT_COUNTER_H
#define BENCH_COUNT_COUNTER_H

#include <stdbool.h>

/* Opens the report in this folder, and makes the tables and the first thread's context; the program's environment says
 * whose marks are taken. False: the report cannot be written, and the program is left to itself. Ends the process where
 * it cannot be counted for another reason. */
bool counter_prepare(const char *folder, char **environment);

#endif
