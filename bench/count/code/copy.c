/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of instructions other than branches (see sequence.h). */
#include "sequence.h"

#include "bench/count/base/fail.h"
#include "context.h"
#include "emit.h"

#include "asm/x86/newer.h"

/* With a prefix, an operand is relative to eip, whose 32 bits wrap around: an operand below 4 GiB is then within reach
 * from anywhere. The prefix also truncates addresses in registers, which some instructions use besides their
 * operand. */
static bool is_reached_by_eip(const struct instruction *instruction, uint64_t place) {
    enum { MOVES_OF_64_BYTES = 0xf8 }; /* in APX's map 4, too */
    const ZydisMnemonic mnemonic = instruction->decoded.mnemonic;
    const bool moves = !instruction->common && newer_is_by_table(&instruction->decoded) &&
                       instruction->decoded.opcode == MOVES_OF_64_BYTES;
    return place >> 32 == 0 && !moves && instruction->decoded.length < ZYDIS_MAX_INSTRUCTION_LENGTH &&
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

/* Clears the bits of the base's number in the prefix of a copy: an operand without a base may have any. */
static void clear_base_bits(const struct instruction *instruction, uint8_t *copy) {
    enum { REX2 = 0xd5, VEX_OF_TWO_BYTES = 0xc5, EVEX = 0x62 };
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    const bool legacy = decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;
    uint8_t *prefix = copy + (legacy                                                ? decoded->raw.rex.offset
                              : decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ? decoded->raw.vex.offset
                              : decoded->encoding == ZYDIS_INSTRUCTION_ENCODING_XOP ? decoded->raw.xop.offset
                                                                                    : decoded->raw.evex.offset);
    if (legacy && *prefix == REX2)
        prefix[1] &= 0xee;
    else if (legacy && (*prefix & 0xf0) == 0x40)
        *prefix &= 0xfe;
    else if (!legacy && *prefix != VEX_OF_TWO_BYTES)
        prefix[1] |= 0x20; /* inverted */
    if (!legacy && *prefix == EVEX)
        prefix[1] &= 0xf7; /* that of r16 to r31 is not */
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
    clear_base_bits(instruction, copy);
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

/* REX.W, or REX2, with the bits of an operand's base and index; REX2 and an opcode precede ModRM. */
static void emit_prefix_of(const struct instruction *instruction) {
    enum { REX2 = 0xd5, WIDE = 8, BASE_AND_INDEX = 0x33 };
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    const uint8_t *modrm = instruction->bytes + decoded->raw.modrm.offset;
    if (decoded->raw.modrm.offset >= 3 && modrm[-3] == REX2) {
        emit_byte(REX2);
        emit_byte(WIDE | (modrm[-2] & BASE_AND_INDEX));
    } else {
        emit_byte(0x48u | (unsigned)(decoded->raw.rex.X << 1) | decoded->raw.rex.B);
    }
}

void copy_load_of_operand(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    const bool in_thread = decode_uses_segment(instruction, 0x64);
    if (decode_is_rip_relative(instruction)) {
        emit_constant(RCX, decode_rip_target(instruction));
        if (in_thread)
            emit_byte(0x64);
        EMIT("\x48\x8b\x09"); /* mov (%rcx), %rcx */
        return;
    }
    if (in_thread)
        emit_byte(0x64);
    if (decoded->address_width == 32)
        emit_byte(EMIT_ADDRESS_OF_32_BITS);
    emit_prefix_of(instruction);
    emit_byte(0x8b);
    unsigned modrm_at = decoded->raw.modrm.offset;
    emit_byte((instruction->bytes[modrm_at] & 0xc7u) | 0x08u);
    emit_copy(instruction->bytes + modrm_at + 1, decoded->length - modrm_at - 1u);
}
