/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks that a fault leaves in the middle. A block is counted once for all of its instructions; when one of them
 * faults, those behind it have been counted and not run (or those before it run and not been counted yet). A block of
 * its own stands for that part, with a count that puts it right. A loop whose rounds are counted when they begin has
 * one, too. If the program goes on at the same instruction, it is taken back. */
#ifndef BENCH_COUNT_PARTIAL_H
#define BENCH_COUNT_PARTIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "context.h"

/* Finds the program's address of interruption->cache_rip, and what a fault there makes of the counts. Uses Zydis. */
void partial_find(struct interruption *interruption, bool fault, uint64_t rcx);

void partial_leave(struct context *context, const struct interruption *interruption);
void partial_resume(struct context *context, const struct interruption *interruption);

#endif
