/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions that most code consists of, decoded by a table and without Zydis, which takes ten times as long:
 * code that is run once costs little else. What is decoded so is decoded as by Zydis
 * (tests/unit/bench/test_common_decode.c). */
#ifndef BENCH_COUNT_COMMON_H
#define BENCH_COUNT_COMMON_H

#include "decode.h"

/* As decode_instruction(), but without operands and effect, of which there is no counter of its own to make: `common`
 * is set. False: it is another instruction, or none. */
bool common_decode(uint64_t address, uint64_t most, struct instruction *out);

#endif
