/* SPDX-License-Identifier: BSD-3-Clause
 * The build-time generator's parts. One emitter writes every instruction and counts its cost, so that a kernel's cost
 * is the sum over its instructions and is never typed in. */
#pragma once

#include <stdio.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"

enum { LINE_BYTES = 64, PAGE_BYTES = 4096 };

/* How an ISA's instructions are written. An ISA with different encodings for FMA and for adds has two rows. */
struct dialect {
    const char *isa;
    enum coding { /* EVEX is written as VEX */
                  CODING_NONE,
                  CODING_X87,
                  CODING_LEGACY,
                  CODING_VEX,
                  CODING_AMX,
                  CODING_GENERAL
    } coding;
    const char *registers; /* "ymm" */
    bool packed;
    bool plain, fused; /* has kernels of adds and multiplications; of FMA */
    bool integers;     /* has kernels of integer operations, each one instruction */
    bool evex;         /* has the instructions that only EVEX has */
    uint32_t needs;    /* in addition to the ISA's own */
};
extern const struct dialect dialect_table[];
extern const size_t dialect_count;

/* A type beyond f64 and f32 that an ISA can compute with: the features needed in addition to the ISA's, and for a dot
 * product its instruction. */
struct extension {
    const char *isa;
    enum element_type type;
    uint32_t needs;
    const char *op;  /* "dot"; NULL: all the plain and fused operations */
    const char *dot; /* "tdpbf16ps"; in dots.h or a mnemonic of the assembler's */
};
const struct extension *extension_find(const struct dialect *dialect, enum element_type type,
                                       const char *op); /* NULL: none */

/* The effect of an instruction, for the cost. */
enum generated_effect {
    EFFECT_NONE,
    EFFECT_ADD,
    EFFECT_MUL,
    EFFECT_FMA,
    EFFECT_DIV,
    EFFECT_SQRT,
    EFFECT_DOT,
    EFFECT_SHIFT,
    EFFECT_EQUAL,
    EFFECT_GREATER,
    EFFECT_COMPARE,
    EFFECT_LOAD,
    EFFECT_STORE,
};

/* A kernel during writing: each instruction is added to its descriptor. */
struct emitter {
    FILE *code, *table, *list; /* functions, descriptors, and pointers to descriptors */
    const struct dialect *dialect;
    const struct isa *isa;
    bool in_loop;
    struct kernel kernel;
    char name[64], op[32], variant[32];
};

struct operand_text {
    char text[32];
};

/* One instruction in AT&T syntax, printf-like; `%[name]` is an operand of the surrounding asm statement. */
__attribute__((format(printf, 3, 4))) void emit(struct emitter *e, enum generated_effect effect, const char *format,
                                                ...);

/* A dot product of register `sum` with registers `first` and `second`, by its name in the extension table. */
void emit_dot(struct emitter *e, const char *name, unsigned sum, unsigned first, unsigned second);

/* The registers and mnemonics of the emitter's dialect: emit_register(e, 3) = "%ymm3"; emit_mnemonic(e, "add") =
 * "vaddpd"; emit_move(e) = "vmovaps". */
struct operand_text emit_register(const struct emitter *e, unsigned index);
struct operand_text emit_mnemonic(const struct emitter *e, const char *base);
const char *emit_move(const struct emitter *e);

/* The general registers that kernels use: r8 to r15. */
enum { FIRST_GENERAL = 8, GENERAL_COUNT = 8 };
#define GENERAL_CLOBBERS ", \"r8\", \"r9\", \"r10\", \"r11\", \"r12\", \"r13\", \"r14\", \"r15\""
#define MASK_CLOBBERS    ", \"k1\", \"k2\", \"k3\", \"k4\", \"k5\", \"k6\", \"k7\""

unsigned emit_data_bytes(const struct emitter *e); /* of one load or store */

/* The frame of a kernel: begin, prologue, loop, body, loop_end, epilogue, end. Inside, rax is the cursor in the buffer
 * and rcx counts blocks. `op` is the last part of the name. `extra_clobbers` are general registers that the body uses:
 * "" or `, "rdx"`. A pointer chase continues where it stopped; other kernels rewind the cursor for each pass. */
void emit_begin(struct emitter *e, enum kernel_kind kind, enum element_type type, const char *op, const char *variant);
void emit_loop(struct emitter *e);
void emit_loop_end(struct emitter *e, unsigned step_bytes);
void emit_end(struct emitter *e, const char *extra_clobbers);

/* The operand table of a type, as C: constants and start values that stay normal numbers for any number of steps, and
 * the configuration of tiles. */
enum operand_row { ROW_STEP, ROW_SCALE, ROW_SCALE_BACK, ROW_SCALE_NEGATIVE, ROW_FMA, ROW_START, ROW_NONE = 255 };
enum { START_COUNT = 29, ROW_TILES = ROW_START + START_COUNT, ROW_COUNT };
void operands_write(FILE *out, enum element_type type);
unsigned operands_offset_bytes(unsigned row);

/* An integer operation as one instruction: on even and on odd visits of an accumulator. */
struct integer_instruction {
    char letter;
    enum element_type type;
    const char *names[2];  /* "padd", "psub"; VEX adds a v in front */
    uint32_t legacy_needs; /* for the SSE form, in addition to the ISA's own */
    bool evex;             /* only AVX-512 has it */
};

/* Whether an ISA has this arithmetic of a type, and the features needed in addition to the ISA's. */
bool arithmetic_exists(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic);
uint32_t arithmetic_needs(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic);

/* arithmetic_start() loads the constants and start values; arithmetic_emit() writes the n-th operation, visiting the
 * accumulators in turn; arithmetic_finish() empties the x87 stack. An accumulator must be visited an even number of
 * times per iteration. */
unsigned arithmetic_accumulators_max(const struct emitter *e, const struct arithmetic_order *order);
void arithmetic_start(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators);
void arithmetic_emit(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators, unsigned n);
void arithmetic_finish(struct emitter *e, unsigned accumulators);

/* The fewest operations, at least accumulators × unroll, that contain the exact mix and visit every accumulator an even
 * number of times. */
unsigned arithmetic_operations(const struct arithmetic_order *order, unsigned accumulators, unsigned unroll);

/* Some letter owns no accumulator: its results go to registers that are read by nothing. */
bool arithmetic_writes_fresh(const struct arithmetic_order *order);

/* The number of accumulators is a multiple of this. */
unsigned arithmetic_shape_parts(const struct arithmetic_order *order);

/* "12x2"; or by operation "8+4x2": eight accumulators of the first letter, four of the second, visited twice; with an
 * order other than the plain one, "7+6x12.maam"; "10+0x4": the second letter owns none. */
void arithmetic_variant(const struct arithmetic_order *order, unsigned accumulators, unsigned unroll, char *out,
                        size_t size);

void generate_compute(struct emitter *e);
void generate_memory(struct emitter *e);
void generate_random(struct emitter *e);
void generate_mixed(struct emitter *e);
void generate_chase(struct emitter *e);
void generate_chases(struct emitter *e);
void generate_store_ways(struct emitter *e);
void generate_elements(struct emitter *e);
