/* SPDX-License-Identifier: BSD-3-Clause
 * What a single instruction does to the cost of the code around it, and the CPU feature that it needs. */
#ifndef ASM_DECODE_EFFECT_H
#define ASM_DECODE_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include "../probe/isa.h"
#include "element.h"

enum sort { SORT_FREE, SORT_ADD, SORT_MUL, SORT_FMA, SORT_DIV, SORT_SQRT, SORT_DOT };

struct effect {
    enum sort sort;
    enum element_type type; /* of arithmetic: what it multiplies, not what it adds up in */
    unsigned lanes;         /* elements that it works on; of a product of tiles, pairs that meet */
    unsigned load_bytes, store_bytes;
    unsigned data_bytes; /* width of what it computes, or moves to or from memory; 0 when it does neither */
    bool x87;
    const ZydisDecodedOperand *memory; /* the operand that it accesses, NULL when there is none */
};

/* False when the cost is not known: arithmetic beyond the table, masks, gathers, string operations, the stack. */
bool effect_find(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, struct effect *out);

/* The enum cpu_feature bit that the instruction needs, 0 for what every x86-64 has; false when that is not known. */
bool effect_feature(const ZydisDecodedInstruction *instruction, uint32_t *feature);

/* The features with those that every CPU of theirs has too. */
uint32_t effect_features_implied(uint32_t features);

#endif
