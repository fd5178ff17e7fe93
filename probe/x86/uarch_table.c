/* SPDX-License-Identifier: BSD-3-Clause
 * Documented products: the identification, core, and cache links of each. A figure without a source is left out.
 * Model numbers are from Linux's intel-family.h and amd.c, or the row's source; features are those implied by GCC's
 * -march of the same name. */
#include "probe/isa.h"
#include "probe/uarch_table.h"

/* Documented cores, with their vendors' port names: the ports of each operation, for ranges of widths. A figure is left
 * out if it has no source, or if sources disagree and no measurement decides. */

/* Ports, as bits of a mask. Names are the vendor's; D is the data path of a port's loads, V a vector port, A an
 * address unit, F a floating-point pipe, L and S the load and store paths of AMD cores, I their units of general
 * registers; DV is the divider behind port 0, TMUL the unit that multiplies tiles. */
enum {
    /* clang-format off */
    P0 = 1 << 0, P1 = 1 << 1, P2 = 1 << 2, P3 = 1 << 3, P4 = 1 << 4, P5 = 1 << 5, P7 = 1 << 7, P8 = 1 << 8,
    P6 = 1 << 6, P9 = 1 << 9, P11 = 1 << 11, D2 = 1 << 12, D3 = 1 << 13,
    P10 = 1 << 10, P20 = 1 << 14, P21 = 1 << 15, P22 = 1 << 16, P25 = 1 << 17, P26 = 1 << 18, P27 = 1 << 19,
    V2 = 1 << 20, V3 = 1 << 21, DV = 1 << 22, TMUL = 1 << 23,
    F0 = 1 << 0, F1 = 1 << 1, F2 = 1 << 2, F3 = 1 << 3, A0 = 1 << 4, A1 = 1 << 5, A2 = 1 << 6, A3 = 1 << 7,
    L0 = 1 << 8, L1 = 1 << 9, S0 = 1 << 10, S1 = 1 << 11,
    I0 = 1 << 12, I1 = 1 << 13, I2 = 1 << 14, I3 = 1 << 15, I4 = 1 << 16, I5 = 1 << 17,
    /* clang-format on */
};

/* clang-format off */
/* Integers in vectors of up to 256 bits, and in general registers. For later cores OSACA has greater-than compares
 * of all sizes on port 5, LLVM only those of 64-bit elements: they are left out there. */
#define SKYLAKE_INTEGERS                                                                             \
    {OP_VECTOR_ADD, 32, {{P0 | P1 | P5, 1}}},                                                        \
    {OP_VECTOR_MUL_16 | OP_VECTOR_SHIFT | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64, 32, {{P0 | P1, 1}}}, \
    {OP_VECTOR_MUL_32, 32, {{P0 | P1, 2}}}
#define HASWELL_GENERAL                            \
    {OP_GENERAL_ADD, 8, {{P0 | P1 | P5 | P6, 1}}}, \
    {OP_GENERAL_MUL, 8, {{P1, 1}}},                \
    {OP_GENERAL_SHIFT, 8, {{P0 | P6, 1}}}
/* 512-bit integers: compares write their result to a mask. LLVM lists port 1 for additions too, but port 1 takes no
 * 512-bit operation, and OSACA measured two per cycle on Ice Lake. */
#define SKYLAKE_INTEGERS_512                                                                         \
    {OP_VECTOR_ADD, 64, {{P0 | P5, 1}}},                                                             \
    {OP_VECTOR_SHIFT, 64, {{P0, 1}}},                                                                \
    {OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER | OP_VECTOR_GREATER_64, 64, {{P5, 1}}}
#define ZEN_GENERAL(shifters)                      \
    {OP_GENERAL_ADD, 8, {{I0 | I1 | I2 | I3, 1}}}, \
    {OP_GENERAL_MUL, 8, {{I1, 1}}},                \
    {OP_GENERAL_SHIFT, 8, {{shifters, 1}}}
/* clang-format on */

