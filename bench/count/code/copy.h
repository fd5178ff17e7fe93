/* SPDX-License-Identifier: BSD-3-Clause
 * An instruction that is no branch, copied. */
#ifndef BENCH_COUNT_COPY_H
#define BENCH_COUNT_COPY_H

#include <stdint.h>

#include "decode.h"

/* The instruction as it is, but for an operand at a fixed place in the program. Gives where it ends, behind which a
 * register may still have to be loaded again. */
uint64_t copy_instruction(const struct instruction *instruction);

/* What it reads is read, by a comparison in its stead (decode_comparison()). */
void copy_comparison(const struct instruction *instruction);

#endif
