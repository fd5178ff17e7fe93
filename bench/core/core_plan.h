/* SPDX-License-Identifier: BSD-3-Clause
 * What is measured of a core: for each form of an instruction a chain, where each one needs the one before it, and
 * independent ones; and the values that tables have in their heads. Pure; each architecture has its own tables. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/incore/demand.h"
#include "probe/isa.h"

struct error;

enum { CORE_UNIT_BYTES = 240, CORE_LESS_MOST = 3, CORE_CODE_BYTES = 4096, CORE_GENERAL = 10, CORE_TABLE_WORDS = 1024 };

/* What registers and memory begin with. */
enum core_operands {
    CORE_INTEGERS,
    CORE_ZEROS,   /* conversions: no value becomes a denormal one of another type */
    CORE_DOUBLES, /* a little above 1: their products, quotients and sums stay normal numbers */
    CORE_SINGLES,
    CORE_HALVES,
    CORE_ROUND,     /* doubles: powers of 4, also their quotients and roots */
    CORE_X87,       /* doubles, also on the stack of x87 */
    CORE_SMALL,     /* dividends of 3 bits; CORE_INTEGERS: of 40 */
    CORE_LARGE,     /* of 64 bits */
    CORE_INDICES_4, /* indices of 4 bytes into the table: a line each; an index is found there */
    CORE_INDICES_8,
    CORE_CHASE,     /* the first general register points to a word that points to itself */
    CORE_INDEX,     /* it is an index into a table at the second one, where it finds itself */
    CORE_PREDICTED, /* of a random sequence no bit decides a branch */
    CORE_RANDOM,    /* one bit does */
    CORE_OPERANDS
};

/* A unit of code, repeated without an end. */
struct core_item {
    char form[DEMAND_FORM_BYTES]; /* of the instruction under test (asm/incore/demand.h), or a value of the head; behind
                                     a colon which of its cases: "div q: short" */
    bool chains;                  /* each unit needs the one before it: its time is a latency */
    bool crosses; /* between kinds of registers: only there and back can be timed, and each way has a share of it */
    bool helps;   /* only to be subtracted from others, and not reported */
    bool renames; /* a core may do it at renaming, as long as it finds few such places in the code: then it takes no
                     time, and counts as measured all the same */
    enum core_operands operands;
    cpu_features needs; /* beside what its instructions need: a length of vectors */
    unsigned count;                               /* instructions under test in a unit */
    unsigned instructions;                        /* that it executes */
    unsigned targets;                             /* independent instructions that write to different registers */
    char less[CORE_LESS_MOST][DEMAND_FORM_BYTES]; /* other instructions of the chain: their latencies are subtracted */
    double scale;                                 /* then times this */
    uint8_t unit[CORE_UNIT_BYTES];
    size_t unit_bytes;
};
struct core_plan {
    size_t count;
    struct core_item *items;
};

/* Whether this build assembles them. Error: it was built without an assembler. */
bool core_plan_assembles(struct error *err);

/* All items, whatever this CPU executes. Error: the text of a unit that cannot be assembled. */
bool core_plan_make(struct core_plan *out, struct error *err);
void core_plan_free(struct core_plan *plan);

/* Drops items that a CPU with these features (enum cpu_feature) does not execute, or this one does not. */
void core_plan_keep(struct core_plan *plan, cpu_features features);

/* Operands in memory. A function that core_code_write() wrote takes one, and how often to execute its loop. */
struct core_data {
    _Alignas(64) uint8_t start[64], constant[64], keep[64]; /* of vectors; what is or-ed in after divisions and roots */
    _Alignas(64) uint64_t general[CORE_GENERAL];
    _Alignas(4096) uint64_t table[CORE_TABLE_WORDS];
};
typedef void core_function(struct core_data *data, uint64_t iterations);

/* The function of an item; `*units` per iteration. Returns its length, at most CORE_CODE_BYTES. */
size_t core_code_write(const struct core_item *item, uint8_t out[CORE_CODE_BYTES], unsigned *units);

/* Sets the operands of an item; `random` differs from call to call. */
void core_data_set(struct core_data *data, enum core_operands operands, uint64_t random);
