/* SPDX-License-Identifier: BSD-3-Clause
 * Documented cores: which ports each operation may take, from one width to the next. A figure without a source is left
 * out; so is one on which sources disagree, unless a measurement tells which is right. Products, with their identities
 * and links between caches, are in uarch_table.c. */
#include "uarch_cores.h"

/* clang-format off */
/* Integers in vectors of up to 256 bits, and in general registers. For later cores OSACA has compares for greater of
 * all sizes on port 5, LLVM those of 64-bit elements alone: they are left out there. */
#define SKYLAKE_INTEGERS                      \
    {OP_VECTOR_ADD, 32, {{P0 | P1 | P5, 1}}}, \
    {OP_VECTOR_MUL_16, 32, {{P0 | P1, 1}}},   \
    {OP_VECTOR_MUL_32, 32, {{P0 | P1, 2}}},   \
    {OP_VECTOR_SHIFT, 32, {{P0 | P1, 1}}},    \
    {OP_VECTOR_EQUAL, 32, {{P0 | P1, 1}}},    \
    {OP_VECTOR_EQUAL_64, 32, {{P0 | P1, 1}}}
#define HASWELL_GENERAL                            \
    {OP_GENERAL_ADD, 8, {{P0 | P1 | P5 | P6, 1}}}, \
    {OP_GENERAL_MUL, 8, {{P1, 1}}},                \
    {OP_GENERAL_SHIFT, 8, {{P0 | P6, 1}}}
/* Of 512 bits: compares leave their result in a mask. LLVM lists port 1 for additions, too; it takes no 512-bit
 * operation, and OSACA measured two per cycle on Ice Lake. */
#define SKYLAKE_INTEGERS_512             \
    {OP_VECTOR_ADD, 64, {{P0 | P5, 1}}}, \
    {OP_VECTOR_SHIFT, 64, {{P0, 1}}},    \
    {OP_VECTOR_EQUAL, 64, {{P5, 1}}},    \
    {OP_VECTOR_EQUAL_64, 64, {{P5, 1}}}, \
    {OP_VECTOR_GREATER, 64, {{P5, 1}}},  \
    {OP_VECTOR_GREATER_64, 64, {{P5, 1}}}
#define ZEN_GENERAL(shifters)                      \
    {OP_GENERAL_ADD, 8, {{I0 | I1 | I2 | I3, 1}}}, \
    {OP_GENERAL_MUL, 8, {{I1, 1}}},                \
    {OP_GENERAL_SHIFT, 8, {{shifters, 1}}}
/* clang-format on */

