/* SPDX-License-Identifier: BSD-3-Clause
 * Which registers must be saved, and when, so that the addresses of all memory accesses of a piece of code can be
 * computed afterwards. They are few, because the code's own changes of registers are known. Freestanding. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

enum { RECIPE_VALUES = 254, RECIPE_ACCESSES = 512, RECIPE_NONE = 0xff };

/* A value saved right before an instruction executes, or after the last instruction. */
enum recipe_kind {
    RECIPE_GENERAL, /* a general register: 8 bytes */
    RECIPE_VECTOR,  /* a vector register (addresses or mask of a gather): 16, 32 or 64 bytes */
    RECIPE_MASK,    /* a mask register: 8 bytes */
};
struct recipe_value {
    uint16_t instruction; /* index over all copies */
    uint16_t at;          /* position of the saved value, in units of 8 bytes */
    uint8_t kind, reg;    /* enum recipe_kind; the number of the register */
    uint8_t bytes;
    int64_t step; /* in loops: its increase per round */
};

enum recipe_access_kind {
    RECIPE_LOAD,
    RECIPE_STORE,
    RECIPE_UPDATE,      /* a load and a store of the same bytes */
    RECIPE_NONTEMPORAL, /* a store that bypasses the caches */
    RECIPE_TOUCH,       /* a prefetch: only the line */
};
/* An access of `bytes` at (value of `base`, or 0) + (value of `index`, or 0) × scale + offset. */
struct recipe_access {
    int64_t offset;
    uint16_t instruction;
    uint16_t bytes;      /* of one element, if there are several */
    uint8_t kind;        /* enum recipe_access_kind */
    uint8_t base, index; /* indices of values, or RECIPE_NONE */
    uint8_t scale;
    uint8_t end;    /* repeated instruction: the value of `base` after it (below the one before if the direction flag is
                       set); or RECIPE_NONE */
    bool in_thread; /* relative to the base of the fs segment */
    bool is_32_bit; /* only 32 bits of the address count */
    uint8_t lanes;  /* gather or scatter: number of indices, of `index_bytes` each; 0: neither */
    uint8_t index_bytes;
    uint8_t mask; /* the saved mask: by bits (`mask_bytes` 0), or by the sign bits of elements of `mask_bytes` */
    uint8_t mask_bytes;
};

struct address_recipe {
    uint16_t value_count, access_count;
    uint16_t words;  /* size of the values, in units of 8 bytes */
    bool incomplete; /* it lacks the addresses of some accesses */
    /* In loops: the value that shows how many copies were executed, since each changes its register once by the same
     * amount; or RECIPE_NONE. If it is set, all values are of general registers, saved once before the first round, and
     * each round adds their steps. */
    uint8_t rounds_by;
    int unused;                                /* a general register that the code neither reads nor writes; -1: none */
    struct recipe_value values[RECIPE_VALUES]; /* in the order of the instructions */
    struct recipe_access accesses[RECIPE_ACCESSES];
};

/* Decoded code: `copies` copies of its instructions, one after the other, each leading to the next. */
struct recipe_code {
    uint32_t instruction_count, copies;
    bool loops; /* the last copy leads to the first */
    /* The instruction of this index of the code, its operands, and the address after it. */
    const ZydisDecodedInstruction *(*get)(const void *code, uint32_t index, const ZydisDecodedOperand **operands,
                                          uint64_t *next);
    const void *code;
};
void address_recipe_make(const struct recipe_code *code, struct address_recipe *out);
