/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks that are left in the middle. A block is counted once for all of its instructions; where a signal interrupts
 * it, those behind have been counted and not run (or those before run and not been counted yet). A block of its own
 * stands for that part, with a count that puts it right. A loop whose rounds are counted when they begin is put right,
 * too. */
#ifndef BENCH_COUNT_PARTIAL_H
#define BENCH_COUNT_PARTIAL_H

#include "bench/count/code/context.h"

/* The program does not go on where the signal interrupted it, or not yet: counts what it has executed. */
void partial_leave(struct context *context, struct interruption *interruption);

/* It does go on there, in the copy: counts the block as if it had not been interrupted. Both do nothing where the
 * counts are so already. */
void partial_resume(struct context *context, struct interruption *interruption);

#endif
