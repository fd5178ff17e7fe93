/* SPDX-License-Identifier: BSD-3-Clause
 * Signals: the program's handlers run in the cache and see the program's addresses and registers, which they may
 * change. The kernel delivers signals to the counter, with all signals blocked. A signal that interrupts the dispatcher
 * is queued again, and delivered once it is back in the cache. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "bench/count/code/context.h"

/* Addresses in the assembly: the kernel's entry for signals, and the dispatcher's end, from `tail` on, after the
 * decision where to resume. */
void signal_prepare(uint64_t entry, uint64_t tail, uint64_t end);

/* Makes the program's rt_sigaction, with its arguments in `registers`; returns the result for the program. */
long signal_set_action(const struct registers *registers);

/* Makes the program's rt_sigreturn: continues at the signal's interruption. */
_Noreturn void signal_return(struct context *context);

/* The thread is about to make its last call, and will never continue at its interruptions. No signal comes any more,
 * except one that came before the dispatcher saw the call; after its handler the thread comes here again. */
void signal_end(struct context *context);

/* Called at the kernel's entry for signals. True: run the program's handler; the context's `passing` tells the
 * dispatcher where. False: continue at the interruption. */
__attribute__((used)) bool signal_receive(int number, siginfo_t *info, ucontext_t *interrupted, uint64_t frame,
                                          struct context *context);
