/* SPDX-License-Identifier: BSD-3-Clause
 * The process as the counter sees it. */
#ifndef BENCH_COUNT_COUNTER_H
#define BENCH_COUNT_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Whether this is the process that is counted, and not a child of vfork that borrows its memory. */
bool counter_is_own_process(void);

/* In the child of a fork: it is counted from zero, and reports by itself. */
void counter_forked(struct context *context);

/* Enters the cache as the program's next instruction, and never comes back here. */
void counter_take_over(void);

/* In assembly: the way from the cache into dispatch(), and the kernel's entry for signals. */
void counter_dispatch(void);
void counter_dispatch_tail(void); /* from here on what to resume at is decided */
void counter_dispatch_end(void);
void counter_signal(void);

#endif
