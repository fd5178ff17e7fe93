/* SPDX-License-Identifier: BSD-3-Clause
 * The program's system calls: those that create or end threads and processes, change code, or handle signals. */
#ifndef BENCH_COUNT_SYSCALLS_H
#define BENCH_COUNT_SYSCALLS_H

#include "bench/count/code/cache.h"
#include "bench/count/code/context.h"

/* Where to go on in the cache: at the system call itself, or behind it when it was made here. */
uint64_t syscalls_enter(struct context *context, struct exit *exit);

#endif
