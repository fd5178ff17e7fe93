/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of x86-64, decoded by Zydis (see asm/instruction.h). */
#include "asm/instruction.h"

#include "effect.h"

static enum flow flow_of(const ZydisDecodedInstruction *instruction) {
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return FLOW_EITHER;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return instruction->raw.imm[0].is_relative ? FLOW_JUMP : FLOW_AWAY;
    case ZYDIS_CATEGORY_CALL:
        return FLOW_CALL;
    case ZYDIS_CATEGORY_RET:
        return FLOW_AWAY;
    default:
        return FLOW_NEXT;
    }
}

static bool pauses(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_PAUSE || mnemonic == ZYDIS_MNEMONIC_TPAUSE || mnemonic == ZYDIS_MNEMONIC_UMWAIT ||
           mnemonic == ZYDIS_MNEMONIC_MWAITX;
}

static bool stores_outside(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                           const struct effect *effect) {
    const ZydisDecodedOperand *memory = effect_memory(instruction, operands);
    const bool in_frame =
        memory != NULL && (memory->mem.base == ZYDIS_REGISTER_RSP || memory->mem.base == ZYDIS_REGISTER_RBP);
    const bool constant = instruction->mnemonic == ZYDIS_MNEMONIC_MOV && instruction->raw.imm[0].size > 0;
    return effect->store_bytes + effect->element_store_bytes > 0 && !in_frame && !constant;
}

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
    };
    effect_find(&instruction, operands, &out->effect);
    out->flow = flow_of(&instruction);
    out->branch_bytes = instruction.raw.imm[0].is_relative ? instruction.raw.imm[0].value.s : 0;
    out->pauses = pauses(instruction.mnemonic);
    out->reads_clock = instruction.mnemonic == ZYDIS_MNEMONIC_RDTSC || instruction.mnemonic == ZYDIS_MNEMONIC_RDTSCP;
    out->stores_outside = stores_outside(&instruction, operands, &out->effect);
    return true;
}
