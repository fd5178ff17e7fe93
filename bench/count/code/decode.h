/* SPDX-License-Identifier: BSD-3-Clause
 * Decodes the program's instructions with Zydis, which may use the program's vector state: call only after saving
 * it. */
#pragma once

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

#include "asm/x86/effect.h"

struct instruction {
    uint64_t address;
    const uint8_t *bytes;
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct effect effect;
    uint32_t counter;           /* counter of its elements, if effect.dynamic has some; set by translate() */
    bool common;                /* decoded by common_decode(): the three fields below replace operands and effect */
    uint16_t overwritten_flags; /* see decode_overwritten_flags(), regardless of the operands */
    bool in_memory;             /* an operand is in memory, or is the address that lea computes */
    int8_t overwrites;          /* see decode_overwritten_register() */
};

/* The flags that arithmetic changes, as bits of rflags and in Zydis's tables. */
enum {
    FLAGS_BUT_CARRY = ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF,
    FLAGS_OF_ARITHMETIC = FLAGS_BUT_CARRY | ZYDIS_CPUFLAG_CF,
};

void decode_prepare(void);

/* False if there is no instruction within `most` bytes. */
bool decode_instruction(uint64_t address, uint64_t most, struct instruction *out);

bool decode_is_branch(const struct instruction *instruction);           /* or a system call: ends a block */
bool decode_traps(const struct instruction *instruction);               /* a handler continues behind it: int3 */
bool decode_is_conditional_jump(const struct instruction *instruction); /* by flags: jcc */
bool decode_is_relative(const struct instruction *instruction);         /* a branch with a fixed target */
bool decode_is_unknown(const struct instruction *instruction);          /* see newer_is_unknown() */
uint64_t decode_branch_target(const struct instruction *instruction);   /* of such a branch */
bool decode_stores(const struct instruction *instruction);              /* to memory, including the stack */
bool decode_is_rip_relative(const struct instruction *instruction);     /* has an operand at a fixed address */
uint64_t decode_rip_target(const struct instruction *instruction);      /* of such an operand */
bool decode_uses_segment(const struct instruction *instruction, uint8_t prefix); /* 0x64: fs, 0x65: gs */

/* The arithmetic flags that the instruction replaces without reading them, whatever the values of its operands: all, or
 * all but the carry. 0: neither, or it uses more than general registers, or it may fault. */
uint32_t decode_overwritten_flags(const struct instruction *instruction);

/* The same of an instruction that also reads memory at an address that is not fixed, and may fault.
 * decode_comparison() returns the opcode, and the index of its byte, that turn the instruction into a comparison: it
 * reads the same memory and changes only the flags. */
uint32_t decode_flags_overwritten_by_memory(const struct instruction *instruction);
uint8_t decode_comparison(const struct instruction *instruction, unsigned *index);

/* The register that the instruction, a move or similar, writes without reading; -1: none, or it has an operand at a
 * fixed address. */
int decode_overwritten_register(const struct instruction *instruction);

/* One of rax, rcx, rdx, rbx, rsi, rdi that the instruction does not use; -1: none. */
int decode_free_register(const struct instruction *instruction);

/* The number of the mark at `bytes` (marks.h); 0: none. Reads at most `most` bytes. */
uint32_t decode_mark(const uint8_t *bytes, uint64_t most);
enum { MARK_BYTES = 8 };