/* 256-bit loads and stores go through 128-bit data paths twice; an address takes one cycle all the same. */
const struct port_model core_sandy_bridge = {
    .operations = {{OP_ADD, 32, {{P1, 1}}},
                   {OP_MUL, 32, {{P0, 1}}},
                   {OP_LOAD, 16, {{P2 | P3, 1}, {D2 | D3, 1}}},
                   {OP_LOAD, 32, {{P2 | P3, 1}, {D2 | D3, 2}}},
                   {OP_STORE, 16, {{P2 | P3, 1}, {P4, 1}}},
                   {OP_STORE, 32, {{P2 | P3, 1}, {P4, 2}}},
                   {OP_X87_ADD, 8, {{P1, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_VECTOR_ADD, 16, {{P1 | P5, 1}}},
                   {OP_VECTOR_MUL_16, 16, {{P0, 1}}},
                   {OP_VECTOR_MUL_32, 16, {{P0, 1}}},
                   {OP_VECTOR_SHIFT, 16, {{P0, 1}}},
                   {OP_VECTOR_EQUAL, 16, {{P1 | P5, 1}}},
                   {OP_VECTOR_EQUAL_64, 16, {{P1 | P5, 1}}},
                   {OP_VECTOR_GREATER, 16, {{P1 | P5, 1}}},
                   {OP_VECTOR_GREATER_64, 16, {{P0, 1}}},
                   {OP_GENERAL_ADD, 8, {{P0 | P1 | P5, 1}}},
                   {OP_GENERAL_MUL, 8, {{P1, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{P0 | P5, 1}}},
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_GENERAL_STORE, 8, {{P2 | P3, 1}, {P4, 1}}}},
    .issue_width = 4,
    .source = "OSACA snb.yml; LLVM X86SchedSandyBridge",
};

const struct port_model core_haswell = {
    .operations = {{OP_ADD, 32, {{P1, 1}}},
                   {OP_MUL, 32, {{P0 | P1, 1}}},
                   {OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_LOAD, 32, {{P2 | P3, 1}}},
                   {OP_STORE, 32, {{P2 | P3 | P7, 1}, {P4, 1}}}, /* port 7: addresses without an index */
                   {OP_X87_ADD, 8, {{P1, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_VECTOR_ADD, 32, {{P1 | P5, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{P0, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{P0, 2}}},
                   {OP_VECTOR_SHIFT, 32, {{P0, 1}}},
                   {OP_VECTOR_EQUAL, 32, {{P1 | P5, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{P1 | P5, 1}}},
                   {OP_VECTOR_GREATER, 32, {{P1 | P5, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{P0, 1}}},
                   HASWELL_GENERAL,
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_GENERAL_STORE, 8, {{P2 | P3 | P7, 1}, {P4, 1}}}},
    .issue_width = 4,
    .source = "OSACA hsw.yml; LLVM X86SchedHaswell, X86SchedBroadwell",
};

const struct port_model core_skylake = {
    .operations = {{OP_ADD, 32, {{P0 | P1, 1}}},
                   {OP_MUL, 32, {{P0 | P1, 1}}},
                   {OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_LOAD, 32, {{P2 | P3, 1}}},
                   {OP_STORE, 32, {{P2 | P3 | P7, 1}, {P4, 1}}},
                   {OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   SKYLAKE_INTEGERS,
                   {OP_VECTOR_GREATER, 32, {{P0 | P1, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{P5, 1}}},
                   HASWELL_GENERAL,
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_GENERAL_STORE, 8, {{P2 | P3 | P7, 1}, {P4, 1}}}},
    .issue_width = 4,
    .source = "LLVM X86SchedSkylakeClient",
};

/* At 512 bit ports 0 and 1 work as one, and port 5 has a unit of its own. */
const struct port_model core_skylake_server = {
    .operations = {{OP_ADD, 32, {{P0 | P1, 1}}},
                   {OP_ADD, 64, {{P0 | P5, 1}}},
                   {OP_MUL, 32, {{P0 | P1, 1}}},
                   {OP_MUL, 64, {{P0 | P5, 1}}},
                   {OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_FMA, 64, {{P0 | P5, 1}}},
                   {OP_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE, 64, {{P2 | P3 | P7, 1}, {P4, 1}}},
                   {OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_DOT_I8, 64, {{P0 | P5, 1}}},
                   {OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   SKYLAKE_INTEGERS,
                   {OP_VECTOR_GREATER, 32, {{P0 | P1, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{P5, 1}}},
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0 | P5, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0 | P5, 2}}},
                   {OP_VECTOR_MUL_64, 64, {{P0 | P5, 3}}},
                   HASWELL_GENERAL,
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_GENERAL_STORE, 8, {{P2 | P3 | P7, 1}, {P4, 1}}}},
    .issue_width = 4,
    .source = "OSACA skx.yml; LLVM X86SchedSkylakeServer (two 512-bit FMA units: some Bronze, Silver and Gold 5000 "
              "models have one)",
};

const struct port_model core_ice_lake_server = {
    .operations = {{OP_ADD, 32, {{P0 | P1, 1}}},
                   {OP_ADD, 64, {{P0 | P5, 1}}},
                   {OP_MUL, 32, {{P0 | P1, 1}}},
                   {OP_MUL, 64, {{P0 | P5, 1}}},
                   {OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_FMA, 64, {{P0 | P5, 1}}},
                   {OP_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   {OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_DOT_I8, 64, {{P0 | P5, 1}}},
                   {OP_DIV_F32, 16, {{DV, 3}}},
                   {OP_DIV_F32, 32, {{DV, 5}}},
                   {OP_DIV_F32, 64, {{DV, 10}}},
                   {OP_SQRT_F64, 16, {{DV, 6}}},
                   {OP_SQRT_F64, 32, {{DV, 12}}},
                   {OP_SQRT_F64, 64, {{DV, 24}}},
                   {OP_SQRT_F32, 16, {{DV, 3}}},
                   {OP_SQRT_F32, 32, {{DV, 6}}},
                   {OP_SQRT_F32, 64, {{DV, 12}}},
                   {OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   SKYLAKE_INTEGERS,
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0 | P5, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0 | P5, 2}}},
                   HASWELL_GENERAL,
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_GENERAL_STORE, 8, {{P7 | P8, 1}, {P4 | P9, 1}}}},
    .issue_width = 5,
    .source = "OSACA icx.yml; LLVM X86SchedIceLake",
};

/* The client cores have no second 512-bit FMA unit; what else that changes is not cited, so 512-bit is left out. */
const struct port_model core_ice_lake_client = {
    .operations = {{OP_ADD, 32, {{P0 | P1, 1}}},
                   {OP_MUL, 32, {{P0 | P1, 1}}},
                   {OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   {OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   SKYLAKE_INTEGERS,
                   HASWELL_GENERAL,
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_GENERAL_STORE, 8, {{P7 | P8, 1}, {P4 | P9, 1}}}},
    .issue_width = 5,
    .source = "OSACA icl.yml; LLVM X86SchedIceLake",
};

/* Adders of their own on ports 1 and 5 up to 256 bit. The third load port takes no 512-bit loads, and each of those
 * keeps it half busy. A dot product of bf16 is four operations, two of them on port 5; of 512 bits the other two
 * are port 0's, as ports 0 and 1 then work as one; products of i8 are where Ice Lake has them. A product of tiles keeps
 * its unit for 16 cycles, one per row: 2048 i8 and 1024 bf16 operations per cycle. How long roots take is not cited. */
const struct port_model core_golden_cove = {
    .operations = {{OP_ADD, 32, {{P1 | P5, 1}}},
                   {OP_ADD, 64, {{P0 | P5, 1}}},
                   {OP_MUL, 32, {{P0 | P1, 1}}},
                   {OP_MUL, 64, {{P0 | P5, 1}}},
                   {OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_FMA, 64, {{P0 | P5, 1}}},
                   {OP_LOAD, 32, {{P2 | P3 | P11, 1}}},
                   {OP_LOAD, 64, {{P2 | P3, 1}, {P11, 0.5}}},
                   {OP_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   {OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_DOT_I8, 64, {{P0 | P5, 1}}},
                   {OP_DOT_I8, 1024, {{TMUL, 16}}},
                   {OP_DOT_BF16, 32, {{P0 | P1, 2}, {P5, 2}}},
                   {OP_DOT_BF16, 64, {{P0, 2}, {P5, 2}}},
                   {OP_DOT_BF16, 1024, {{TMUL, 16}}},
                   {OP_DIV_F64, 16, {{DV, 4}}},
                   {OP_DIV_F64, 32, {{DV, 8}}},
                   {OP_DIV_F64, 64, {{DV, 16}}},
                   {OP_DIV_F32, 16, {{DV, 3}}},
                   {OP_DIV_F32, 32, {{DV, 5}}},
                   {OP_DIV_F32, 64, {{DV, 10}}},
                   {OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   SKYLAKE_INTEGERS,
                   SKYLAKE_INTEGERS_512,
                   {OP_GENERAL_ADD, 8, {{P0 | P1 | P5 | P6 | P10, 1}}},
                   {OP_GENERAL_MUL, 8, {{P1, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{P0 | P6, 1}}},
                   {OP_GENERAL_LOAD, 8, {{P2 | P3 | P11, 1}}},
                   {OP_GENERAL_STORE, 8, {{P7 | P8, 1}, {P4 | P9, 1}}}},
    .issue_width = 6,
    .source = "Intel optimization manual, Golden Cove; OSACA spr.yml; LLVM X86SchedAlderlakeP, "
              "X86SchedSapphireRapids; Wikipedia, AMX, after Intel",
};

/* What LLVM's model says of one cycle. It keeps FMA, multiplications and vector loads on their ports for their whole
 * latency, which no pipelined unit does: left out. */
const struct port_model core_lion_cove = {
    .operations = {{OP_ADD, 32, {{V2 | V3, 1}}},
                   {OP_LOAD, 8, {{P20 | P21 | P22, 1}}},
                   {OP_STORE, 32, {{P25 | P26 | P27, 1}, {P10 | P11, 1}}}},
    .issue_width = 8,
    .source = "LLVM X86SchedLunarlakeP",
};

/* 128-bit pipes: 256-bit operations go through twice. */
const struct port_model core_zen1 = {
    .operations = {{OP_ADD, 16, {{F2 | F3, 1}}},
                   {OP_ADD, 32, {{F2 | F3, 2}}},
                   {OP_MUL, 16, {{F0 | F1, 1}}},
                   {OP_MUL, 32, {{F0 | F1, 2}}},
                   {OP_FMA, 16, {{F0 | F1, 1}}},
                   {OP_FMA, 32, {{F0 | F1, 2}}},
                   {OP_LOAD, 16, {{A0 | A1, 1}}},
                   {OP_LOAD, 32, {{A0 | A1, 2}}},
                   {OP_STORE, 16, {{A0 | A1, 1}, {S0, 1}}},
                   {OP_STORE, 32, {{A0 | A1, 2}, {S0, 2}}},
                   {OP_VECTOR_ADD, 16, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_ADD, 32, {{F0 | F1 | F3, 2}}},
                   {OP_VECTOR_MUL_16, 16, {{F0, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{F0, 2}}},
                   {OP_VECTOR_MUL_32, 16, {{F0, 2}}},
                   {OP_VECTOR_MUL_32, 32, {{F0, 4}}},
                   {OP_VECTOR_SHIFT, 16, {{F2, 1}}},
                   {OP_VECTOR_SHIFT, 32, {{F2, 2}}},
                   {OP_VECTOR_EQUAL, 16, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_EQUAL, 32, {{F0 | F1 | F3, 2}}},
                   {OP_VECTOR_EQUAL_64, 16, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F1 | F3, 2}}},
                   {OP_VECTOR_GREATER, 16, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_GREATER, 32, {{F0 | F1 | F3, 2}}},
                   {OP_VECTOR_GREATER_64, 16, {{F0 | F3, 1}}},
                   ZEN_GENERAL(I0 | I1 | I2 | I3),
                   {OP_GENERAL_LOAD, 8, {{A0 | A1, 1}}},
                   {OP_GENERAL_STORE, 8, {{A0 | A1, 1}, {S0, 1}}}},
    .fma_beside_add_unknown = true,
    .source = "OSACA zen1.yml; LLVM X86ScheduleZnver1",
};

const struct port_model core_zen2 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL, 32, {{F0 | F1, 1}}},
                   {OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2, 1}, {S0, 1}}},
                   {OP_VECTOR_ADD, 32, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{F0, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{F0, 2}}},
                   {OP_VECTOR_SHIFT, 32, {{F2, 1}}},
                   {OP_VECTOR_EQUAL, 32, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_GREATER, 32, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{F0 | F3, 1}}},
                   ZEN_GENERAL(I0 | I1 | I2 | I3),
                   {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_GENERAL_STORE, 8, {{A0 | A1 | A2, 1}, {S0, 1}}}},
    .fma_beside_add_unknown = true,
    .source = "OSACA zen2.yml; LLVM X86ScheduleZnver2",
};

const struct port_model core_zen3 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL, 32, {{F0 | F1, 1}}},
                   {OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2, 1}, {S0, 1}}},
                   {OP_VECTOR_ADD, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_SHIFT, 32, {{F1 | F2, 1}}},
                   {OP_VECTOR_EQUAL, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F1, 1}}},
                   {OP_VECTOR_GREATER, 32, {{F0 | F1 | F2 | F3, 1}}},
                   ZEN_GENERAL(I1 | I2),
                   {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2, 1}}}},
    .issue_width = 6,
    .source = "OSACA zen3.yml; LLVM X86ScheduleZnver3",
};

