/* SPDX-License-Identifier: BSD-3-Clause
 * The rows behind uarch.h: what identifies a microarchitecture and which ports its operations take. Private to
 * uarch.c, which derives limits from them. */
#ifndef PROBE_UARCH_TABLE_H
#define PROBE_UARCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ports, as bits of a mask. Names are the vendor's; D is a data path that a port's load occupies, V a vector port,
 * A an address unit, F a floating-point pipe, L and S the load and store paths of AMD cores; DV is the divider behind
 * port 0, TMUL the unit that multiplies tiles. */
enum {
    /* clang-format off */
    P0 = 1 << 0, P1 = 1 << 1, P2 = 1 << 2, P3 = 1 << 3, P4 = 1 << 4, P5 = 1 << 5, P7 = 1 << 7, P8 = 1 << 8,
    P9 = 1 << 9, P11 = 1 << 11, D2 = 1 << 12, D3 = 1 << 13,
    P10 = 1 << 10, P20 = 1 << 14, P21 = 1 << 15, P22 = 1 << 16, P25 = 1 << 17, P26 = 1 << 18, P27 = 1 << 19,
    V2 = 1 << 20, V3 = 1 << 21, DV = 1 << 22, TMUL = 1 << 23,
    F0 = 1 << 0, F1 = 1 << 1, F2 = 1 << 2, F3 = 1 << 3, A0 = 1 << 4, A1 = 1 << 5, A2 = 1 << 6, A3 = 1 << 7,
    L0 = 1 << 8, L1 = 1 << 9, S0 = 1 << 10, S1 = 1 << 11,
    /* clang-format on */
};

enum operation_sort {
    OP_NONE,
    OP_ADD,
    OP_MUL,
    OP_FMA,
    OP_LOAD,
    OP_STORE,
    OP_X87_ADD,
    OP_X87_MUL,
    OP_DIV_F64,
    OP_DIV_F32,
    OP_SQRT_F64,
    OP_SQRT_F32,
    OP_DOT_BF16,
    OP_DOT_I8,
};

/* `count` cycles on any one of `ports`. */
struct port_use {
    unsigned ports;
    double count;
};

enum { MAX_PORT_USES = 3, MAX_OPERATIONS = 28, MAX_MODEL_RANGES = 6 };

/* One instruction of this sort, up to this width: the first row that is wide enough counts. An operation or width
 * without a row is not documented. */
struct operation {
    enum operation_sort sort;
    unsigned vector_bytes;
    struct port_use uses[MAX_PORT_USES];
};

/* A core: what several products share. */
struct port_model {
    struct operation operations[MAX_OPERATIONS];
    unsigned issue_width; /* instructions renamed per cycle, an operation with its load being one; 0: not known */
    bool fma_beside_add_unknown; /* sources disagree on whether an FMA keeps an add pipe busy */
    const char *source;
};

/* Whether lines that come in and lines that are written back share a link's width. */
enum link_duplex { DUPLEX_UNKNOWN, DUPLEX_HALF, DUPLEX_FULL };

struct uarch {
    const char *name;
    const char *vendor;
    unsigned family;
    struct {
        unsigned first, last;
    } models[MAX_MODEL_RANGES];                      /* up to the first {0, 0} */
    unsigned first_stepping, last_stepping;          /* where they tell products of one model apart; 0, 0: any */
    char kind;                                       /* 'P', 'E' of a hybrid product, else 0 */
    uint32_t has, lacks;                             /* enum cpu_feature */
    bool told_by_features;                           /* `has` and `lacks` single it out among all rows of its vendor */
    const struct port_model *core;                   /* NULL: no port table is cited */
    unsigned l2_bytes_per_cycle, l3_bytes_per_cycle; /* loads, per core; 0: not known */
    enum link_duplex l2_duplex;
    unsigned sustained_bytes_per_cycle[3]; /* of loads from L1, L2, L3, as the vendor states it; 0: not stated */
    const char *sustained_source;
    const char *source; /* of the links and the model numbers */
};

extern const struct port_model core_sandy_bridge, core_haswell, core_skylake, core_skylake_server, core_ice_lake_client,
    core_ice_lake_server, core_golden_cove, core_lion_cove, core_zen1, core_zen2, core_zen3, core_zen4, core_zen5;

extern const struct uarch uarch_table[];
extern const size_t uarch_count;

#endif
