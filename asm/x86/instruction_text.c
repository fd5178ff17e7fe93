/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of x86-64 as text, by Zydis, in Intel's syntax (see asm/instruction.h). */
#include <stdio.h>
#include <Zydis/Zydis.h>

#include "asm/instruction.h"

static void formatter_make(ZydisFormatter *out) {
    ZydisFormatterInit(out, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
}

const char *instruction_text(const void *code, size_t code_bytes, uint64_t address, char *out, size_t size) {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    formatter_make(&formatter);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code, code_bytes, &instruction, operands)) ||
        ZYAN_FAILED(ZydisFormatterFormatInstruction(&formatter, &instruction, operands,
                                                    instruction.operand_count_visible, out, size, address, NULL)))
        snprintf(out, size, "(bad)");
    return out;
}
