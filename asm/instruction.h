/* SPDX-License-Identifier: BSD-3-Clause
 * One instruction of a program's machine code: how long it is, what it is called, and what it costs, which is
 * arithmetic by type and width, and bytes asked for. Each architecture decodes its own.
 *
 * Conventions: add, sub, mul, div, sqrt, min, max, range, scale, rcp, rsqrt and exp2 count one per lane, FMA two, dot
 * products a multiplication and an addition per pair, complex products what they are made of (6, adding up: 8); the
 * slow functions of the x87 (sine, logarithm, remainder, …) one. Compares, conversions, moves, shuffles, rounding and
 * logic count nothing, nor does the arithmetic of integers, but for dot products made for neural networks (VNNI, AMX).
 */
#ifndef ASM_INSTRUCTION_H
#define ASM_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "element.h"

enum sort {
    SORT_FREE,
    SORT_ADD,
    SORT_MUL,
    SORT_FMA,
    SORT_DIV,
    SORT_SQRT,
    SORT_DOT,
    SORT_OTHER,
    SORT_SHIFT,
    SORT_EQUAL,
    SORT_GREATER,
    SORT_COMPARE
}; /* the last four: of kernels of integers alone */

/* Some costs are known only when the instruction runs: the cost per element times a number of elements. Where there is
 * none per element the full cost stands: a masked instruction loads a broadcast operand, or one that it shuffles,
 * whatever the mask says. */
enum effect_dynamic {
    DYNAMIC_NONE,
    DYNAMIC_REPEAT,       /* elements: iterations of a repeated instruction */
    DYNAMIC_MASK,         /* elements: the set bits among the lowest elements_most of mask register `mask` */
    DYNAMIC_VECTOR_MASK,  /* elements: those of vector register `mask` whose sign bit is set */
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
    CLASS_INTEGER, /* of general registers: arithmetic, logic, shifts, addresses, compares */
    CLASS_BRANCH,  /* jumps */
    CLASS_CALL,    /* calls and returns */
    CLASS_STRING,  /* repeated and other string operations */
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
    unsigned stack_load_bytes, stack_store_bytes; /* implicit: pushes, pops, calls, returns; not in the above */
    bool bytes_unknown;  /* it moves bytes, but how many is not known: saves of the CPU's state */
    unsigned data_bytes; /* width of what it computes, or moves to or from memory; 0 when it does neither */

    enum effect_dynamic dynamic;
    unsigned mask, mask2;        /* registers, by the decoder's numbers */
    unsigned mask_element_bytes; /* of DYNAMIC_VECTOR_MASK and DYNAMIC_TILE_PRODUCT */
    unsigned elements_most;      /* so many elements make the full cost above; 0: no bound (repeated) */
    unsigned element_flop, element_load_bytes, element_store_bytes; /* per element */
    unsigned unfused_flop; /* its flop, if it is of a pair that instructions_find_unfused found; else 0 */
};

/* Where an instruction leads. */
enum flow {
    FLOW_NEXT,   /* to the one behind it */
    FLOW_JUMP,   /* to `branch_bytes` behind its end */
    FLOW_EITHER, /* to either of these */
    FLOW_CALL,   /* to a function there, and back behind it; `branch_bytes` is 0 where it isn't known where to */
    FLOW_AWAY,   /* it isn't known where to: returns, jumps through registers and memory */
};

struct decoded_instruction {
    unsigned length_bytes;
    const char *mnemonic; /* "vfmadd213pd" */
    bool pauses;          /* made for loops that wait for another thread: `pause` */
    bool reads_clock;     /* the CPU's own, not by a system call */
    bool stores_outside;  /* it stores what it or others computed, and not to the stack's frame */
    enum flow flow;
    int64_t branch_bytes; /* from its end to where it leads */
    struct effect effect;
};

/* Decodes the first instruction of `code`, of which so many bytes are there. False: there is none that is known. */
bool instruction_decode(const void *code, size_t code_bytes, struct decoded_instruction *out);

/* Finds, in a block of code that runs from its first instruction to its last, multiplications whose product one
 * addition (or subtraction) of the same type and width uses, and nothing else: what one fused instruction could do.
 * Products that leave the block in their registers count as used up, unless it leads back to its begin. */
void instructions_find_unfused(const void *code, struct decoded_instruction *instructions, size_t count);

/* It as text, "pause", "jnz 0x20", cut to `size`: destination first, sizes where nothing else tells them. What
 * it leads to is an address as its own is; what it loads from beside itself stays a distance. "(bad)": none is known.
 * Returns `out`. */
const char *instruction_text(const void *code, size_t code_bytes, uint64_t address, char *out, size_t size);

#endif
