/* SPDX-License-Identifier: BSD-3-Clause
 * Ends a program that cannot be counted. */
#pragma once

#include <stdint.h>

/* Writes the reason to the report and to standard error, with the address in the program unless it is 0, and ends the
 * program with status 127. */
_Noreturn void fail_program(const char *reason, uint64_t address);

/* Maps a large table of zeroed memory, outside our data, which garbage collectors search in all libraries. Ends the
 * program if there is no memory. */
void *fail_or_map(uint64_t bytes);
