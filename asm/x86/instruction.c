/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of x86-64, decoded by Zydis (see asm/instruction.h). */
#include "asm/instruction.h"

#include "effect.h"

bool instruction_decode(const void *code, size_t code_bytes, struct decoded_instruction *out) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code, code_bytes, &instruction, operands)))
        return false;
    *out = (struct decoded_instruction){
        .length_bytes = instruction.length,
        .mnemonic = ZydisMnemonicGetString(instruction.mnemonic),
        .extension = ZydisISAExtGetString(instruction.meta.isa_ext),
        .compares = instruction.attributes & (ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE),
    };
    effect_find(&instruction, operands, &out->effect);
    return true;
}
