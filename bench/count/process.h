/* SPDX-License-Identifier: BSD-3-Clause
 * The process that is counted. */
#ifndef BENCH_COUNT_PROCESS_H
#define BENCH_COUNT_PROCESS_H

#include <stdbool.h>

#include "bench/count/code/context.h"

/* From now on the calling process is the one that is counted. */
void process_start(void);

/* Whether the calling process is the one that is counted, and not a child of vfork that borrows its memory. */
bool process_is_own(void);

/* To be called in the child of a fork, on its only thread: the child is counted from zero and has a report of its own.
 */
void process_forked(struct context *context);

#endif
