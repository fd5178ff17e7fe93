/* SPDX-License-Identifier: BSD-3-Clause
 * Documented products: the identification, core, and cache links of each. A figure without a source is left out.
 * Model numbers are from Linux's intel-family.h and amd.c, or the row's source; features are those implied by GCC's
 * -march of the same name. */
#include "probe/isa.h"
#include "probe/uarch_table.h"

/* Documented cores, with their vendors' port names: the ports of each operation, for ranges of widths. A figure is left
 * out if it has no source, or if sources disagree and no measurement decides. */

/* Ports, as bits of a mask. Names are the vendor's; D is the data path of a port's loads, V a vector port, A an
 * address unit, F a floating-point pipe, L and S the load and store paths, I the units of general registers,
 * of AMD's and of efficient cores; DV is the divider behind port 0, TMUL the unit that multiplies tiles. */
enum {
    /* clang-format off */
    P0 = 1 << 0, P1 = 1 << 1, P2 = 1 << 2, P3 = 1 << 3, P4 = 1 << 4, P5 = 1 << 5, P7 = 1 << 7, P8 = 1 << 8,
    P6 = 1 << 6, P9 = 1 << 9, P11 = 1 << 11, D2 = 1 << 12, D3 = 1 << 13,
    P10 = 1 << 10, P20 = 1 << 14, P21 = 1 << 15, P22 = 1 << 16, P25 = 1 << 17, P26 = 1 << 18, P27 = 1 << 19,
    V2 = 1 << 20, V3 = 1 << 21, DV = 1 << 22, TMUL = 1 << 23, V0 = 1 << 24, V1 = 1 << 25,
    F0 = 1 << 0, F1 = 1 << 1, F2 = 1 << 2, F3 = 1 << 3, A0 = 1 << 4, A1 = 1 << 5, A2 = 1 << 6, A3 = 1 << 7,
    L0 = 1 << 8, L1 = 1 << 9, S0 = 1 << 10, S1 = 1 << 11,
    I0 = 1 << 12, I1 = 1 << 13, I2 = 1 << 14, I3 = 1 << 15, I4 = 1 << 16, I5 = 1 << 17, I6 = 1 << 18, I7 = 1 << 19,
    L2 = 1 << 20,
    /* clang-format on */
};

/* clang-format off */
/* Integers in vectors of up to 256 bits, and in general registers. For later cores OSACA has greater-than compares
 * of all sizes on port 5, LLVM only those of 64-bit elements; InstLatX64 measured as LLVM has it. */
#define SKYLAKE_INTEGERS                                                                             \
    {OP_VECTOR_ADD, 32, {{P0 | P1 | P5, 1}}},                                                        \
    {OP_VECTOR_MUL_16 | OP_VECTOR_SHIFT | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64, 32, {{P0 | P1, 1}}}, \
    {OP_VECTOR_MUL_32, 32, {{P0 | P1, 2}}},                                                          \
    {OP_VECTOR_GREATER, 32, {{P0 | P1, 1}}},                                                         \
    {OP_VECTOR_GREATER_64, 32, {{P5, 1}}}
#define HASWELL_GENERAL                            \
    {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{P0 | P1 | P5 | P6, 1}}}, \
    {OP_GENERAL_MUL, 8, {{P1, 1}}},                \
    {OP_GENERAL_SHIFT, 8, {{P0 | P6, 1}}}
/* 512-bit integers: compares write their result to a mask. LLVM lists port 1 for additions too, but port 1 takes no
 * 512-bit operation, and OSACA measured two per cycle on Ice Lake. */
#define SKYLAKE_INTEGERS_512                                                                         \
    {OP_VECTOR_ADD, 64, {{P0 | P5, 1}}},                                                             \
    {OP_VECTOR_SHIFT, 64, {{P0, 1}}},                                                                \
    {OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER | OP_VECTOR_GREATER_64, 64, {{P5, 1}}}
