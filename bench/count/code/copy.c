/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of instructions other than branches (see sequence.h). */
#include "sequence.h"

#include "bench/count/base/fail.h"
#include "context.h"
#include "emit.h"

/* With a prefix, an operand is relative to eip, whose 32 bits wrap around: an operand below 4 GiB is then within reach
 * from anywhere. The prefix also truncates addresses in registers, which some instructions use besides their
 * operand. */
static bool is_reached_by_eip(const struct instruction *instruction, uint64_t place) {
    const ZydisMnemonic mnemonic = instruction->decoded.mnemonic;
    return place >> 32 == 0 && instruction->decoded.length < ZYDIS_MAX_INSTRUCTION_LENGTH &&
           mnemonic != ZYDIS_MNEMONIC_MOVDIR64B && mnemonic != ZYDIS_MNEMONIC_ENQCMD &&
           mnemonic != ZYDIS_MNEMONIC_ENQCMDS;
}

/* Adjusts the distance of the operand to the copy's place. */
static uint64_t copy_near(const struct instruction *instruction, uint64_t place) {
    uint8_t *copy = emit_at;
    emit_copy(instruction->bytes, instruction->decoded.length);
    const uint32_t distance = (uint32_t)(place - (uint64_t)emit_at);
    __builtin_memcpy(copy + instruction->decoded.raw.disp.offset, &distance, sizeof distance);
    return (uint64_t)emit_at;
}

uint64_t copy_instruction(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    if (!decode_is_rip_relative(instruction)) {
        emit_copy(instruction->bytes, decoded->length);
        return (uint64_t)emit_at;
    }
    const uint64_t place = decode_rip_target(instruction);
    if (emit_reaches((uint64_t)emit_at + decoded->length, place))
        return copy_near(instruction, place);
    if (is_reached_by_eip(instruction, place)) {
        emit_byte(EMIT_ADDRESS_OF_32_BITS);
        return copy_near(instruction, place);
    }
    int reg = decode_free_register(instruction);
    if (reg < 0)
        fail_program("an instruction's operand is out of reach, at", instruction->address);
    emit_store((unsigned)reg, PASSING_OFFSET(relative));
    emit_constant((unsigned)reg, place);
    uint8_t *copy = emit_at;
    emit_copy(instruction->bytes, decoded->length);
    uint8_t *modrm = copy + decoded->raw.modrm.offset;
    *modrm = (uint8_t)(0x80 | (*modrm & 0x38) | reg); /* the register, with a 32-bit displacement of 0 */
    __builtin_memset(copy + decoded->raw.disp.offset, 0, 4);
    emit_load((unsigned)reg, PASSING_OFFSET(relative));
    return (uint64_t)copy + decoded->length;
}

void copy_comparison(const struct instruction *instruction) {
    unsigned index;
    const uint8_t opcode = decode_comparison(instruction, &index);
    uint8_t *copy = emit_at;
    emit_copy(instruction->bytes, instruction->decoded.length);
    copy[index] = opcode;
}
