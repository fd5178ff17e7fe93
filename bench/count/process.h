/* SPDX-License-Identifier: BSD-3-Clause
 * The process that is counted. */
#ifndef BENCH_COUNT_PROCESS_H
#define BENCH_COUNT_PROCESS_H

#include <stdbool.h>

#include "bench/count/code/context.h"

/* It is the calling one. */
void process_start(void);

/* Whether this is it, and not a child of vfork that borrows its memory. */
bool process_is_own(void);

/* In the child of a fork: it is counted from zero, and reports by itself. */
void process_forked(struct context *context);

#endif
