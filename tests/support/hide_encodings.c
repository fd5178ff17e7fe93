/* SPDX-License-Identifier: BSD-3-Clause
 * Zydis as it would be without VEX, EVEX and the maps 0F38 and 0F3A: preloaded, it makes the counter copy code of which
 * it only knows the lengths. */
#include <Zydis/Zydis.h>

static ZyanBool is_hidden(const ZydisDecodedInstruction *instruction) {
    switch (instruction->encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
        return instruction->mnemonic != ZYDIS_MNEMONIC_VZEROUPPER && instruction->mnemonic != ZYDIS_MNEMONIC_VZEROALL;
    case ZYDIS_INSTRUCTION_ENCODING_EVEX:
        return ZYAN_TRUE;
    default:
        return instruction->opcode_map == ZYDIS_OPCODE_MAP_0F38 || instruction->opcode_map == ZYDIS_OPCODE_MAP_0F3A;
    }
}

ZyanStatus ZydisDecoderDecodeFull(const ZydisDecoder *decoder, const void *code, ZyanUSize bytes,
                                  ZydisDecodedInstruction *instruction,
                                  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    ZydisDecoderContext context;
    const ZyanStatus status = ZydisDecoderDecodeInstruction(decoder, &context, code, bytes, instruction);
    if (ZYAN_FAILED(status))
        return status;
    if (is_hidden(instruction))
        return ZYDIS_STATUS_DECODING_ERROR;
    for (unsigned i = instruction->operand_count; i < ZYDIS_MAX_OPERAND_COUNT; i++)
        operands[i] = (ZydisDecodedOperand){0};
    return ZydisDecoderDecodeOperands(decoder, &context, instruction, operands, instruction->operand_count);
}
