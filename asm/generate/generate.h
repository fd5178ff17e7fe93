/* SPDX-License-Identifier: BSD-3-Clause
 * The build-time generator's parts. One emitter writes every instruction and counts its cost, so that a kernel's cost
 * is the sum over its instructions and is never typed in. An architecture's folder has the tables and the functions
 * write_*() of this header. */
#pragma once

#include <stdio.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"

enum { LINE_BYTES = 64 };

/* How an ISA's instructions are written. An ISA with different encodings for FMA and for adds has two rows. */
struct dialect {
    const char *isa;
    const char *registers; /* without their number; NULL: general registers, which hold one integer each */
    unsigned register_count;
    bool packed;
    bool plain, fused;  /* has kernels of adds and multiplications; of FMA */
    bool integers;      /* has kernels of integer operations, each one instruction */
    bool keeps_sources; /* a result may go to another register than its operands */
    cpu_features needs; /* in addition to the ISA's own */
    unsigned sums;      /* of FMAs that keep its cores' units busy, if these are more than twelve */
    bool pairs;         /* has loads and stores of two registers; its nontemporal stores are such */
    const char *model; /* the ISA whose extensions it has, and whose compute kernels: they are the same code for vectors
                          of any length. NULL: it has its own */
    const struct compute_shape *shapes; /* to try; NULL: those of vectors */
};
extern const struct dialect dialect_table[];
extern const size_t dialect_count;
extern const cpu_features dialect_features; /* of the ways to store that the architecture has (asm/pattern.h) */

/* Accumulators × unroll of a compute kernel, by the number of parts or owners; 0: up to three parts, all of which own
 * accumulators. A row without accumulators ends a list. */
struct compute_shape {
    unsigned parts, accumulators, unroll;
};

/* A type beyond f64 and f32 that an ISA can compute with: the features needed in addition to the ISA's, and for a dot
 * product its instruction. */
struct extension {
    const char *isa;
    enum element_type type;
    cpu_features needs;
    const char *op;  /* "dot"; NULL: all the plain and fused operations */
    const char *dot; /* "tdpbf16ps" */
};
extern const struct extension extension_table[];
extern const size_t extension_count;

/* The effect of an instruction, for the cost. */
enum generated_effect {
    EFFECT_NONE,
    EFFECT_ADD,
    EFFECT_MUL,
    EFFECT_FMA,
    EFFECT_DIV,
    EFFECT_SQRT,
    EFFECT_DOT,
    EFFECT_MATRIX,
    EFFECT_OUTER,
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
    const struct isa *isa; /* NULL: the kernel has none */
    bool in_loop;
    bool pairs;           /* a load or store is one of two registers */
    const char *clobbers; /* registers that the body uses beside the ISA's: "" or `, "x9"` */
    struct kernel kernel;
    char name[64], op[32], variant[32];
};

struct operand_text {
    char text[32];
};

/* One instruction in the assembler's syntax, printf-like; `%[name]` is an operand of the surrounding asm statement, and
 * `%{` a brace where its compiler gives braces a meaning. */
__attribute__((format(printf, 3, 4))) void emit(struct emitter *e, enum generated_effect effect, const char *format,
                                                ...);

bool emit_is(const struct emitter *e, enum isa_operands operands);
bool emit_is_general(const struct emitter *e);       /* general registers */
unsigned emit_data_bytes(const struct emitter *e);   /* of one register that is loaded or stored */
unsigned emit_access_bytes(const struct emitter *e); /* of one load or store */
unsigned emit_outer_bytes(const struct emitter *e);  /* of a sum of outer products */

/* The frame of a kernel as C; `op` is the last part of the name. Between: prologue, write_loop_begin(), body,
 * write_loop_end(), epilogue; then write_end(), which calls emit_end(). `cursor` is the operand of the cursor in the
 * buffer: its constraint, and its name if it has one. `clobbers` are the frame's own. */
void emit_begin(struct emitter *e, enum kernel_kind kind, enum element_type type, const char *op, const char *variant);
void emit_loop_begin(struct emitter *e);
void emit_loop_end(struct emitter *e, unsigned step_bytes);
void emit_end(struct emitter *e, const char *cursor, const char *clobbers);

