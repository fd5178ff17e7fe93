/* SPDX-License-Identifier: BSD-3-Clause
 * Filters of system calls that the program sets on itself (seccomp). The counter's own calls pass: a few instructions
 * before each filter let through calls from the addresses of system_own_call(); the program's filter judges all others.
 * The counter also evaluates the filters, because it makes some calls for the program. Strict mode, which has no
 * filter, is applied by the counter alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Whether a system call sets a filter, or the strict mode. */
bool filter_is_set_by(const struct registers *registers);

/* Makes such a call, with its result in rax. `threads`: all threads, linked by `next`, to which the filter may apply,
 * too. `own`: the counted process, not a child that borrows its memory. False: the program must make the call
 * itself. */
bool filter_set(struct context *context, struct context *threads, bool own);

/* What the thread's filters do with a call that it is about to make; `next`: the address in the program after it. */
enum filter_verdict {
    FILTER_PASSES,
    FILTER_REFUSES,      /* it is not made: it fails, or a handler is called */
    FILTER_ENDS_THREAD,  /* the kernel ends it at the call */
    FILTER_ENDS_PROCESS, /* the kernel ends it at the call */
    FILTER_KILLS         /* strict mode: SIGKILL for the thread */
};
enum filter_verdict filter_judge(const struct context *context, uint64_t next);
