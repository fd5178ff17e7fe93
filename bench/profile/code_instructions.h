/* SPDX-License-Identifier: BSD-3-Clause
 * Decoded blocks of machine code. Equal code is decoded once for all users and all processes. */
#pragma once

#include "profile_dump.h"

#include "asm/instruction.h"

struct code_block { /* a block of a dump */
    const uint8_t *code;
    const struct decoded_instruction *instructions;
    uint32_t count; /* decoded instructions: fewer than the dump states if the bytes are no valid code */
};
struct code_instructions { /* zero before first use */
    struct decoded_run **slots;
    size_t run_count, slot_count, instruction_count;
};

/* Decodes each block of a checked dump. The array is allocated. The instructions live until the next call or
 * code_instructions_free(). */
struct code_block *code_instructions_find(struct code_instructions *known, const struct dump *dump);
void code_instructions_free(struct code_instructions *known);