/* The operand table of a type, as C: constants and start values that stay normal numbers for any number of steps, and
 * the configuration of tiles. */
enum operand_row { ROW_STEP, ROW_SCALE, ROW_SCALE_BACK, ROW_SCALE_NEGATIVE, ROW_FMA, ROW_START, ROW_NONE = 255 };
enum { START_COUNT = 29, ROW_TILES = ROW_START + START_COUNT, ROW_COUNT };
void operands_write(FILE *out, enum element_type type);
unsigned operands_offset_bytes(unsigned row);

/* From here to write_chains_end(): what an architecture writes. Registers are numbered from 0, general ones too in
 * dialects of them; shared code uses at least eight. */
struct operand_text write_clobber(const struct isa *isa, unsigned index); /* a register, by its name there */
unsigned write_register_count(const struct emitter *e, const struct arithmetic_order *order); /* free for arithmetic */

/* The loop over passes and the one over blocks, in which the emitter counts: emit_loop_begin() is called at the start
 * of its body, emit_loop_end() after it. A pointer chase continues where it stopped; other kernels rewind the cursor
 * for each pass. */
void write_loop_begin(struct emitter *e);
void write_loop_end(struct emitter *e, unsigned step_bytes);
void write_end(struct emitter *e);

/* Before the loop: what arithmetic needs that is no register; a row of the operand table into a register. */
void write_arithmetic_begin(struct emitter *e);
void write_operand(struct emitter *e, unsigned row, unsigned index);

/* Whether an ISA has the integer operation of a letter, and the features needed in addition to the ISA's. */
bool write_has_integers(const struct emitter *e, enum element_type type, char letter);
cpu_features write_integer_needs(const struct emitter *e, enum element_type type, char letter);

/* One operation on registers, by its letter; the visit, 0 or 1, chooses of two directions. `to` is `from` where an
 * accumulator is visited. `step` is the second constant of fused operations and the first factor of dot products. */
struct operation {
    char letter;
    enum generated_effect effect;
    unsigned visit, constant, step, from, to;
    const char *dot; /* its instruction; NULL: no dot product */
};
void write_operation(struct emitter *e, const struct operation *operation);

/* Accesses at an offset from the cursor. Before the loop, write_source() fills the register that is stored. Pairs of
 * loads go to registers 2 * index and 2 * index + 1; pairs of stores store one register twice. */
void write_source(struct emitter *e, unsigned index, bool nontemporal, bool zeros);
void write_load(struct emitter *e, unsigned offset_bytes, unsigned index);
void write_store(struct emitter *e, unsigned offset_bytes, unsigned index, bool nontemporal);
void write_fence(struct emitter *e);                         /* after stores that bypass the caches */
void write_line_of_zeros(struct emitter *e);                 /* one instruction */
void write_demote(struct emitter *e, unsigned offset_bytes); /* one instruction */

/* Random lines: starts so many generators; makes an index of a line by one of them; loads from that line. */
void write_random_begin(struct emitter *e, unsigned states);
void write_random_line(struct emitter *e, unsigned state);
void write_random_load(struct emitter *e, unsigned offset_bytes, unsigned index);

/* Pointer chases: a hop of the cursor; and of `count` chains, which wait in an array at the cursor. */
void write_hop(struct emitter *e);
void write_chains_begin(struct emitter *e, unsigned count);
void write_chains_hop(struct emitter *e, unsigned chain);
void write_chains_end(struct emitter *e, unsigned count);

/* Whether an ISA has this arithmetic of a type, and the features needed in addition to the ISA's. */
bool arithmetic_exists(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic);
cpu_features arithmetic_needs(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic);

/* arithmetic_start() loads the constants and start values; arithmetic_emit() writes the n-th operation, visiting the
 * accumulators in turn. An accumulator must be visited an even number of times per iteration. */
unsigned arithmetic_accumulators_max(const struct emitter *e, const struct arithmetic_order *order);
void arithmetic_start(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators);
void arithmetic_emit(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators, unsigned n);

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
