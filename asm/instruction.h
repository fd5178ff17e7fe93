/* SPDX-License-Identifier: BSD-3-Clause
 * One decoded instruction of a program: length, mnemonic and cost (arithmetic by type and width, bytes accessed). Each
 * architecture has its own decoder.
 *
 * Conventions: add, sub, mul, div, sqrt, min, max, range, scale, rcp, rsqrt and exp2 count one per lane, and FMA two.
 * Dot products count a multiplication and an addition per pair (DPPS: per selected pair), complex products their parts
 * (6; with accumulation 8), and the slow functions of the x87 (sine, logarithm, remainder, …) one. Compares,
 * conversions, moves, shuffles, rounding and logic count nothing. Integer arithmetic counts nothing either, except dot
 * products for neural networks (VNNI, AMX). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "element.h"

struct error;

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
}; /* the last four: only in kernels of integers */

/* Some costs are known only at run time: a cost per element, times a number of elements. Without a cost per element,
 * the full cost applies: a masked instruction loads a broadcast or shuffled operand whatever its mask. */
enum effect_dynamic {
    DYNAMIC_NONE,
    DYNAMIC_REPEAT,       /* elements: iterations of a repeated instruction */
    DYNAMIC_MASK,         /* elements: set bits among the lowest elements_most of mask register `mask` */
    DYNAMIC_VECTOR_MASK,  /* elements: elements of vector register `mask` with their sign bit set */
    DYNAMIC_TILE,         /* elements: rows × bytes per row of tile `mask` as configured (loads and stores) */
    DYNAMIC_TILE_PRODUCT, /* elements: rows of tile `mask` × its bytes per row / 4 × bytes per row of tile `mask2` /
                           * mask_element_bytes (dot products) */
};

/* The classes of an instruction mix; every instruction has one. */
enum effect_class {
    CLASS_OTHER,
    CLASS_FLOP_SCALAR, /* arithmetic that counts flop or integer dot products, by width */
    CLASS_FLOP_128,
    CLASS_FLOP_256,
    CLASS_FLOP_512,
    CLASS_FLOP_TILE,
    CLASS_CONVERT, /* conversions, compares, rounding */
    CLASS_SHUFFLE, /* on vectors: shuffles, blends, logic, masks, integer arithmetic */
    CLASS_MOVE,    /* moves, loads, stores of any width */
    CLASS_GATHER,  /* gathers and scatters */
    CLASS_INTEGER, /* on general registers: arithmetic, logic, shifts, addresses, compares */
    CLASS_BRANCH,  /* jumps */
    CLASS_CALL,    /* calls and returns */
    CLASS_STRING,  /* repeated and other string operations */
    CLASS_COUNT,
};
extern const char *const effect_class_names[CLASS_COUNT + 1]; /* "flop 256 bit"; NULL at the end */

struct effect {
    enum sort sort;
    enum effect_class class;
    enum element_type type; /* of arithmetic: the type multiplied, not the sum's */
    bool x87;
    unsigned lanes;                   /* elements processed; of a product of tiles, pairs */
    unsigned flop;                    /* over all lanes; for integer types: operations */
    unsigned flop_bytes;              /* width of the arithmetic: 16, 32, 64; 0: scalar, x87 or tiles */
    unsigned load_bytes, store_bytes; /* of all lanes, a whole tile, or one iteration of a repeated instruction */
    unsigned stack_load_bytes, stack_store_bytes; /* implicit: pushes, pops, calls, returns; not included above */
    bool bytes_unknown;                           /* it moves an unknown number of bytes: saves of the CPU's state */
    bool unknown;                                 /* only its length and its operand in memory are known */
    unsigned data_bytes;                          /* width of its arithmetic or memory access; 0 if it has neither */

    enum effect_dynamic dynamic;
    unsigned mask, mask2;        /* registers, by the decoder's numbers */
    unsigned mask_element_bytes; /* only for DYNAMIC_VECTOR_MASK and DYNAMIC_TILE_PRODUCT */
    unsigned elements_most;      /* number of elements with the full cost above; 0: no bound (repeated) */
    unsigned element_flop, element_load_bytes, element_store_bytes; /* per element */
    unsigned unfused_flop; /* its flop, if instructions_find_unfused() found it in a pair; else 0 */
};

/* Where execution continues. */
enum flow {
    FLOW_NEXT,   /* at the next instruction */
    FLOW_JUMP,   /* `branch_bytes` after its end */
    FLOW_EITHER, /* at either of these */
    FLOW_CALL,   /* in a function there, then at the next; `branch_bytes` is 0 if the function is unknown */
    FLOW_AWAY,   /* unknown: returns, jumps through registers and memory */
};

struct decoded_instruction {
    unsigned length_bytes;
    const char *mnemonic; /* "vfmadd213pd"; "unknown"; "newer": only its name is unknown */
    bool pauses;          /* made for spin loops: `pause` */
    bool reads_clock;     /* directly from the CPU, not by a system call */
    bool stores_outside;  /* it stores a computed value outside the stack frame, or may do so */
    enum flow flow;
    int64_t branch_bytes; /* from its end to its target */
    struct effect effect;
};

/* Whether this build decodes and encodes instructions at all. Error: it was built without a decoder. */
bool instruction_readable(struct error *err);

/* Decodes the first instruction in `code`, which holds `code_bytes`. False: not even its length is known. */
bool instruction_decode(const void *code, size_t code_bytes, struct decoded_instruction *out);

/* Finds multiplications whose product is used by one addition (or subtraction) of the same type and width, and by
 * nothing else: one fused instruction could replace both. `code` is a block that runs from its first to its last
 * instruction. Products that leave the block in registers count as used, unless the block jumps back to its begin. */
void instructions_find_unfused(const void *code, struct decoded_instruction *instructions, size_t count);

/* The instruction as text, "pause", "jnz 0x20", cut to `size`: destination first, sizes only where needed. Branch
 * targets are absolute addresses like `address`; operands relative to the instruction stay distances. Newer than the
 * decoder: its bytes, "unknown (c4 e2 73 50 c1)". "(bad)": none. Returns `out`. */
const char *instruction_text(const void *code, size_t code_bytes, uint64_t address, char *out, size_t size);
