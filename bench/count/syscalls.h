/* SPDX-License-Identifier: BSD-3-Clause
 * The program's system calls: those that create or end threads and processes, change code, or handle signals. */
#pragma once

#include "bench/count/code/links.h"
#include "bench/count/code/context.h"

/* The thread has left the cache by this exit for a system call. Returns the address in the cache to continue at: at the
 * call, or after it if the call was made here. */
uint64_t syscalls_enter(struct context *context, struct exit *exit);
