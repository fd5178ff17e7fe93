/* SPDX-License-Identifier: BSD-3-Clause
 * Calls by which the program closes off what the counter needs: another root or user, limits, and descriptors. */
#ifndef BENCH_COUNT_CLOSING_H
#define BENCH_COUNT_CLOSING_H

#include <stdbool.h>

#include "bench/count/code/context.h"

/* To be told of each call before it is made: what it would close off is held (base/reach.h). `own`: it is the counted
 * process, and no child that borrows its memory. True: it would have closed a descriptor that is held, and was made
 * here without that; its result is in rax. */
bool closing_call(struct registers *registers, bool own);

#endif
