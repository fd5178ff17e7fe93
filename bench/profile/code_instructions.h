/* SPDX-License-Identifier: BSD-3-Clause
 * Blocks of machine code decoded: the same code once, however many look at it and however many processes ran it. */
#ifndef BENCH_PROFILE_CODE_INSTRUCTIONS_H
#define BENCH_PROFILE_CODE_INSTRUCTIONS_H

#include "profile_dump.h"

#include "asm/instruction.h"

struct code_block { /* of a dump */
    const uint8_t *code;
    const struct decoded_instruction *instructions;
    uint32_t count; /* of them: fewer than the block is said to have where its code is none */
};
struct code_instructions { /* zero to begin with */
    struct decoded_run **slots;
    size_t run_count, slot_count, instruction_count;
};

/* Each block of a dump that was checked; allocated. They live until the next dump is asked for, or these are freed. */
struct code_block *code_instructions_find(struct code_instructions *known, const struct dump *dump);
void code_instructions_free(struct code_instructions *known);

#endif