#define ZEN_GENERAL(shifters)                      \
    {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{I0 | I1 | I2 | I3, 1}}}, \
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
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{P0 | P1 | P5, 1}}},
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
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0 | P5, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0 | P5, 2}}},
                   {OP_VECTOR_MUL_64, 64, {{P0 | P5, 3}}},
                   HASWELL_GENERAL},
    .issue_width = 4,
    .in_core = "skylake-server",
    .source = "OSACA skx.yml; LLVM X86SchedSkylakeServer",
    .unknown = "no source has the ports of VDPBF16PS",
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
    .unknown = "OSACA has none; LLVM's model has the one unit of clients for them",
};

/* Ice, Tiger and Rocket Lake of clients have no second 512-bit FMA unit; port 5 keeps the other operations. */
const struct port_model core_ice_lake_client = {
    .operations = {{OP_X87_ADD, 8, {{P5, 1}}},
                   {OP_X87_MUL, 8, {{P0, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8 | OP_DOT_I16, 32, {{P0 | P1, 1}}},
                   {OP_ADD | OP_MUL | OP_FMA | OP_DOT_I8 | OP_DOT_I16, 64, {{P0, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P7 | P8, 1}, {P4 | P9, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 64, {{P2 | P3, 1}}},
                   {OP_STORE, 64, {{P7 | P8, 1}, {P4, 1}, {P9, 1}}},
                   SKYLAKE_INTEGERS,
                   SKYLAKE_INTEGERS_512,
                   {OP_VECTOR_MUL_16, 64, {{P0, 1}}},
                   {OP_VECTOR_MUL_32, 64, {{P0, 2}}},
                   {OP_VECTOR_MUL_64, 64, {{P0, 3}}},
                   HASWELL_GENERAL},
    .issue_width = 5,
    .in_core = "ice-lake",
    .source = "OSACA icl.yml; LLVM X86SchedIceLake; of 512 bits: InstLatX64, Ice Lake-Y, Tiger Lake and Rocket Lake",
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
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{P0 | P1 | P5 | P6 | P10, 1}}},
                   {OP_GENERAL_MUL, 8, {{P1, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{P0 | P6, 1}}}},
    .issue_width = 6,
    .in_core = "golden-cove",
    .source = "Intel optimization manual, Golden Cove; OSACA spr.yml; LLVM X86SchedAlderlakeP, "
              "X86SchedSapphireRapids; Wikipedia, AMX, after Intel",
    .unknown = "OSACA and LLVM disagree on 512-bit products; InstLatX64 measured one per cycle, but on an Alder Lake, "
               "which lacks the unit behind port 5",
};

/* Two vector pipes multiply, two others add; both add integers. Of the rest InstLatX64 gives the number of pipes, not
 * which. LLVM keeps FMA, multiplications and vector loads on their ports for their whole latency, which no pipelined
 * unit does. */
static const struct port_model core_lion_cove = {
    .operations = {{OP_ADD, 32, {{V2 | V3, 1}}},
                   {OP_MUL | OP_FMA | OP_DOT_I8, 32, {{V0 | V1, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 32, {{P20 | P21 | P22, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{P25 | P26 | P27, 1}, {P10 | P11, 1}}},
                   {OP_VECTOR_ADD, 32, {{V0 | V1 | V2 | V3, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_SHIFT | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER |
                        OP_VECTOR_GREATER_64,
                    32,
                    {{V0 | V1, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{V0 | V1, 2}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{P0 | P1 | P2 | P3 | P4 | P5, 1}}},
                   {OP_GENERAL_MUL | OP_GENERAL_SHIFT, 8, {{P0 | P1 | P2, 1}}}},
    .issue_width = 8,
    .source = "chipsandcheese, Lion Cove: Intel's P-Core Roars; InstLatX64, Core Ultra 7 265K; LLVM X86SchedLunarlakeP",
};

/* Efficient cores: vector units and data paths of 128 bits, for which operations of 256 bits are two. Each has ports of
 * its own for addresses of loads and of stores. */
#define EFFICIENT_PIPES(sorts, pipes, cycles)                                                                          \
    {sorts, 16, {{pipes, cycles}}}, {                                                                                  \
        sorts, 32, {                                                                                                   \
            { pipes, 2 * (cycles) }                                                                                    \
        }                                                                                                              \
    }
#define EFFICIENT_INTEGERS OP_VECTOR_ADD | OP_VECTOR_SHIFT | OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER
#define EFFICIENT_MEMORY(loads)                                                                                        \
    {OP_GENERAL_LOAD, 8, {{loads, 1}}}, {OP_GENERAL_STORE, 8, {{S0 | S1, 1}}}, EFFICIENT_PIPES(OP_LOAD, loads, 1),     \
        EFFICIENT_PIPES(OP_STORE, S0 | S1, 1)

static const struct port_model core_gracemont = {
    .operations = {EFFICIENT_PIPES(OP_ADD | OP_MUL | OP_FMA, F0 | F1, 1),
                   EFFICIENT_PIPES(EFFICIENT_INTEGERS, F0 | F1 | F2, 1),
                   EFFICIENT_PIPES(OP_VECTOR_MUL_16 | OP_VECTOR_GREATER_64 | OP_DOT_I8, F0, 1),
                   EFFICIENT_PIPES(OP_VECTOR_MUL_32, F0, 2),
                   EFFICIENT_MEMORY(L0 | L1),
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{I0 | I1 | I2 | I3, 1}}},
                   {OP_GENERAL_MUL, 8, {{I0 | I1, 1}}}},
    .issue_width = 5,
    .source = "chipsandcheese, Gracemont: Revenge of the Atom Cores; InstLatX64, Core i9-12900K, efficient core",
};

static const struct port_model core_crestmont = {
    .operations = {EFFICIENT_PIPES(OP_ADD | OP_MUL | OP_FMA | OP_VECTOR_MUL_16 | OP_DOT_I8, F0 | F1, 1),
                   EFFICIENT_PIPES(EFFICIENT_INTEGERS, F0 | F1 | F2, 1),
                   EFFICIENT_PIPES(OP_VECTOR_GREATER_64, F0, 1),
                   EFFICIENT_PIPES(OP_VECTOR_MUL_32, F0 | F1, 2),
                   EFFICIENT_MEMORY(L0 | L1),
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{I0 | I1 | I2 | I3, 1}}},
                   {OP_GENERAL_MUL, 8, {{I0 | I1, 1}}}},
    .source = "chipsandcheese, Skymont: Intel's E-Cores reach for the Sky (of Crestmont); InstLatX64, Meteor Lake, "
              "efficient core",
};

static const struct port_model core_skymont = {
    .operations = {EFFICIENT_PIPES(OP_ADD | OP_MUL | OP_FMA | OP_VECTOR_MUL_16 | OP_DOT_I8 | EFFICIENT_INTEGERS,
                                   F0 | F1 | F2 | F3, 1),
                   EFFICIENT_PIPES(OP_VECTOR_GREATER_64, F0, 1),
                   EFFICIENT_PIPES(OP_VECTOR_MUL_32, F0 | F1 | F2 | F3, 2),
                   EFFICIENT_MEMORY(L0 | L1 | L2),
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{I0 | I1 | I2 | I3 | I4 | I5 | I6 | I7, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{I0 | I1 | I2 | I3, 1}}}},
    .issue_width = 8,
    .source =
        "chipsandcheese, Skymont: Intel's E-Cores reach for the Sky; InstLatX64, Core Ultra 7 265K, efficient core",
    .unknown = "chipsandcheese has Crestmont's two products per cycle, InstLatX64 measured 1.6",
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
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_GREATER, 16, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_EQUAL_64, 16, {{F0 | F3, 1}}},
                   {OP_VECTOR_GREATER_64, 16, {{F0, 1}}},
                   {OP_VECTOR_MUL_16, 16, {{F0, 1}}},
                   {OP_VECTOR_MUL_32, 16, {{F0, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{F2, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_GREATER, 32, {{F0 | F1 | F3, 2}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F3, 2}}},
                   {OP_VECTOR_GREATER_64, 32, {{F0, 2}}},
                   {OP_VECTOR_MUL_16, 32, {{F0, 2}}},
                   {OP_VECTOR_MUL_32, 32, {{F0, 4}}},
                   {OP_VECTOR_SHIFT, 32, {{F2, 2}}},
                   ZEN_GENERAL(I0 | I1 | I2 | I3)},
    .fma_per_add = NO_ADD_BESIDE_FMA,
    .source = "OSACA zen1.yml; LLVM X86ScheduleZnver1; InstLatX64, Ryzen 7 1700X (64-bit compares)",
    .unknown = "sources disagree on whether an FMA keeps an add pipe busy",
};

const struct port_model core_zen2 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 32, {{A0 | A1 | A2, 1}, {S0, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_GREATER, 32, {{F0 | F1 | F3, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_GREATER_64, 32, {{F0, 1}}},
                   {OP_VECTOR_MUL_16, 32, {{F0, 1}}},
                   {OP_VECTOR_MUL_32, 32, {{F0, 2}}},
                   {OP_VECTOR_SHIFT, 32, {{F2, 1}}},
                   ZEN_GENERAL(I0 | I1 | I2 | I3)},
    .fma_per_add = 2,
    .in_core = "zen2",
    .source = "OSACA zen2.yml; LLVM X86ScheduleZnver2; InstLatX64, EPYC 7742 (64-bit compares); LIKWID PR 747 (8 FMA "
              "beside 4 additions)",
    .unknown = "LIKWID has two FMA per addition; no source has more additions",
};

/* Stores from general registers, and 64-bit greater-than compares: OSACA and LLVM disagree; two and four per cycle were
 * measured, by InstLatX64 and here. */
const struct port_model core_zen3 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2, 1}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2, 1}, {S0, 1}}},
                   {OP_GENERAL_STORE, 8, {{A0 | A1 | A2, 1}, {S0 | S1, 1}}},
                   {OP_VECTOR_ADD | OP_VECTOR_EQUAL | OP_VECTOR_GREATER | OP_VECTOR_GREATER_64,
                    32,
                    {{F0 | F1 | F2 | F3, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 32, {{F0 | F3, 1}}},
                   {OP_VECTOR_SHIFT, 32, {{F1 | F2, 1}}},
                   {OP_VECTOR_EQUAL_64, 32, {{F0 | F1, 1}}},
                   ZEN_GENERAL(I1 | I2)},
    .issue_width = 6,
    .in_core = "zen3",
    .source = "OSACA zen3.yml; LLVM X86ScheduleZnver3; InstLatX64, Vermeer",
};

