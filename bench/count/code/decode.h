/* SPDX-License-Identifier: BSD-3-Clause
 * The program's instructions, through Zydis. Called with the program's vector state put aside: Zydis may use it. */
#ifndef BENCH_COUNT_DECODE_H
#define BENCH_COUNT_DECODE_H

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
    uint32_t counter;    /* of its elements, where effect.dynamic has some; set by translate() */
    bool common;         /* decoded by common_decode(): it has neither operands nor effect, but these three */
    bool replaces_flags; /* see decode_replaces_flags(), but for what it has for operands */
    bool in_memory;      /* one of them is in memory, or what lea takes the address of */
    int8_t overwrites;   /* see decode_overwritten_register() */
};

void decode_prepare(void);

/* False where at most `most` bytes are no instruction. */
bool decode_instruction(uint64_t address, uint64_t most, struct instruction *out);

bool decode_is_branch(const struct instruction *instruction);                    /* or a system call: ends a block */
bool decode_is_conditional_jump(const struct instruction *instruction);          /* by flags: jcc */
bool decode_is_relative(const struct instruction *instruction);                  /* a branch to a fixed place */
uint64_t decode_branch_target(const struct instruction *instruction);            /* of such a branch */
bool decode_stores(const struct instruction *instruction);                       /* to memory, the stack too */
bool decode_is_rip_relative(const struct instruction *instruction);              /* has an operand at a fixed place */
uint64_t decode_rip_target(const struct instruction *instruction);               /* of such an operand */
bool decode_uses_segment(const struct instruction *instruction, uint8_t prefix); /* 0x64: fs, 0x65: gs */

/* Whether all arithmetic flags but the carry are replaced, and none of them is read, by an instruction that has to do
 * with general registers alone and cannot fault. */
bool decode_replaces_flags(const struct instruction *instruction);

/* Whether they are by one that reads memory besides, not at a fixed place, so that it may fault; and the opcode and the
 * index of its byte that make a comparison of it, which reads the same memory and changes nothing but the flags. */
bool decode_replaces_flags_by_memory(const struct instruction *instruction);
uint8_t decode_comparison(const struct instruction *instruction, unsigned *index);

/* The register that the instruction, if it is a move or the like, writes without reading it; -1: none, or it has an
 * operand at a fixed place. */
int decode_overwritten_register(const struct instruction *instruction);

/* A register of rax, rcx, rdx, rbx, rsi, rdi that the instruction has nothing to do with; -1: none. */
int decode_free_register(const struct instruction *instruction);

/* The number of the mark there (marks.h); 0: there is none. Reads at most `most` bytes. */
uint32_t decode_mark(const uint8_t *bytes, uint64_t most);
enum { MARK_BYTES = 8 };

#endif