/* 256-bit loads and stores use 128-bit data paths twice; an address still takes only one cycle. */
const struct port_model core_sandy_bridge = {
    .operations = {{OP_ADD | OP_X87_ADD, 32, {{P1, 1}}},
                   {OP_MUL | OP_X87_MUL, 32, {{P0, 1}}},
                   {OP_GENERAL_LOAD, 8, {{P2 | P3, 1}}},
                   {OP_LOAD, 16, {{P2 | P3, 1}, {D2 | D3, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{P2 | P3, 1}, {P4, 1}}},
                   {OP_LOAD, 32, {{P2 | P3, 1}, {D2 | D3, 2}}},
                   {OP_STORE, 32, {{P2 | P3, 1}, {P4, 2}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER, 16, {{P1 | P5, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_SHIFT | OP_VECTOR_GREATER_64, 16, {{P0, 1}}},
                   {OP_GENERAL_ADD, 8, {{P0 | P1 | P5, 1}}},
                   {OP_GENERAL_MUL, 8, {{P1, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{P0 | P5, 1}}}},
    .issue_width = 4,
    .source = "OSACA snb.yml; LLVM X86SchedSandyBridge",
};

const struct port_model core_haswell = {
    .operations = {{OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_ADD | OP_X87_ADD, 32, {{P1, 1}}},
                   {OP_MUL | OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 32, {{P2 | P3, 1}}},
                   /* Port 7: addresses without an index. */
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P2 | P3 | P7, 1}, {P4, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER, 32, {{P1 | P5, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_SHIFT | OP_VECTOR_GREATER_64, 32, {{P0, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{P0, 2}}},
                   HASWELL_GENERAL},
    .issue_width = 4,
    .in_core = "haswell",
    .source = "OSACA hsw.yml; LLVM X86SchedHaswell, X86SchedBroadwell",
};

const struct port_model core_skylake = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 32, {{P2 | P3, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P2 | P3 | P7, 1}, {P4, 1}}},
                   SKYLAKE_INTEGERS,
                   {OP_VECTOR_GREATER, 32, {{P0 | P1, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{P5, 1}}},
                   HASWELL_GENERAL},
    .issue_width = 4,
    .in_core = "skylake",
    .source = "LLVM X86SchedSkylakeClient",
};

/* For 512-bit operations ports 0 and 1 work as one, and port 5 has its own unit. */
const struct port_model core_skylake_server = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 64, {{P0 | P5, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 64, {{P2 | P3 | P7, 1}, {P4, 1}}},
                   SKYLAKE_INTEGERS,
                   {OP_VECTOR_GREATER, 32, {{P0 | P1, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{P5, 1}}},
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0 | P5, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0 | P5, 2}}},
                   {OP_VECTOR_MUL_64, 64, {{P0 | P5, 3}}},
                   HASWELL_GENERAL},
    .issue_width = 4,
    .in_core = "skylake-server",
    .source = "OSACA skx.yml; LLVM X86SchedSkylakeServer",
};

/* Without the unit behind port 5, for floating point and products; the other operations on 512-bit integers keep that
 * port. The in-core table has the unit, so it does not apply. */
const struct port_model core_skylake_server_one_unit = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 64, {{P0, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 64, {{P2 | P3 | P7, 1}, {P4, 1}}},
                   SKYLAKE_INTEGERS,
                   {OP_VECTOR_GREATER, 32, {{P0 | P1, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{P5, 1}}},
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0, 2}}},
                   {OP_VECTOR_MUL_64, 64, {{P0, 3}}},
                   HASWELL_GENERAL},
    .issue_width = 4,
    .source = "OSACA skx.yml; LLVM X86SchedSkylakeServer; Intel ARK, number of AVX-512 FMA units",
};

const struct port_model core_ice_lake_server = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_DIV_F32 | OP_SQRT_F32, 16, {{DV, 3}}},
                   {OP_SQRT_F64, 16, {{DV, 6}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_DIV_F32, 32, {{DV, 5}}},
                   {OP_SQRT_F64, 32, {{DV, 12}}},
                   {OP_SQRT_F32, 32, {{DV, 6}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 64, {{P0 | P5, 1}}},
                   {OP_DIV_F32, 64, {{DV, 10}}},
                   {OP_SQRT_F64, 64, {{DV, 24}}},
                   {OP_SQRT_F32, 64, {{DV, 12}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   SKYLAKE_INTEGERS,
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0 | P5, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0 | P5, 2}}},
                   HASWELL_GENERAL},
    .issue_width = 5,
    .in_core = "ice-lake",
    .source = "OSACA icx.yml; LLVM X86SchedIceLake",
};