/* 256-bit pipes: 512-bit operations occupy them for two cycles. Compares: LLVM has four per cycle except two for
 * equal ones of 64 bits, OSACA has four of equal and two of greater ones; a measured Zen 4 did four, and two of
 * either sort for 64-bit elements. Stores from general registers: OSACA has two per cycle, LLVM one; measured: two.
 * On shifts and compares of 512 bits the sources disagree, too: InstLatX64 measured one per cycle. Dot products take
 * as long as FMA, measured by InstLatX64 and here (63.93 flop and 127.9 operations of 512 bits per cycle). */
const struct port_model core_zen4 = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA | OP_DOT_BF16 | OP_DOT_I8, 32, {{F0 | F1, 1}}},
                   {OP_ADD, 64, {{F2 | F3, 2}}},
                   {OP_MUL | OP_FMA | OP_DOT_BF16 | OP_DOT_I8, 64, {{F0 | F1, 2}}},
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
                   {OP_VECTOR_SHIFT, 64, {{F1 | F2, 2}}},
                   {OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER | OP_VECTOR_GREATER_64,
                    64,
                    {{F0 | F1, 2}}},
                   ZEN_GENERAL(I1 | I2)},
    .issue_width = 6,
    .in_core = "zen4",
    .source = "OSACA zen4.yml; LLVM X86ScheduleZnver4; InstLatX64, Ryzen 9 7950X",
};

