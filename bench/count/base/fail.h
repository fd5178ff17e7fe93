/* SPDX-License-Identifier: BSD-3-Clause
 * The way out when a program can't be counted. */
#ifndef BENCH_COUNT_FAIL_H
#define BENCH_COUNT_FAIL_H

#include <stdint.h>

/* Says why, in the report and on standard error, and ends the program with status 127. `address`: 0 is left out. */
_Noreturn void fail_program(const char *reason, uint64_t address);

#endif
