/* SPDX-License-Identifier: BSD-3-Clause
 * What a single instruction of x86-64 costs (struct effect), found from what Zydis decoded, and the CPU feature that it
 * needs. */
#ifndef ASM_EFFECT_H
#define ASM_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include "asm/instruction.h"
#include "probe/isa.h"

/* Every instruction has an effect; one beyond the tables is free of flop and has the bytes of its operands. Its masks
 * are of ZydisRegister; elements of a repetition are what rcx falls by. */
void effect_find(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, struct effect *out);

/* The operand in memory that it accesses, the implicit stack aside; NULL when there is none. */
const ZydisDecodedOperand *effect_memory(const ZydisDecodedInstruction *instruction,
                                         const ZydisDecodedOperand *operands);

/* Whether the kernels' proof may rest on it: arithmetic of the kernels' own sorts, moves, integer arithmetic, branches;
 * no masks, gathers, string operations, no implicit stack. */
bool effect_is_plain(const ZydisDecodedInstruction *instruction, const struct effect *effect);

/* The enum cpu_feature bit that the instruction needs, 0 for what every x86-64 has; false when that is not known. */
bool effect_feature(const ZydisDecodedInstruction *instruction, uint32_t *feature);

/* The features with those that every CPU of theirs has too. */
uint32_t effect_features_implied(uint32_t features);

#endif
