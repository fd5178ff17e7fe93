/* SPDX-License-Identifier: BSD-3-Clause
 * Signals: the program's handlers run in the cache, and see the program's addresses. The kernel delivers to the
 * counter, with all signals blocked; what comes while the dispatcher works is queued again, and delivered once it is
 * back in the cache. */
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

/* rt_sigaction, as the program sees it; its result. */
long signal_set_action(const struct registers *registers);

/* rt_sigreturn. */
_Noreturn void signal_return(struct context *context);

/* Called by the entry. True: the handler is to run, by way of the dispatcher; false: back to what was interrupted. */
__attribute__((used)) bool signal_receive(int number, siginfo_t *info, ucontext_t *interrupted, uint64_t frame,
                                          struct context *context);

#endif
