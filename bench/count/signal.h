/* SPDX-License-Identifier: BSD-3-Clause
 * Signals: the program's handlers run in the cache, and see the program's addresses and registers, which they may
 * change. The kernel delivers to the counter, with all signals blocked; what comes while the dispatcher works is queued
 * again, and delivered once it is back in the cache. */
#ifndef BENCH_COUNT_SIGNAL_H
#define BENCH_COUNT_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "bench/count/code/context.h"

/* Addresses of the assembly: where the kernel enters for signals, and the end of the dispatcher, from `tail` on, where
 * what to resume at is decided. */
void signal_prepare(uint64_t entry, uint64_t tail, uint64_t end);

/* Does what the program's rt_sigaction asks for, with its arguments in `registers`; gives the result that the program
 * sees. */
long signal_set_action(const struct registers *registers);

/* Does what the program's rt_sigreturn asks for: goes on where the signal interrupted. */
_Noreturn void signal_return(struct context *context);

/* The thread is about to make its last call: what it was interrupted in, it will never go on with. No signal comes any
 * more, but one that came before the dispatcher saw the call, after whose handler the thread comes here again. */
void signal_end(struct context *context);

/* Called at the kernel's entry for signals. True: the program's handler is to run, which the context's `passing` says
 * to the dispatcher. False: what was interrupted goes on. */
__attribute__((used)) bool signal_receive(int number, siginfo_t *info, ucontext_t *interrupted, uint64_t frame,
                                          struct context *context);

#endif
