/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of instructions other than branches. */
#pragma once

#include <stdint.h>

#include "decode.h"

/* Copies an instruction; adjusts an operand at a fixed address. Returns the end of the instruction's copy, which code
 * to restore a register may follow. */
uint64_t copy_instruction(const struct instruction *instruction);

/* Emits a comparison in its place, which reads the same memory (decode_comparison()). */
void copy_comparison(const struct instruction *instruction);
enum { COPY_COMPARISON_FLAGS = FLAGS_OF_ARITHMETIC }; /* what it changes */
