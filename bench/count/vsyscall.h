/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel's old page of calls at a fixed address (vsyscall): gettimeofday, time and getcpu. Its code cannot be
 * read; the kernel notices that it is reached, and makes the call. So does the counter. */
#ifndef BENCH_COUNT_VSYSCALL_H
#define BENCH_COUNT_VSYSCALL_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Whether an address is in that page. */
bool vsyscall_holds(uint64_t target);

/* Sets the registers of the program, which has come to `target` in the page, as for a system call that does the same,
 * its number in rax. False: there is none at this address, or this kernel has no such page. */
bool vsyscall_prepare(uint64_t target, struct registers *registers);

/* Returns from the page to the program; gives the address where it goes on. */
uint64_t vsyscall_return(struct registers *registers);

#endif
