/* SPDX-License-Identifier: BSD-3-Clause
 * A piece of the program up to a branch, a system call or a mark: what becomes a block. */
#ifndef BENCH_COUNT_SEQUENCE_H
#define BENCH_COUNT_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "decode.h"

enum { SEQUENCE_INSTRUCTIONS = 240 };

struct sequence {
    struct instruction instructions[SEQUENCE_INSTRUCTIONS + 2];
    uint32_t count;
    bool branches;        /* the last instruction decides where to go on */
    bool loops;           /* a conditional jump at its end leads back to its start */
    uint32_t ends_region; /* it starts with this mark, which ends a region; 0: with none */
    uint32_t mark;        /* it ends with this mark; 0: with none */
    uint64_t next;        /* behind the last instruction */
};

/* From now on instructions have operands and effects, also those that could do without (common.h). */
void sequence_need_operands(void);

/* Decodes from an address; the code ends at `high`. `checked`: it may change at any time, so that a sequence ends
 * behind each store, and no loop is one. Ends the program when the first instruction is one that a counted program must
 * not execute; a later one ends the sequence. */
void sequence_decode(uint64_t address, uint64_t high, bool checked, struct sequence *out);

/* Leaves the first half of a sequence of two instructions or more. */
void sequence_cut(struct sequence *sequence);

/* Where a block is counted, and what that may change, since the instruction there replaces it by itself. */
struct count_place {
    uint32_t instruction;
    bool changes_flags;
    bool
        compares; /* what the instruction reads is read before, by a comparison: a fault finds the flags as they were */
    int changes_register; /* -1: none */
};
struct count_place sequence_count_place(const struct sequence *sequence);

#endif