/* 256-bit pipes: 512-bit operations occupy them for two cycles. Of compares, LLVM has four per cycle but for equal ones
 * of 64 bits (two), OSACA four of equal and two of greater ones; a Zen 4 did four, and two of either sort where
 * elements have 64 bits. Of stores from general registers OSACA has two per cycle, LLVM one; it did two. Nobody was
 * there to tell of shifts and compares of 512 bits, where they disagree, too. */
const struct port_model core_zen4 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_ADD, 64, {{F2 | F3, 2}}},
                   {OP_MUL, 32, {{F0 | F1, 1}}},
                   {OP_MUL, 64, {{F0 | F1, 2}}},
                   {OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_FMA, 64, {{F0 | F1, 2}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_LOAD, 64, {{A0 | A1 | A2, 2}, {L0 | L1, 2}}},
                   {OP_STORE, 32, {{A0 | A1, 1}, {S0, 1}}},
                   {OP_STORE, 64, {{A0 | A1, 2}, {S0, 2}}},
                   {OP_VECTOR_ADD, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_SHIFT, 32, {{F1 | F2, 1}}},
                   {OP_VECTOR_EQUAL, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F1, 1}}},
                   {OP_VECTOR_GREATER, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{F0 | F1, 1}}},
                   {OP_VECTOR_ADD, 64, {{F0 | F1 | F2 | F3, 2}}},
                   {OP_VECTOR_MUL_16, 64, {{F0 | F3, 2}}},
                   {OP_VECTOR_MUL_32, 64, {{F0 | F3, 2}}},
                   {OP_VECTOR_MUL_64, 64, {{F0 | F3, 2}}},
                   ZEN_GENERAL(I1 | I2),
                   {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2, 1}}},
                   {OP_GENERAL_STORE, 8, {{A0 | A1, 1}, {S0 | S1, 1}}}},
    .issue_width = 6,
    .source = "OSACA zen4.yml; LLVM X86ScheduleZnver4",
};

