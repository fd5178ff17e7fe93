/* SPDX-License-Identifier: BSD-3-Clause
 * The rows behind uarch.h: identification of a microarchitecture, and the ports of its operations. Private to
 * uarch.c, which derives limits from them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uarch.h"

/* The extension is for constants that are no int. */
__extension__ enum operation_sort {
    OP_NONE = 0,
    OP_ADD = 1 << 0,
    OP_MUL = 1 << 1,
    OP_FMA = 1 << 2,
    OP_LOAD = 1 << 3,
    OP_STORE = 1 << 4,
    OP_X87_ADD = 1 << 5,
    OP_X87_MUL = 1 << 6,
    OP_DIV_F64 = 1 << 7,
    OP_DIV_F32 = 1 << 8,
    OP_SQRT_F64 = 1 << 9,
    OP_SQRT_F32 = 1 << 10,
    OP_DOT_BF16 = 1 << 11,
    OP_DOT_I8 = 1 << 12,
    /* Operations on integers in vectors; compares whose ports differ by size have separate rows for 64 bits, products
     * for each size. */
    OP_VECTOR_ADD = 1 << 13,
    OP_VECTOR_MUL_16 = 1 << 14,
    OP_VECTOR_MUL_32 = 1 << 15,
    OP_VECTOR_MUL_64 = 1 << 16,
    OP_VECTOR_SHIFT = 1 << 17,
    OP_VECTOR_EQUAL = 1 << 18,
    OP_VECTOR_EQUAL_64 = 1 << 19,
    OP_VECTOR_GREATER = 1 << 20,
    OP_VECTOR_GREATER_64 = 1 << 21,
    /* Operations on integers in general registers; a compare's only result is the flags. */
    OP_GENERAL_ADD = 1 << 22,
    OP_GENERAL_MUL = 1 << 23,
    OP_GENERAL_SHIFT = 1 << 24,
    OP_GENERAL_LOAD = 1 << 25,
    OP_GENERAL_STORE = 1 << 26,
    OP_DOT_I16 = 1 << 27,
    OP_GENERAL_COMPARE = 1 << 28,
    /* Products of two matrices of 2 × 2 (bf16) or 2 × 8 (i8) into one of 2 × 2, in each 128 bits. */
    OP_MATRIX_BF16 = 1 << 29,
    OP_MATRIX_I8 = 1 << 30,
    OP_PREDICATE_COMPARE = 1ull << 31, /* of vectors of integers, with a predicate as its result */

    OP_OF_NEON = 1ull << 32, /* beside sorts: not of SVE's instructions */
};

/* `count` cycles on any one of `ports`, bits of a mask with a meaning of the core's own. */
struct port_use {
    unsigned ports;
    double count;
};

enum { MAX_PORT_USES = 3, MAX_OPERATIONS = 32, MAX_MODEL_RANGES = 6, NO_ADD_BESIDE_FMA = 1000 };

/* One instruction of any of these sorts, up to this width: the first row of its sort that is wide enough applies. An
 * operation or width without a row, or whose row has no ports, is not documented. */
struct operation_ports {
    uint64_t sorts; /* enum operation_sort */
    unsigned vector_bytes;
    struct port_use uses[MAX_PORT_USES];
};

/* A core, shared by several products. */
struct port_model {
    struct operation_ports operations[MAX_OPERATIONS];
    unsigned issue_width; /* instructions renamed per cycle, as uarch_issue_width() counts them; 0: not known */
    unsigned fma_per_add; /* with fewer FMA per addition both together are not documented; 0: with any number */
    const char *in_core;  /* its table of asm/incore/core_texts.c; NULL: none */
    const char *source;
    const char *unknown; /* why operations have no row; NULL: all of its products' have one */
};

/* Whether incoming cache lines and written-back ones share a link's width. */
enum link_duplex { DUPLEX_UNKNOWN, DUPLEX_HALF, DUPLEX_FULL };

struct uarch {
    const char *name;
    const char *vendor;
    unsigned family;
    struct {
        unsigned first, last;
    } models[MAX_MODEL_RANGES];             /* up to the first {0, 0} */
    unsigned first_stepping, last_stepping; /* if they distinguish products of one model; 0, 0: any */
    unsigned wide_fma_units;                /* 512-bit, if they distinguish products; 0: they do not */
    char kind;                     /* 'P' or 'E' for a hybrid product, 'L' for LP-E cores unlike its E cores, else 0 */
    cpu_features has, lacks;       /* enum cpu_feature */
    bool told_by_features;         /* `has` and `lacks` match only this row of its family */
    const struct port_model *core; /* NULL: no port table is cited */
    unsigned l2_bytes_per_cycle, l3_bytes_per_cycle; /* loads, per core; 0: not known */
    enum link_duplex l2_duplex;
    unsigned l2_write_bytes_per_cycle;     /* written back, per core; 0: as many as loads */
    unsigned sustained_bytes_per_cycle[3]; /* loads from L1, L2, L3, as stated by the vendor; 0: not stated */
    const char *sustained_source;
    const char *source;        /* of the links and the model numbers */
    const char *unknown_links; /* why a link is not known, and the core if that is NULL; NULL: all are known */
};

/* The products of an architecture. Those of all are in every build, since results of each are read on any. */
struct uarch_list {
    const struct uarch *rows;
    size_t count;
    cpu_features base;                   /* that each of its CPUs has */
    const char *register_name;           /* that tells the model number: "CPUID" */
    bool folds_loads;                    /* an operation with its load is renamed as one instruction */
    const struct uarch_between *between; /* up to a row without a core; NULL: none */
};
extern const struct uarch_list uarch_x86, uarch_aarch64;
