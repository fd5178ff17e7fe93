/* SPDX-License-Identifier: BSD-3-Clause
 * One instruction of the program executed on registers that were interrupted before it. */
#ifndef BENCH_COUNT_STEP_H
#define BENCH_COUNT_STEP_H

#include <ucontext.h>

#include "bench/count/code/context.h"
#include "bench/count/code/decode.h"

/* Executes an instruction that decode_replaces_flags(): on general registers and flags, and without fault. Called under
 * the lock; uses context->passing.registers. */
void step_instruction(struct context *context, const struct instruction *instruction, greg_t *registers);

#endif
