/* SPDX-License-Identifier: BSD-3-Clause
 * What a single instruction costs: arithmetic by type and width, bytes asked for, and the CPU feature that it needs.
 *
 * Conventions: add, sub, mul, div, sqrt, min, max, range, scale, rcp, rsqrt and exp2 count one per lane, FMA two, dot
 * products a multiplication and an addition per pair, complex products what they are made of (6, adding up: 8); the
 * slow functions of the x87 (sine, logarithm, remainder, …) one. Compares, conversions, moves, shuffles, rounding and
 * logic count nothing, nor does the arithmetic of integers, but for dot products made for neural networks (VNNI, AMX).
 */
#ifndef ASM_EFFECT_H
#define ASM_EFFECT_H

#include <stdbool.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

#include "probe/isa.h"
#include "asm/element.h"

enum sort { SORT_FREE, SORT_ADD, SORT_MUL, SORT_FMA, SORT_DIV, SORT_SQRT, SORT_DOT, SORT_OTHER };

/* Some costs are known only when the instruction runs: the cost per element times a number of elements. Where there is
 * none per element the full cost stands: a masked instruction loads a broadcast operand, or one that it shuffles,
 * whatever the mask says. */
enum effect_dynamic {
    DYNAMIC_NONE,
    DYNAMIC_REPEAT,       /* elements: iterations, by which rcx falls */
    DYNAMIC_MASK,         /* elements: the set bits among the lowest elements_most of opmask register `mask` */
    DYNAMIC_VECTOR_MASK,  /* elements: those of vector register `mask` whose sign bit is set (vmaskmov, AVX2 gathers) */
    DYNAMIC_TILE,         /* elements: rows × bytes per row of tile `mask`, as it is configured (loads and stores) */
    DYNAMIC_TILE_PRODUCT, /* elements: rows of tile `mask` × its bytes per row / 4 × bytes per row of tile `mask2` /
                           * mask_element_bytes (dot products) */
};

/* The sorts of an instruction mix; every instruction is of one. */
enum effect_class {
    CLASS_OTHER,
    CLASS_FLOP_SCALAR, /* arithmetic that counts flop or integer dot products, by width */
    CLASS_FLOP_128,
    CLASS_FLOP_256,
    CLASS_FLOP_512,
    CLASS_FLOP_TILE,
    CLASS_CONVERT, /* conversions, compares, rounding */
    CLASS_SHUFFLE, /* of vectors: shuffles, blends, logic, masks, integer arithmetic */
    CLASS_MOVE,    /* moves, loads, stores of any width */
    CLASS_GATHER,  /* gathers and scatters */
    CLASS_INTEGER, /* of general registers: arithmetic, logic, shifts, lea, compares */
    CLASS_BRANCH,  /* jumps */
    CLASS_CALL,    /* calls and returns */
    CLASS_STRING,  /* rep-prefixed and other string operations */
    CLASS_COUNT,
};
extern const char *const effect_class_names[CLASS_COUNT + 1]; /* "flop 256 bit"; NULL at the end */

struct effect {
    enum sort sort;
    enum effect_class class;
    enum element_type type; /* of arithmetic: what it multiplies, not what it adds up in; i8 of 16-bit integers, too */
    bool x87;
    unsigned lanes;                   /* elements that it works on; of a product of tiles, pairs that meet */
    unsigned flop;                    /* of all lanes; of integer types: operations */
    unsigned flop_bytes;              /* width of the arithmetic: 16, 32, 64; 0: scalar, x87 or tiles */
    unsigned load_bytes, store_bytes; /* of all lanes, of a tile in full, of one iteration of a repeated instruction */
    unsigned stack_load_bytes, stack_store_bytes; /* implicit: push, pop, call, ret, leave, enter; not in the above */
    bool bytes_unknown;  /* it moves bytes, but how many is not known: saves of the CPU's state */
    unsigned data_bytes; /* width of what it computes, or moves to or from memory; 0 when it does neither */
    const ZydisDecodedOperand *memory; /* the operand that it accesses, NULL when there is none */

    enum effect_dynamic dynamic;
    ZydisRegister mask, mask2;
    unsigned mask_element_bytes; /* of DYNAMIC_VECTOR_MASK and DYNAMIC_TILE_PRODUCT */
    unsigned elements_most;      /* so many elements make the full cost above; 0: no bound (rep) */
    unsigned element_flop, element_load_bytes, element_store_bytes; /* per element */
};

/* Every instruction has an effect; one beyond the tables is free of flop and has the bytes of its operands. */
void effect_find(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, struct effect *out);

/* Whether the kernels' proof may rest on it: arithmetic of the kernels' own sorts, moves, integer arithmetic, branches;
 * no masks, gathers, string operations, no implicit stack. */
bool effect_is_plain(const ZydisDecodedInstruction *instruction, const struct effect *effect);

/* The enum cpu_feature bit that the instruction needs, 0 for what every x86-64 has; false when that is not known. */
bool effect_feature(const ZydisDecodedInstruction *instruction, uint32_t *feature);

/* The features with those that every CPU of theirs has too. */
uint32_t effect_features_implied(uint32_t features);

#endif
