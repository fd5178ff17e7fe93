/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of an x86-64 instruction (struct effect) and the CPU feature that it needs, from Zydis's decoding. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include "asm/instruction.h"
#include "probe/isa.h"

/* Whether it is one of dots.h, which newer.h decodes as an older one. */
bool effect_is_dot(const ZydisDecodedInstruction *instruction);

/* Its mnemonic: "vpdpbssd". */
const char *effect_name(const ZydisDecodedInstruction *instruction);

/* Every instruction has an effect. One outside the tables has no flop and the bytes of its operands. Masks are
 * ZydisRegister values. The number of repetitions is the decrease of rcx. */
void effect_find(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, struct effect *out);

/* The memory operand that it accesses, except the implicit stack; NULL: none. */
const ZydisDecodedOperand *effect_memory(const ZydisDecodedInstruction *instruction,
                                         const ZydisDecodedOperand *operands);

/* Whether the proof of kernels accepts it: arithmetic of the kernels' sorts, moves, integer arithmetic, branches; no
 * masks, gathers, string operations or implicit stack. */
bool effect_is_plain(const ZydisDecodedInstruction *instruction, const struct effect *effect);

/* The enum cpu_feature bit that the instruction needs; 0: every x86-64 has it. False: unknown. */
bool effect_feature(const ZydisDecodedInstruction *instruction, cpu_features *feature);

/* The features, and the features that every CPU with them also has. */
cpu_features effect_features_implied(cpu_features features);