/* The client cores have no second 512-bit FMA unit; no source lists the other differences, so 512-bit is left out. */
const struct port_model core_ice_lake_client = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA, 32, {{P0 | P1, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   SKYLAKE_INTEGERS,
                   HASWELL_GENERAL},
    .issue_width = 5,
    .in_core = "ice-lake",
    .source = "OSACA icl.yml; LLVM X86SchedIceLake",
};

/* Separate adders on ports 1 and 5 up to 256 bit. The third load port takes no 512-bit loads, and each such load
 * keeps it half busy. A dot product of bf16 is four operations, two of them on port 5. With 512 bits the other two
 * use port 0, as ports 0 and 1 then work as one. Products of i8 use the ports of Ice Lake. A product of tiles
 * occupies its unit for 16 cycles, one per row: 2048 i8 and 1024 bf16 operations per cycle. No source gives the time
 * of square roots. */
const struct port_model core_golden_cove = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_DIV_F64, 16, {{DV, 4}}},
                   {OP_DIV_F32, 16, {{DV, 3}}},
                   {OP_ADD, 32, {{P1 | P5, 1}}},
                   {OP_MUL | OP_FMA | OP_DOT_I8, 32, {{P0 | P1, 1}}},
                   {OP_DOT_BF16, 32, {{P0 | P1, 2}, {P5, 2}}},
                   {OP_DIV_F64, 32, {{DV, 8}}},
                   {OP_DIV_F32, 32, {{DV, 5}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8, 64, {{P0 | P5, 1}}},
                   {OP_DOT_BF16, 64, {{P0, 2}, {P5, 2}}},
                   {OP_DIV_F64, 64, {{DV, 16}}},
                   {OP_DIV_F32, 64, {{DV, 10}}},
                   {OP_DOT_BF16 | OP_DOT_I8, 1024, {{TMUL, 16}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 32, {{P2 | P3 | P11, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_LOAD, 64, {{P2 | P3, 1}, {P11, 0.5}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   SKYLAKE_INTEGERS,
                   SKYLAKE_INTEGERS_512,
                   {OP_GENERAL_ADD, 8, {{P0 | P1 | P5 | P6 | P10, 1}}},
                   {OP_GENERAL_MUL, 8, {{P1, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{P0 | P6, 1}}}},
    .issue_width = 6,
    .in_core = "golden-cove",
    .source = "Intel optimization manual, Golden Cove; OSACA spr.yml; LLVM X86SchedAlderlakeP, "
              "X86SchedSapphireRapids; Wikipedia, AMX, after Intel",
};

/* Only the one-cycle operations of LLVM's model. It keeps FMA, multiplications and vector loads on their ports for
 * their whole latency, which no pipelined unit does: left out. */
const struct port_model core_lion_cove = {
    .operations = {{OP_ADD, 32, {{V2 | V3, 1}}},
                   {OP_LOAD, 8, {{P20 | P21 | P22, 1}}},
                   {OP_STORE, 32, {{P25 | P26 | P27, 1}, {P10 | P11, 1}}}},
    .issue_width = 8,
    .source = "LLVM X86SchedLunarlakeP",
};

/* 128-bit pipes: 256-bit operations pass twice. */
const struct port_model core_zen1 = {
    .operations = {{OP_ADD, 16, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 16, {{F0 | F1, 1}}},
                   {OP_ADD, 32, {{F2 | F3, 2}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{A0 | A1, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{A0 | A1, 1}, {S0, 1}}},
                   {OP_LOAD, 32, {{A0 | A1, 2}}},
                   {OP_STORE, 32, {{A0 | A1, 2}, {S0, 2}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER, 16, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_MUL_16, 16, {{F0, 1}}},
                   {OP_VECTOR_MUL_32, 16, {{F0, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{F2, 1}}},
                   {OP_VECTOR_GREATER_64, 16, {{F0 | F3, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER, 32, {{F0 | F1 | F3, 2}}},
                   {OP_VECTOR_MUL_16, 32, {{F0, 2}}},
                   {OP_VECTOR_MUL_32, 32, {{F0, 4}}},
                   {OP_VECTOR_SHIFT, 32, {{F2, 2}}},
                   ZEN_GENERAL(I0 | I1 | I2 | I3)},
    .fma_beside_add_unknown = true,
    .source = "OSACA zen1.yml; LLVM X86ScheduleZnver1",
};

const struct port_model core_zen2 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{A0 | A1 | A2, 1}, {S0, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER, 32, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{F0, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{F0, 2}}},
                   {OP_VECTOR_SHIFT, 32, {{F2, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{F0 | F3, 1}}},
                   ZEN_GENERAL(I0 | I1 | I2 | I3)},
    .fma_beside_add_unknown = true,
    .in_core = "zen2",
    .source = "OSACA zen2.yml; LLVM X86ScheduleZnver2",
};

const struct port_model core_zen3 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2, 1}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2, 1}, {S0, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_GREATER, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_SHIFT, 32, {{F1 | F2, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F1, 1}}},
                   ZEN_GENERAL(I1 | I2)},
    .issue_width = 6,
    .in_core = "zen3",
    .source = "OSACA zen3.yml; LLVM X86ScheduleZnver3",
};

/* 256-bit pipes: 512-bit operations occupy them for two cycles. Compares: LLVM has four per cycle except two for
 * equal ones of 64 bits, OSACA has four of equal and two of greater ones; a measured Zen 4 did four, and two of
 * either sort for 64-bit elements. Stores from general registers: OSACA has two per cycle, LLVM one; measured: two.
 * The sources also disagree on shifts and compares of 512 bits, which are not measured. */
const struct port_model core_zen4 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_ADD, 64, {{F2 | F3, 2}}},
                   {OP_MUL | OP_FMA, 64, {{F0 | F1, 2}}},
                   {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2, 1}}},
                   {OP_GENERAL_STORE, 8, {{A0 | A1, 1}, {S0 | S1, 1}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1, 1}, {S0, 1}}},
                   {OP_LOAD, 64, {{A0 | A1 | A2, 2}, {L0 | L1, 2}}},
                   {OP_STORE, 64, {{A0 | A1, 2}, {S0, 2}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_GREATER, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_SHIFT, 32, {{F1 | F2, 1}}},
                   {OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER_64, 32, {{F0 | F1, 1}}},
                   {OP_VECTOR_ADD, 64, {{F0 | F1 | F2 | F3, 2}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_MUL_64, 64, {{F0 | F3, 2}}},
                   ZEN_GENERAL(I1 | I2)},
    .issue_width = 6,
    .in_core = "zen4",
    .source = "OSACA zen4.yml; LLVM X86ScheduleZnver4",
};

static const struct port_model core_zen5 = {
    .operations = {{OP_ADD, 64, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 64, {{F0 | F1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2 | A3, 1}, {S0 | S1, 1}}},
                   {OP_LOAD, 64, {{A0 | A1 | A2 | A3, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 64, {{A0 | A1 | A2 | A3, 1}, {S0, 1}, {S1, 1}}},
                   {OP_VECTOR_EQUAL | OP_VECTOR_GREATER, 32, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_ADD, 64, {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_MUL_64 | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 |
                        OP_VECTOR_GREATER | OP_VECTOR_GREATER_64,
                    64,
                    {{F0 | F2, 1}}},
                   {OP_VECTOR_SHIFT, 64, {{F1 | F3, 1}}},
                   {OP_GENERAL_ADD, 8, {{I0 | I1 | I2 | I3 | I4 | I5, 1}}},
                   {OP_GENERAL_MUL | OP_GENERAL_SHIFT, 8, {{I0 | I1 | I2, 1}}}},
    .issue_width = 8,
    .in_core = "zen5",
    .source = "OSACA zen5.yml",
};

#define INTEL_OF(number) .vendor = "GenuineIntel", .family = number
#define INTEL            INTEL_OF(6)
#define AMD(number)      .vendor = "AuthenticAMD", .family = number
#define ZHAOXIN          .vendor = "  Shanghai  ", .family = 7

enum {
    AVX2_FMA = CPU_AVX2 | CPU_FMA3,
    AVX512_ANY = CPU_AVX512 | CPU_AVX512_VNNI | CPU_AVX512_BF16 | CPU_AVX512_FP16,
    AMX = CPU_AMX_TILE | CPU_AMX_BF16 | CPU_AMX_INT8,
    /* Features that no Intel CPU before Granite Rapids has, and features that none before Sapphire Rapids has. */
    SINCE_GRANITE = CPU_AVX10 | CPU_PREFETCHI | CPU_AMX_FP16,
    SINCE_SAPPHIRE = AMX | CPU_AVX512_FP16 | SINCE_GRANITE,
};

/* clang-format off */
/* One core under several product names. */
#define SKYLAKE_CLIENT                                                                                                 \
    INTEL, .has = AVX2_FMA | CPU_CLFLUSHOPT, .lacks = AVX512_ANY | AMX | CPU_AVX_VNNI,                                 \
    .core = &core_skylake, .l2_bytes_per_cycle = 64, .sustained_bytes_per_cycle = {0, 29, 0},                          \
    .sustained_source = "Intel optimization manual, table 2-5, as quoted by uarch-bench",                              \
    .source = "Intel optimization manual, table 2-5, as quoted by uarch-bench; Linux intel-family.h"

#define SKYLAKE_SERVER                                                                                         \
    INTEL, .models = {{85, 85}}, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 16, \
    .sustained_bytes_per_cycle = {133, 52, 15},                                                                \
    .sustained_source = "Intel optimization manual, cache comparison of Broadwell and Skylake Server"
#define SKYLAKE_SP                                                                                             \
    .first_stepping = 0, .last_stepping = 4, .has = CPU_AVX512,                                                \
    .lacks = SINCE_SAPPHIRE | CPU_AVX512_VNNI | CPU_AVX512_BF16, .source = "kerncraft SkylakeSP_Gold-6148.yml"
#define CASCADE_LAKE                                                                                 \
    .first_stepping = 5, .last_stepping = 9, .has = CPU_AVX512 | CPU_AVX512_VNNI,                    \
    .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16, .source = "kerncraft CascadelakeSP_Gold-6248_SNC.yml"
/* Since Alder Lake. */
#define CLIENT_OF(number) INTEL_OF(number), .has = AVX2_FMA | CPU_AVX_VNNI
#define CLIENT            CLIENT_OF(6)
/* Efficient cores alone. */
#define FOREST CLIENT, .lacks = AVX512_ANY | AMX
#define ZEN5   AMD(26), .has = CPU_AVX512 | CPU_AVX512_BF16 | CPU_AVX_VNNI

const struct uarch uarch_table[] = {
    {INTEL, .name = "Sandy Bridge", .models = {{42, 42}, {45, 45}},
     .has = CPU_AVX, .lacks = AVX2_FMA | AVX512_ANY | AMX,
     .core = &core_sandy_bridge, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 32,
     .source = "kerncraft SandyBridgeEP_E5-2680.yml"},
    {INTEL, .name = "Ivy Bridge", .models = {{58, 58}, {62, 62}},
     .has = CPU_AVX, .lacks = AVX2_FMA | AVX512_ANY | AMX,
     .core = &core_sandy_bridge, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 32,
     .source = "kerncraft IvyBridgeEP_E5-2690v2.yml"},
    {INTEL, .name = "Haswell", .models = {{60, 60}, {63, 63}, {69, 70}},
     .has = AVX2_FMA, .lacks = AVX512_ANY | AMX | CPU_CLFLUSHOPT,
     .core = &core_haswell, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 32,
     .source = "kerncraft HaswellEP_E5-2695v3.yml"},
    {INTEL, .name = "Broadwell", .models = {{61, 61}, {71, 71}, {79, 79}, {86, 86}},
     .has = AVX2_FMA, .lacks = AVX512_ANY | AMX | CPU_CLFLUSHOPT,
     .core = &core_haswell, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 32,
     .sustained_bytes_per_cycle = {93, 25, 14},
     .sustained_source = "Intel optimization manual, cache comparison of Broadwell and Skylake Server",
     .source = "kerncraft BroadwellEP_E5-2697_CoD.yml"},
    {SKYLAKE_CLIENT, .name = "Skylake", .models = {{78, 78}, {94, 94}}},
    {SKYLAKE_CLIENT, .name = "Kaby Lake (Skylake)", .models = {{142, 142}, {158, 158}}, .first_stepping = 0, .last_stepping = 9},
    /* Kaby Lake R, Coffee Lake-U, Whiskey Lake and Comet Lake-U share this model number, and some share the
     * stepping. */
    {SKYLAKE_CLIENT, .name = "Kaby Lake R to Comet Lake-U (Skylake)", .models = {{142, 142}}, .first_stepping = 10, .last_stepping = 15},
    {SKYLAKE_CLIENT, .name = "Coffee Lake (Skylake)", .models = {{158, 158}}, .first_stepping = 10, .last_stepping = 15},
    {SKYLAKE_CLIENT, .name = "Comet Lake (Skylake)", .models = {{165, 166}}},
    {SKYLAKE_SERVER, .name = "Skylake-SP, one FMA unit", .wide_fma_units = 1, .core = &core_skylake_server_one_unit, SKYLAKE_SP},
    {SKYLAKE_SERVER, .name = "Skylake-SP", .wide_fma_units = 2, .core = &core_skylake_server, SKYLAKE_SP},
    {SKYLAKE_SERVER, .name = "Cascade Lake, one FMA unit", .wide_fma_units = 1, .core = &core_skylake_server_one_unit, CASCADE_LAKE},
    {SKYLAKE_SERVER, .name = "Cascade Lake", .wide_fma_units = 2, .core = &core_skylake_server, CASCADE_LAKE},
    {INTEL, .name = "Cooper Lake", .models = {{85, 85}}, .first_stepping = 10, .last_stepping = 15,
     .has = CPU_AVX512 | CPU_AVX512_VNNI | CPU_AVX512_BF16, .lacks = SINCE_SAPPHIRE,
     .source = "Linux intel-family.h"},
    {INTEL, .name = "Ice Lake (Sunny Cove)", .models = {{125, 126}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .core = &core_ice_lake_client, .source = "Linux intel-family.h"},
    {INTEL, .name = "Tiger Lake (Willow Cove)", .models = {{140, 141}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .source = "Linux intel-family.h"},
    {INTEL, .name = "Rocket Lake (Cypress Cove)", .models = {{167, 167}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .source = "Linux intel-family.h"},
    {INTEL, .name = "Ice Lake-SP (Sunny Cove)", .models = {{106, 106}, {108, 108}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .core = &core_ice_lake_server, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 16,
     .source = "kerncraft IcelakeSP_Platinum-8360Y.yml"},
    {INTEL, .name = "Sapphire Rapids (Golden Cove)", .models = {{143, 143}},
     .has = AMX | CPU_AVX512 | CPU_AVX512_FP16, .lacks = SINCE_GRANITE, .told_by_features = true,
     .core = &core_golden_cove, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 16,
     .source = "kerncraft SapphireRapids_Platinum-8470.yml"},
    {INTEL, .name = "Emerald Rapids (Raptor Cove)", .models = {{207, 207}},
     .has = AMX | CPU_AVX512 | CPU_AVX512_FP16, .lacks = SINCE_GRANITE,
     .core = &core_golden_cove, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF,
     .source = "kerncraft SapphireRapids_Platinum-8470.yml; chipsandcheese, Redwood Cove: Raptor Cove is Golden Cove with a larger L2"},
    /* It also has AMX-FP16, but hypervisors hide that. */
    {INTEL, .name = "Granite Rapids (Redwood Cove)", .models = {{173, 174}},
     .has = AMX | CPU_AVX512 | CPU_AVX512_FP16 | CPU_PREFETCHI, .told_by_features = true,
     .core = &core_golden_cove, .source = "chipsandcheese, Redwood Cove: no core structure of Golden Cove changed in size"},
    {INTEL_OF(19), .name = "Diamond Rapids (Panther Cove)", .models = {{1, 1}},
     .has = AMX | CPU_AVX512 | CPU_AVX512_FP16 | CPU_PREFETCHI,
     .source = "Linux intel-family.h"},
    {FOREST, .name = "Sierra Forest (Crestmont)", .models = {{175, 175}}, .source = "Linux intel-family.h"},
    {FOREST, .name = "Grand Ridge (Crestmont)", .models = {{182, 182}}, .source = "Linux intel-family.h"},
    {FOREST, .name = "Clearwater Forest (Darkmont)", .models = {{221, 221}}, .source = "Linux intel-family.h"},
    {CLIENT, .name = "Alder Lake P (Golden Cove)", .models = {{151, 151}, {154, 154}}, .kind = 'P',
     .lacks = AMX | SINCE_GRANITE,
     .core = &core_golden_cove, .source = "LLVM X86SchedAlderlakeP"},
    {CLIENT, .name = "Alder Lake E (Gracemont)", .models = {{151, 151}, {154, 154}}, .kind = 'E',
     .lacks = AVX512_ANY | AMX | SINCE_GRANITE,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Alder Lake-N (Gracemont)", .models = {{190, 190}}, .lacks = AVX512_ANY | AMX | SINCE_GRANITE,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Raptor Lake P (Raptor Cove)", .models = {{183, 183}, {186, 186}, {191, 191}}, .kind = 'P',
     .lacks = AVX512_ANY | AMX | SINCE_GRANITE,
     .core = &core_golden_cove, .source = "chipsandcheese, Redwood Cove: Raptor Cove is Golden Cove with a larger L2"},
    {CLIENT, .name = "Raptor Lake E (Gracemont)", .models = {{183, 183}, {186, 186}, {191, 191}}, .kind = 'E',
     .lacks = AVX512_ANY | AMX | SINCE_GRANITE,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Bartlett Lake (Raptor Cove)", .models = {{215, 215}}, .lacks = AMX | SINCE_GRANITE,
     .core = &core_golden_cove,
     .source = "Linux intel-family.h; chipsandcheese, Redwood Cove: Raptor Cove is Golden Cove with a larger L2"},
    {CLIENT, .name = "Meteor Lake P (Redwood Cove)", .models = {{170, 170}, {172, 172}}, .kind = 'P',
     .lacks = AVX512_ANY | AMX,
     .core = &core_golden_cove,
     .source = "Linux intel-family.h; chipsandcheese, Redwood Cove: no core structure of Golden Cove changed in size"},
    {CLIENT, .name = "Meteor Lake E (Crestmont)", .models = {{170, 170}, {172, 172}}, .kind = 'E', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Arrow Lake P (Lion Cove)", .models = {{197, 198}}, .kind = 'P', .lacks = AVX512_ANY | AMX,
     .core = &core_lion_cove, .source = "Linux intel-family.h"},
    {CLIENT, .name = "Arrow Lake E (Skymont)", .models = {{197, 198}}, .kind = 'E', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Arrow Lake-U", .models = {{181, 181}}, .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h, which does not name its cores"},
    {CLIENT, .name = "Lunar Lake P (Lion Cove)", .models = {{189, 189}}, .kind = 'P', .lacks = AVX512_ANY | AMX,
     .core = &core_lion_cove, .source = "Linux intel-family.h"},
    {CLIENT, .name = "Lunar Lake E (Skymont)", .models = {{189, 189}}, .kind = 'E', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Panther Lake P (Cougar Cove)", .models = {{204, 204}, {229, 229}}, .kind = 'P', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h"},
    {CLIENT, .name = "Panther Lake E (Darkmont)", .models = {{204, 204}, {229, 229}}, .kind = 'E', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h; until October 2025 it had Crestmont"},
    {CLIENT, .name = "Wildcat Lake", .models = {{213, 213}}, .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h, which does not name its cores"},
    {CLIENT_OF(18), .name = "Nova Lake P (Coyote Cove)", .models = {{1, 1}, {3, 3}}, .kind = 'P', .source = "Linux intel-family.h"},
    {CLIENT_OF(18), .name = "Nova Lake E (Arctic Wolf)", .models = {{1, 1}, {3, 3}}, .kind = 'E', .source = "Linux intel-family.h"},
    {AMD(23), .name = "Zen", .models = {{0x00, 0x2f}, {0x50, 0x5f}},
     .has = AVX2_FMA, .lacks = AVX512_ANY,
     .core = &core_zen1, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL, .l3_bytes_per_cycle = 32,
     .source = "kerncraft Zen_EPYC-7451.yml"},
    {AMD(23), .name = "Zen 2", .models = {{0x30, 0x4f}, {0x60, 0x7f}, {0x90, 0x91}, {0xa0, 0xaf}},
     .has = AVX2_FMA, .lacks = AVX512_ANY,
     .core = &core_zen2, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL, .l3_bytes_per_cycle = 24,
     .source = "kerncraft Zen2_EPYC-7452.yml"},
    {AMD(25), .name = "Zen 3", .models = {{0x00, 0x0f}, {0x20, 0x5f}},
     .has = AVX2_FMA, .lacks = AVX512_ANY,
     .core = &core_zen3, .source = "Linux amd.c"},
    {AMD(25), .name = "Zen 4", .models = {{0x10, 0x1f}, {0x60, 0xaf}},
     .has = CPU_AVX512 | CPU_AVX512_BF16, .lacks = CPU_AVX_VNNI, .told_by_features = true,
     .core = &core_zen4, .source = "Linux amd.c"},
    {ZEN5, .name = "Zen 5", .models = {{0x00, 0x1f}, {0x40, 0x4f}},
     .core = &core_zen5, .source = "Linux amd.c"},
    {ZEN5, .name = "Zen 5 (Strix Point)", .models = {{0x20, 0x2f}},
     .source = "Linux amd.c; LLVM PR 108816"},
    {ZEN5, .name = "Zen 5 (Strix Halo)", .models = {{0x70, 0x77}},
     .core = &core_zen5,
     .source = "Linux amd.c; LLVM PR 108816 (Sarlak); chipsandcheese, Strix Halo: the units of 512 bits of the desktop"},
    {ZEN5, .name = "Zen 5 (mobile)", .models = {{0x60, 0x6f}, {0x78, 0x7f}},
     .source = "Linux amd.c; LLVM PR 108816 names 0x60 to 0x6f Krackan, and ends at 0x77"},
    {ZEN5, .name = "Zen 6", .models = {{0x50, 0x5f}, {0x80, 0xaf}, {0xc0, 0xef}},
     .source = "Linux amd.c; LLVM PR 179150 takes 0xd0 to 0xd7 for Zen 5"},
    {.vendor = "HygonGenuine", .family = 24, .name = "Hygon Dhyana", .models = {{0x00, 0x1f}},
     .has = AVX2_FMA, .lacks = AVX512_ANY, .source = "Linux hygon.c"},
    {ZHAOXIN, .name = "Zhaoxin LuJiaZui", .models = {{0x3b, 0x3b}}, .source = "GCC cpuinfo.h"},
    {.vendor = "CentaurHauls", .family = 7, .name = "Zhaoxin ZX-E (LuJiaZui)", .models = {{0x3b, 0x3b}},
     .source = "GCC cpuinfo.h; InstLatX64 CentaurHauls00307B1_ZXE"},
    {ZHAOXIN, .name = "Zhaoxin YongFeng", .models = {{0x5b, 0x5b}}, .has = CPU_AVX2, .source = "GCC cpuinfo.h"},
    {ZHAOXIN, .name = "Zhaoxin Century Avenue", .models = {{0x6b, 0x6b}}, .has = CPU_AVX2, .source = "GCC cpuinfo.h (shijidadao)"},
};
/* clang-format on */
const size_t uarch_count = sizeof uarch_table / sizeof *uarch_table;
