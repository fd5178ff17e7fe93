/* SPDX-License-Identifier: BSD-3-Clause
 * A piece of the program up to a branch, a system call or a mark: the source of a block. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "decode.h"

enum { SEQUENCE_INSTRUCTIONS = 240 };

struct sequence {
    struct instruction instructions[SEQUENCE_INSTRUCTIONS + 2];
    uint32_t count;
    bool branches;        /* the last instruction decides where to continue */
    bool loops;           /* it ends with a conditional jump back to its start */
    uint32_t ends_region; /* the mark at its start, which ends a region; 0: none */
    uint32_t mark;        /* the mark at its end; 0: none */
    uint64_t next;        /* address after the last instruction */
};

/* From now on all instructions have operands and effects, including common ones (common_decode()). */
void sequence_need_operands(void);

/* Decodes from an address up to `high`. `checked`: the code may change at any time, so the sequence ends after each
 * store, and is never a loop. If a counted program must not execute the first instruction, ends the program; a later
 * such instruction ends the sequence. */
void sequence_decode(uint64_t address, uint64_t high, bool checked, struct sequence *out);

/* Cuts a sequence of at least two instructions to its first half. */
void sequence_cut(struct sequence *sequence);

/* Where a block is counted, and what the counting may change, because the instruction there overwrites it. */
struct count_place {
    uint32_t instruction;
    bool changes_flags;
    bool compares;        /* a comparison first reads the instruction's memory: a fault sees unchanged flags */
    int changes_register; /* -1: none */
};
struct count_place sequence_count_place(const struct sequence *sequence);

/* Decodes the most frequent instructions with a table instead of Zydis, which takes ten times as long: decoding is the
 * main cost of code that runs once. The results equal those of Zydis (tests/unit/bench/test_common_decode.c). */

/* Like decode_instruction(), without operands and effect, for instructions that need no counter of their own: sets
 * `common`. False: another instruction, or none. */
bool common_decode(uint64_t address, uint64_t most, struct instruction *out);

/* Copies of instructions other than branches, and of a branch's operand. */

/* Copies an instruction; adjusts an operand at a fixed address. Returns the end of the instruction's copy, which code
 * to restore a register may follow. */
uint64_t copy_instruction(const struct instruction *instruction);

/* mov (operand of an indirect call or jump), %rcx */
void copy_load_of_operand(const struct instruction *instruction);

/* Emits a comparison in its place, which reads the same memory (decode_comparison()). */
void copy_comparison(const struct instruction *instruction);
enum { COPY_COMPARISON_FLAGS = FLAGS_OF_ARITHMETIC }; /* what it changes */
