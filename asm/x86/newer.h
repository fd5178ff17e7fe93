/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions that are newer than Zydis 4.0. Those of APX are decoded by Zydis without their new bits, or by a table
 * of their own. Of all others a table of encodings gives the length and the operand in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <Zydis/Zydis.h>

/* Stands for r16 to r31 in operands: no function of Zydis takes it for a general register. */
#define NEWER_REGISTER ZYDIS_REGISTER_UIF

/* What Zydis knows of the CPUs of today. */
bool newer_by_zydis(const ZydisDecoder *decoder, const void *code, size_t code_bytes, ZydisDecodedInstruction *out,
                    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);

/* Decodes by newer_by_zydis(), or else by newer_decode_alone(). False: no instruction of either. */
bool newer_decode(const ZydisDecoder *decoder, const void *code, size_t code_bytes, ZydisDecodedInstruction *out,
                  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);

/* What Zydis does not know. An instruction by table has no mnemonic, and no operands but the one in memory. */
bool newer_decode_alone(const ZydisDecoder *decoder, const void *code, size_t code_bytes, ZydisDecodedInstruction *out,
                        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);

/* Decoded by table: it may read and change any register. */
static inline bool newer_is_by_table(const ZydisDecodedInstruction *instruction) {
    return instruction->mnemonic == ZYDIS_MNEMONIC_INVALID;
}

/* Decoded by table, which does not know whether it has flop; its bytes are a guess from the vector's length. */
static inline bool newer_is_unknown(const ZydisDecodedInstruction *instruction) {
    return newer_is_by_table(instruction) && instruction->meta.category == ZYDIS_CATEGORY_INVALID;
}

/* JMPABS: the only jump with a constant of 64 bits, its target. */
static inline bool newer_is_absolute_jump(const ZydisDecodedInstruction *instruction) {
    return instruction->meta.category == ZYDIS_CATEGORY_UNCOND_BR && instruction->raw.imm[0].size == 64;
}
