/* SPDX-License-Identifier: BSD-3-Clause
 * Signals: the program's handlers run in the cache, and see the program's addresses. The kernel delivers to the
 * counter, with all signals blocked; what comes while the dispatcher works is queued again, and delivered once it is
 * back in the cache. */
#ifndef BENCH_COUNT_SIGNAL_H
#define BENCH_COUNT_SIGNAL_H

#include "bench/count/code/context.h"

/* rt_sigaction, as the program sees it; its result. */
long signal_set_action(struct context *context, const struct registers *registers);

/* rt_sigreturn. */
_Noreturn void signal_return(struct context *context);

#endif
