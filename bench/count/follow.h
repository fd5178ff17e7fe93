/* SPDX-License-Identifier: BSD-3-Clause
 * Where the program goes on that has left the cache, since its code did not know where that is. */
#ifndef BENCH_COUNT_FOLLOW_H
#define BENCH_COUNT_FOLLOW_H

#include "bench/count/code/context.h"
#include "bench/count/code/links.h"

/* The address in the cache at which a thread goes on that has left it by this exit; NULL: by an indirect branch. The
 * next time its code knows the way, where that can be. */
uint64_t follow_exit(struct context *context, struct exit *exit);

/* Follows the ways that children had to ask for, so that the next one need not. */
void follow_lessons(struct context *context);

#endif
