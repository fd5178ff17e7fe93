/* SPDX-License-Identifier: BSD-3-Clause
 * Filters of system calls that the program sets on itself (seccomp). The counter's own calls pass them: a few
 * instructions before each filter let through what comes from the addresses of system_own_call(), and all else is
 * judged by the program's filter. Which calls that would not let through is known here, too, since some are made by the
 * counter for the program. The strict mode, which has no filter, is left to the counter alone. */
#ifndef BENCH_COUNT_FILTER_H
#define BENCH_COUNT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Whether a system call sets a filter, or the strict mode. */
bool filter_is_set_by(const struct registers *registers);

/* Makes such a call, with its result in rax; `threads` are all threads, linked by `next`, whose filters it may be, too.
 * `own`: it is the counted process, and no child that borrows its memory. False: the program is to make it itself. */
bool filter_set(struct context *context, struct context *threads, bool own);

/* What the thread's filters do with a call that it is about to make; `next` is the address in the program behind it. */
enum filter_verdict {
    FILTER_PASSES,
    FILTER_REFUSES,      /* it is not made, but fails, or a handler is told */
    FILTER_ENDS_THREAD,  /* the kernel does it at the call */
    FILTER_ENDS_PROCESS, /* likewise */
    FILTER_KILLS         /* strict mode: the thread gets a SIGKILL */
};
enum filter_verdict filter_judge(const struct context *context, uint64_t next);

#endif