const struct port_model core_zen5 = {
    .operations = {{OP_ADD, 64, {{F2 | F3, 1}}},
                   {OP_MUL, 64, {{F0 | F1, 1}}},
                   {OP_FMA, 64, {{F0 | F1, 1}}},
                   {OP_LOAD, 64, {{A0 | A1 | A2 | A3, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2 | A3, 1}, {S0 | S1, 1}}},
                   {OP_STORE, 64, {{A0 | A1 | A2 | A3, 1}, {S0, 1}, {S1, 1}}},
                   {OP_VECTOR_ADD, 64, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16, 64, {{F0 | F2, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{F0 | F2, 1}}},
                   {OP_VECTOR_MUL_64, 64, {{F0 | F2, 1}}},
                   {OP_VECTOR_SHIFT, 64, {{F1 | F3, 1}}},
                   {OP_VECTOR_EQUAL, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_EQUAL, 64, {{F0 | F2, 1}}},
                   {OP_VECTOR_EQUAL_64, 64, {{F0 | F2, 1}}},
                   {OP_VECTOR_GREATER, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_GREATER, 64, {{F0 | F2, 1}}},
                   {OP_VECTOR_GREATER_64, 64, {{F0 | F2, 1}}},
                   {OP_GENERAL_ADD, 8, {{I0 | I1 | I2 | I3 | I4 | I5, 1}}},
                   {OP_GENERAL_MUL, 8, {{I0 | I1 | I2, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{I0 | I1 | I2, 1}}}},
    .issue_width = 8,
    .source = "OSACA zen5.yml",
};
