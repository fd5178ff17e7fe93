/* SPDX-License-Identifier: BSD-3-Clause
 * The way out when a program can't be counted. */
#ifndef BENCH_COUNT_FAIL_H
#define BENCH_COUNT_FAIL_H

#include <stdint.h>

/* Says why in the report and on standard error, with the address in the program unless that is 0, and ends the program
 * with status 127. */
_Noreturn void fail_program(const char *reason, uint64_t address);

/* A large table: zeroed memory, which is not among our data, since garbage collectors search those of all libraries.
 * Ends the program where there is none. */
void *fail_or_map(uint64_t bytes);

#endif
