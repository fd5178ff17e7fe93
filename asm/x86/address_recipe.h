/* SPDX-License-Identifier: BSD-3-Clause
 * Which registers have to be kept, and when, so that the addresses of all that a piece of code accesses in memory can
 * be worked out afterwards: few, since what is added to a register by the code itself is known. Freestanding. */
#ifndef ASM_ADDRESS_RECIPE_H
#define ASM_ADDRESS_RECIPE_H

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

enum { RECIPE_VALUES = 254, RECIPE_ACCESSES = 512, RECIPE_NONE = 0xff };

/* What is kept right before an instruction is executed; behind all of them, what is before the one that is next. */
enum recipe_kind {
    RECIPE_GENERAL, /* a general register: 8 bytes */
    RECIPE_VECTOR,  /* a vector register, for the addresses of a gather, or its mask: 16, 32 or 64 bytes */
    RECIPE_MASK,    /* a mask register: 8 bytes */
};
struct recipe_value {
    uint16_t instruction; /* its index, counted over all copies */
    uint16_t at;          /* where it is kept, in units of 8 bytes */
    uint8_t kind, reg;    /* enum recipe_kind; the number of the register */
    uint8_t bytes;
    int64_t step; /* of a loop: by how much more it is in the next round */
};

enum recipe_access_kind {
    RECIPE_LOAD,
    RECIPE_STORE,
    RECIPE_UPDATE,      /* a load, and a store to the same bytes */
    RECIPE_NONTEMPORAL, /* a store past the caches */
    RECIPE_TOUCH,       /* of a prefetch: the line alone */
};
/* At (value of `base`, or 0) + (value of `index`, or 0) × scale + offset, and from there on `bytes`. */
struct recipe_access {
    int64_t offset;
    uint16_t instruction;
    uint16_t bytes;      /* of one element, where there are several */
    uint8_t kind;        /* enum recipe_access_kind */
    uint8_t base, index; /* indices of values, or RECIPE_NONE */
    uint8_t scale;
    uint8_t end; /* a repeated instruction: the value of `base` behind it, below the one before it where the direction
                  * flag is set; RECIPE_NONE */
    bool in_thread; /* behind the base of the fs segment */
    bool is_32_bit; /* of the address only so much counts */
    uint8_t lanes;  /* of a gather or scatter: each has its index, of `index_bytes`; 0: it is none */
    uint8_t index_bytes;
    uint8_t mask; /* the value of its mask, by bits (`mask_bytes` 0), or by the sign bits of such elements */
    uint8_t mask_bytes;
};

struct address_recipe {
    uint16_t value_count, access_count;
    uint16_t words;  /* units of 8 bytes that the values take */
    bool incomplete; /* there are accesses whose addresses it does not tell */
    /* Of a loop: the value that tells how many copies were executed, as each changes its register once, by as much; or
     * RECIPE_NONE. Where there is one, all values are of general registers, kept once before the first round, and each
     * round adds their steps. */
    uint8_t rounds_by;
    int unused; /* a general register that the code neither reads nor writes; -1: it uses all */
    struct recipe_value values[RECIPE_VALUES]; /* in the order of the instructions */
    struct recipe_access accesses[RECIPE_ACCESSES];
};

/* What was decoded of the code; instructions of several copies, one behind the other, that lead to the next. */
struct recipe_code {
    uint32_t instruction_count, copies;
    bool loops; /* the last copy leads to the first */
    /* The instruction of this index of the code, with its operands, and the address behind it. */
    const ZydisDecodedInstruction *(*get)(const void *code, uint32_t index, const ZydisDecodedOperand **operands,
                                          uint64_t *next);
    const void *code;
};
void address_recipe_make(const struct recipe_code *code, struct address_recipe *out);

#endif