#define ZEN5_GENERAL                                                                                                   \
    {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{I0 | I1 | I2 | I3 | I4 | I5, 1}}},                                      \
        {OP_GENERAL_MUL | OP_GENERAL_SHIFT, 8, {{I0 | I1 | I2, 1}}}, {OP_GENERAL_LOAD, 8, {{A0 | A1 | A2 | A3, 1}}}, { \
        OP_GENERAL_STORE, 8, {                                                                                         \
            {A0 | A1 | A2 | A3, 1}, {                                                                                  \
                S0 | S1, 1                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
    }

/* Dot products of bf16: InstLatX64 measured two per cycle, and so it was here (127.9 flop of 512 bits per cycle). */
static const struct port_model core_zen5 = {
    .operations = {{OP_ADD, 64, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA | OP_DOT_BF16 | OP_DOT_I8 | OP_DOT_I16, 64, {{F0 | F1, 1}}},
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
                   ZEN5_GENERAL},
    .issue_width = 8,
    .in_core = "zen5",
    .source = "OSACA zen5.yml; InstLatX64, Ryzen 9 9950X",
};

/* Strix Point: units and data paths of 256 bits, but integer additions of 512 bits, two per cycle of any width. */
static const struct port_model core_zen5_mobile = {
    .operations = {{OP_ADD, 32, {{F2 | F3, 1}}},
                   {OP_MUL | OP_FMA, 32, {{F0 | F1, 1}}},
                   {OP_ADD, 64, {{F2 | F3, 2}}},
                   {OP_MUL | OP_FMA, 64, {{F0 | F1, 2}}},
                   {OP_LOAD, 32, {{A0 | A1 | A2 | A3, 1}, {L0 | L1, 1}}},
                   {OP_STORE, 32, {{A0 | A1 | A2 | A3, 1}, {S0 | S1, 1}}},
                   {OP_LOAD, 64, {{A0 | A1 | A2 | A3, 1}, {L0, 1}, {L1, 1}}},
                   {OP_STORE, 64, {{A0 | A1 | A2 | A3, 1}, {S0, 1}, {S1, 1}}},
                   {OP_VECTOR_ADD, 64, {{F0 | F1, 1}}},
                   ZEN5_GENERAL},
    .issue_width = 8,
    .source = "chipsandcheese, AMD's Strix Point: Zen 5 Hits Mobile; of general registers: OSACA zen5.yml",
    .unknown =
        "the article has no products, shifts, compares and dot products of integers; InstLatX64 has no such core",
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
    .unknown_links = "Intel's table has no width of L3's link, nor whether L2's shares its two directions",            \
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
/* Golden Cove and its successors up to Redwood Cove, in clients. */
#define COVE                                                                                              \
    CLIENT, .core = &core_golden_cove, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF,                \
    .unknown_links = "chipsandcheese measured 20 bytes per cycle of L3 (Golden Cove) and 16 (Redwood "    \
                     "Cove); no source has the link's width"
#define COVE_L2 "chipsandcheese, AMD's Zen 4, Part 2 (Golden Cove's L2); kerncraft SapphireRapids_Platinum-8470.yml"
#define LION_COVE                                                                                         \
    CLIENT, .kind = 'P', .lacks = AVX512_ANY | AMX, .core = &core_lion_cove, .source = "Linux intel-family.h", \
    .unknown_links = "a cache of 192 KB lies between; chipsandcheese measured 32 bytes per cycle of L2 "  \
                     "and 10 of L3; no source has a link's width"
/* Efficient cores beside others, and alone. */
#define MONT(name_of_core)                                                                                \
    CLIENT, .lacks = AVX512_ANY | AMX, .core = &core_##name_of_core, .source = "Linux intel-family.h"
#define FOREST_LINKS  .unknown_links = "chipsandcheese has 64 bytes per cycle for the L2 of Meteor Lake's clusters; no source has these"
#define CLUSTER(bytes) .unknown_links = "the cores of a cluster share the " bytes " bytes per cycle of its L2 (chipsandcheese); no source " \
                                        "has a limit of one core, or of L3"
#define MESH(measured) .unknown_links = "no source has this mesh's width; " measured " bytes per cycle were measured (results/)"
#define NO_SOURCE .unknown_links = "no source of this core's ports and links was found"
/* Of a Zen 3 and a Zen 4 31.97 bytes per cycle of L2's loads were measured, and 59 to 63 of updates (results/). */
#define ZEN_LINKS                                                                                        \
    .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL, .l3_bytes_per_cycle = 32,                        \
    .source = "Linux amd.c; chipsandcheese, AMD's Zen 4, Part 2: the links keep their width since Zen; " \
              "kerncraft Zen2_EPYC-7452.yml (of L2)"
#define ZEN5 AMD(26), .has = CPU_AVX512 | CPU_AVX512_BF16 | CPU_AVX_VNNI
/* Measured of a Zen 5: 63.3 bytes per cycle of L2's loads, 126 of updates; 30 of L3's loads (results/). */
#define ZEN5_LINKS ZEN5, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_FULL, .l3_bytes_per_cycle = 32
#define ZEN5_ARTICLE "chipsandcheese, AMD's Strix Point: Zen 5 Hits Mobile (of links)"

static const struct uarch ROWS[] = {
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
    {SKYLAKE_SERVER, .name = "Cooper Lake", .first_stepping = 10, .last_stepping = 15, .core = &core_skylake_server,
     .has = CPU_AVX512 | CPU_AVX512_VNNI | CPU_AVX512_BF16, .lacks = SINCE_SAPPHIRE,
     .source = "LLVM X86.td: the model of Skylake-SP; kerncraft CascadelakeSP_Gold-6248_SNC.yml (the same core)"},
    {INTEL, .name = "Ice Lake (Sunny Cove)", .models = {{125, 126}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .core = &core_ice_lake_client, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF,
     .sustained_bytes_per_cycle = {0, 48, 21},
     .sustained_source = "Intel optimization manual, table 2-7 (Ice Lake client), as quoted by github.com/usstq/mm_amx",
     .source = "Linux intel-family.h; kerncraft IcelakeSP_Platinum-8360Y.yml (the same core)",
     .unknown_links = "Intel states what L3 sustains; no source has its link's width"},
    {INTEL, .name = "Tiger Lake (Willow Cove)", .models = {{140, 141}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .core = &core_ice_lake_client, .source = "Linux intel-family.h",
     .unknown_links = "Willow Cove has another L2 and L3 than Sunny Cove; no source was found"},
    {INTEL, .name = "Rocket Lake (Cypress Cove)", .models = {{167, 167}},
     .has = CPU_AVX512 | CPU_AVX512_VNNI, .lacks = SINCE_SAPPHIRE | CPU_AVX512_BF16,
     .core = &core_ice_lake_client, .source = "Linux intel-family.h",
     .unknown_links = "no source was found"},
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
     .source = "kerncraft SapphireRapids_Platinum-8470.yml; chipsandcheese, Redwood Cove: Raptor Cove is Golden Cove with a larger L2",
     MESH("9.8")},
    /* It also has AMX-FP16, but hypervisors hide that. */
    {INTEL, .name = "Granite Rapids (Redwood Cove)", .models = {{173, 174}},
     .has = AMX | CPU_AVX512 | CPU_AVX512_FP16 | CPU_PREFETCHI, .told_by_features = true,
     .core = &core_golden_cove, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_HALF,
     .source = "chipsandcheese, Redwood Cove: no core structure of Golden Cove changed in size; " COVE_L2,
     MESH("8.4")},
    {INTEL_OF(19), .name = "Diamond Rapids (Panther Cove)", .models = {{1, 1}},
     .has = AMX | CPU_AVX512 | CPU_AVX512_FP16 | CPU_PREFETCHI,
     .source = "Linux intel-family.h", NO_SOURCE},
    {MONT(crestmont), .name = "Sierra Forest (Crestmont)", .models = {{175, 175}}, FOREST_LINKS},
    {MONT(crestmont), .name = "Grand Ridge (Crestmont)", .models = {{182, 182}}, FOREST_LINKS},
    {CLIENT, .lacks = AVX512_ANY | AMX, .name = "Clearwater Forest (Darkmont)", .models = {{221, 221}}, .source = "Linux intel-family.h", NO_SOURCE},
    {COVE, .name = "Alder Lake P (Golden Cove)", .models = {{151, 151}, {154, 154}}, .kind = 'P', .lacks = AMX | SINCE_GRANITE,
     .source = "LLVM X86SchedAlderlakeP; " COVE_L2},
    {MONT(gracemont), .name = "Alder Lake E (Gracemont)", .models = {{151, 151}, {154, 154}}, .kind = 'E', CLUSTER("64")},
    {MONT(gracemont), .name = "Alder Lake-N (Gracemont)", .models = {{190, 190}}, CLUSTER("64")},
    {COVE, .name = "Raptor Lake P (Raptor Cove)", .models = {{183, 183}, {186, 186}, {191, 191}}, .kind = 'P',
     .lacks = AVX512_ANY | AMX | SINCE_GRANITE,
     .source = "chipsandcheese, Redwood Cove: Raptor Cove is Golden Cove with a larger L2; " COVE_L2},
    {MONT(gracemont), .name = "Raptor Lake E (Gracemont)", .models = {{183, 183}, {186, 186}, {191, 191}}, .kind = 'E', CLUSTER("64")},
    {COVE, .name = "Bartlett Lake (Raptor Cove)", .models = {{215, 215}}, .lacks = AMX | SINCE_GRANITE,
     .source = "Linux intel-family.h; chipsandcheese, Redwood Cove: Raptor Cove is Golden Cove with a larger L2; " COVE_L2},
    {COVE, .name = "Meteor Lake P (Redwood Cove)", .models = {{170, 170}, {172, 172}}, .kind = 'P',
     .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h; chipsandcheese, Redwood Cove: no core structure of Golden Cove changed in size; " COVE_L2},
    {MONT(crestmont), .name = "Meteor Lake E (Crestmont)", .models = {{170, 170}, {172, 172}}, .kind = 'E', CLUSTER("64")},
    {LION_COVE, .name = "Arrow Lake P (Lion Cove)", .models = {{197, 198}}},
    {MONT(skymont), .name = "Arrow Lake E (Skymont)", .models = {{197, 198}}, .kind = 'E', CLUSTER("128")},
    {CLIENT, .name = "Arrow Lake LP-E (Crestmont)", .models = {{197, 198}}, .kind = 'L', .lacks = AVX512_ANY | AMX,
     .core = &core_crestmont, .source = "CPUID leaf 1Ah of Core Ultra 9 285H in libcpuid's tests", CLUSTER("64")},
    {CLIENT, .name = "Arrow Lake-U", .models = {{181, 181}}, .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h, which does not name its cores",
     .unknown_links = "Linux does not name its cores, and no source was found"},
    {LION_COVE, .name = "Lunar Lake P (Lion Cove)", .models = {{189, 189}}},
    {MONT(skymont), .name = "Lunar Lake E (Skymont)", .models = {{189, 189}}, .kind = 'E', CLUSTER("128")},
    {CLIENT, .name = "Panther Lake P (Cougar Cove)", .models = {{204, 204}, {229, 229}}, .kind = 'P', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h", NO_SOURCE},
    {CLIENT, .name = "Panther Lake E (Darkmont)", .models = {{204, 204}, {229, 229}}, .kind = 'E', .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h; until October 2025 it had Crestmont", NO_SOURCE},
    {CLIENT, .name = "Wildcat Lake", .models = {{213, 213}}, .lacks = AVX512_ANY | AMX,
     .source = "Linux intel-family.h, which does not name its cores",
     .unknown_links = "Linux does not name its cores, and no source was found"},
    {CLIENT_OF(18), .name = "Nova Lake P (Coyote Cove)", .models = {{1, 1}, {3, 3}}, .kind = 'P', .source = "Linux intel-family.h", NO_SOURCE},
    {CLIENT_OF(18), .name = "Nova Lake E (Arctic Wolf)", .models = {{1, 1}, {3, 3}}, .kind = 'E', .source = "Linux intel-family.h", NO_SOURCE},
    {AMD(23), .name = "Zen", .models = {{0x00, 0x2f}, {0x50, 0x5f}},
     .has = AVX2_FMA, .lacks = AVX512_ANY,
     .core = &core_zen1, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL, .l3_bytes_per_cycle = 32,
     .source = "kerncraft Zen_EPYC-7451.yml"},
    {AMD(23), .name = "Zen 2", .models = {{0x30, 0x4f}, {0x60, 0x7f}, {0x90, 0x91}, {0xa0, 0xaf}},
     .has = AVX2_FMA, .lacks = AVX512_ANY,
     .core = &core_zen2, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL, .l3_bytes_per_cycle = 24,
     .source = "kerncraft Zen2_EPYC-7452.yml; of L3 chipsandcheese, AMD's Zen 4, Part 2, implies 32"},
    {AMD(25), .name = "Zen 3", .models = {{0x00, 0x0f}, {0x20, 0x5f}},
     .has = AVX2_FMA, .lacks = AVX512_ANY,
     .core = &core_zen3, ZEN_LINKS},
    {AMD(25), .name = "Zen 4", .models = {{0x10, 0x1f}, {0x60, 0xaf}},
     .has = CPU_AVX512 | CPU_AVX512_BF16, .lacks = CPU_AVX_VNNI, .told_by_features = true,
     .core = &core_zen4, ZEN_LINKS},
    {ZEN5_LINKS, .name = "Zen 5", .models = {{0x00, 0x1f}, {0x40, 0x4f}},
     .core = &core_zen5, .source = "Linux amd.c; " ZEN5_ARTICLE},
    {ZEN5_LINKS, .name = "Zen 5 (Strix Point)", .models = {{0x20, 0x2f}},
     .core = &core_zen5_mobile, .source = "Linux amd.c; LLVM PR 108816; " ZEN5_ARTICLE},
    {ZEN5_LINKS, .name = "Zen 5 (Strix Halo)", .models = {{0x70, 0x77}},
     .core = &core_zen5,
     .source = "Linux amd.c; LLVM PR 108816 (Sarlak); chipsandcheese, An Overview of Strix Halo: FPUs of 512 bits as on the "
               "desktop; " ZEN5_ARTICLE},
    {ZEN5, .name = "Zen 5 (mobile)", .models = {{0x60, 0x6f}, {0x78, 0x7f}},
     .source = "Linux amd.c; LLVM PR 108816 names 0x60 to 0x6f Krackan, and ends at 0x77",
     .unknown_links = "no source tells whether its units have 256 or 512 bits"},
    {ZEN5, .name = "Zen 6", .models = {{0x50, 0x5f}, {0x80, 0xaf}, {0xc0, 0xef}},
     .source = "Linux amd.c; LLVM PR 179150 takes 0xd0 to 0xd7 for Zen 5", NO_SOURCE},
    {.vendor = "HygonGenuine", .family = 24, .name = "Hygon Dhyana", .models = {{0x00, 0x1f}},
     .has = AVX2_FMA, .lacks = AVX512_ANY, .source = "Linux hygon.c",
     .unknown_links = "InstLatX64 measured half of Zen's rates, and nothing wider than 128 bits"},
    {ZHAOXIN, .name = "Zhaoxin LuJiaZui", .models = {{0x3b, 0x3b}}, .source = "GCC cpuinfo.h", NO_SOURCE},
    {.vendor = "CentaurHauls", .family = 7, .name = "Zhaoxin ZX-E (LuJiaZui)", .models = {{0x3b, 0x3b}},
     .source = "GCC cpuinfo.h; InstLatX64 CentaurHauls00307B1_ZXE", NO_SOURCE},
    {ZHAOXIN, .name = "Zhaoxin YongFeng", .models = {{0x5b, 0x5b}}, .has = CPU_AVX2, .source = "GCC cpuinfo.h", NO_SOURCE},
    {ZHAOXIN, .name = "Zhaoxin Century Avenue", .models = {{0x6b, 0x6b}}, .has = CPU_AVX2, .source = "GCC cpuinfo.h (shijidadao)", NO_SOURCE},
};
/* clang-format on */

/* Intel's documents call the caches of Lion Cove L0 (48 KiB), L1, L2 and L3. CPUID's leaf 4 has the first as L1, L2 and
 * L3, and nothing of the second (raw registers of Core Ultra 9 288V and 285H in libcpuid's tests). */
static const struct uarch_between BETWEEN[] = {
    {&core_lion_cove, 192 << 10, 12, "Intel 829568, Core Ultra 200V data sheet, P-core caches"},
    {.core = NULL},
};

const struct uarch_list uarch_x86 = {
    ROWS,
    sizeof ROWS / sizeof *ROWS,
    .base = CPU_SSE2 | CPU_X87,
    .register_name = "CPUID",
    .folds_loads = true,
    .between = BETWEEN,
};
