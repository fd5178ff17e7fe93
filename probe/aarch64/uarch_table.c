/* SPDX-License-Identifier: BSD-3-Clause
 * Documented products: the identification, core, and cache links of each. A figure without a source is left out, or one
 * on which sources disagree. The model is MIDR's part number, from Linux's arch/arm64/include/asm/cputype.h unless the
 * row says another; the vendor is its implementer's name, and the family 8, for Armv8 and later.
 * Divisions are left out where their time depends on the operands. */
#include "probe/isa.h"
#include "probe/uarch_table.h"

/* Ports, as bits of a mask. Names are Arm's: S units of general registers, M those that also multiply, V vector units,
 * LS units of loads and stores, L of loads alone, ST of stores alone, D their data, FLAG the flags that one cycle can
 * set; DV is the divider, PR Fujitsu's unit of predicates, Z Ampere's unit of stored vectors. */
enum {
    /* clang-format off */
    S0 = 1 << 0, S1 = 1 << 1, S2 = 1 << 2, S3 = 1 << 3, S4 = 1 << 4, S5 = 1 << 5, M0 = 1 << 6, M1 = 1 << 7,
    V0 = 1 << 8, V1 = 1 << 9, V2 = 1 << 10, V3 = 1 << 11, V4 = 1 << 12, V5 = 1 << 13,
    LS0 = 1 << 14, LS1 = 1 << 15, L2 = 1 << 16, L3 = 1 << 17, ST0 = 1 << 18, ST1 = 1 << 19, D0 = 1 << 20, D1 = 1 << 21,
    FLAG0 = 1 << 22, FLAG1 = 1 << 23, FLAG2 = 1 << 24, FLAG3 = 1 << 25, FLAG4 = 1 << 26, FLAG5 = 1 << 27,
    DV = 1 << 28, PR = 1 << 29, Z = 1 << 30,
    V01 = V0 | V1, V02 = V0 | V2, V13 = V1 | V3, V0123 = V01 | V2 | V3, M01 = M0 | M1, S01 = S0 | S1, S012345 = S01 | S2 | S3 | S4 | S5, V012345 = V0123 | V4 | V5, LS01 = LS0 | LS1, D01 = D0 | D1,
    /* clang-format on */
};

/* clang-format off */
#define FLOATS   OP_ADD | OP_MUL | OP_FMA
#define COMPARES OP_VECTOR_EQUAL | OP_VECTOR_EQUAL_64 | OP_VECTOR_GREATER | OP_VECTOR_GREATER_64
#define DOTS     OP_DOT_BF16 | OP_DOT_I8 | OP_MATRIX_BF16 | OP_MATRIX_I8
/* Divisions and roots that a pipeline takes one after the other, the elements of a vector, too. */
#define PIPELINED_DIVISIONS(ports)                                                   \
    {OP_DIV_F64 | OP_SQRT_F64 | OP_DIV_F32 | OP_SQRT_F32, 8, {{ports, 1}}},          \
    {OP_DIV_F64 | OP_SQRT_F64, 16, {{ports, 2}}},                                    \
    {OP_DIV_F32 | OP_SQRT_F32, 16, {{ports, 4}}}

/* Arm's block diagrams and manuals, as Jiajie Chen's drawings of cores quote them. */
#define QUOTED      ", as quoted by Jiajie Chen"
#define DRAWN(core) "Arm's documents of " core QUOTED
#define NOT_DRAWN   "these documents do not tell the ports of these"

/* Products of 64 bits keep the multiplier busy for three cycles. Stores of 128 bits are two of 64. */
static const struct port_model core_neoverse_n1 = {
    .operations = {{FLOATS | OP_DOT_I8 | OP_VECTOR_ADD | COMPARES, 16, {{V01, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{V1, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01, 1}}},
                   {OP_STORE, 8, {{LS01, 1}, {V01, 1}}},
                   {OP_STORE, 16, {{LS01, 2}, {V01, 2}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01 | M0, 1}}},
                   {OP_GENERAL_MUL, 4, {{M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 3}}}},
    .issue_width = 4,
    .in_core = "neoverse-n1",
    .source = "LLVM AArch64SchedNeoverseN1.td, after Arm's Software Optimization Guide PJDOC-466751330-9707; OSACA n1.yml; WikiChip, Neoverse N1 (width)",
};

/* Additions in general registers: the guide has four units, of which three did additions in a Yitian 710. */
static const struct port_model core_neoverse_n2 = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | COMPARES, 16, {{V01, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 1}}},
                   {OP_VECTOR_MUL_64, 16, {{V0, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{V1, 1}}},
                   {OP_PREDICATE_COMPARE, 16, {{V0, 1}, {M01, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2, 1}}},
                   {OP_STORE, 16, {{LS01, 1}, {V01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01 | M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 5,
    .in_core = "neoverse-n2",
    .source = "LLVM AArch64SchedNeoverseN2.td, after Arm's Software Optimization Guide PJDOC-466751330-18256; chipsandcheese, Arm's Neoverse N2: Cortex A710 for Servers (width, additions)",
};

static const struct port_model core_neoverse_n3 = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | COMPARES | OP_PREDICATE_COMPARE, 16, {{V01, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 1}}},
                   {OP_VECTOR_MUL_64, 16, {{V0, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{V1, 1}}},
                   PIPELINED_DIVISIONS(V0),
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2, 1}}},
                   {OP_STORE, 16, {{LS01, 1}, {V01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01 | M01, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .in_core = "neoverse-n3",
    .source = "LLVM AArch64SchedNeoverseN3.td",
};

/* SVE has vectors of 256 bits: two units of 128 bits work as one, and the third unit of loads has none. LLVM's model and
 * GCC's (neoversev1.h) have one rate for its instructions, also where the system shortens the vectors. */
static const struct port_model core_neoverse_v1 = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | OP_OF_NEON, 16, {{V0123, 1}}},
                   {COMPARES | OP_OF_NEON, 16, {{V0123, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_OF_NEON, 16, {{V02, 1}}},
                   {OP_VECTOR_SHIFT | OP_OF_NEON, 16, {{V13, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD | OP_OF_NEON, 16, {{LS01 | L2, 1}}},
                   {FLOATS | DOTS | OP_VECTOR_ADD, 32, {{V01, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 32, {{V0, 1}}},
                   {OP_VECTOR_MUL_64, 32, {{V0, 2}}},
                   {OP_VECTOR_SHIFT, 32, {{V1, 1}}},
                   {OP_PREDICATE_COMPARE, 32, {{V0, 1}, {M0, 1}}},
                   {OP_LOAD, 32, {{LS01, 1}}},
                   {OP_STORE, 32, {{LS01, 1}, {V01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S01 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01 | M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 8,
    .in_core = "neoverse-v1",
    .source = "Arm's Neoverse V1 Software Optimization Guide PJDOC-466751330-9685 (width), and LLVM AArch64SchedNeoverseV1.td after it",
};

static const struct port_model core_neoverse_v2 = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | COMPARES, 16, {{V0123, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V02, 1}}},
                   {OP_VECTOR_MUL_64, 16, {{V02, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{V13, 1}}},
                   {OP_PREDICATE_COMPARE, 16, {{V0, 1}, {M0, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2, 1}}},
                   {OP_STORE, 16, {{LS01, 1}, {V01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S01 | S2 | S3 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01 | M01, 1}, {FLAG0 | FLAG1 | FLAG2, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 8,
    .in_core = "neoverse-v2",
    .source = "LLVM AArch64SchedNeoverseV2.td, after Arm's Software Optimization Guide PJDOC-466751330-593177 r0p2; OSACA v2.yml",
};

static const struct port_model core_neoverse_v3 = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | COMPARES, 16, {{V0123, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V02, 1}}},
                   {OP_VECTOR_MUL_64, 16, {{V02, 2}}},
                   {OP_VECTOR_SHIFT | OP_OF_NEON, 16, {{V0123, 1}}},
                   {OP_VECTOR_SHIFT, 16, {{V13, 1}}},
                   {OP_PREDICATE_COMPARE, 16, {{V0, 1}}},
                   PIPELINED_DIVISIONS(V1),
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2 | L3, 1}}},
                   {OP_STORE, 16, {{LS0 | ST1, 1}, {V01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS0 | ST1, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S012345 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S012345 | M01, 1}, {FLAG0 | FLAG1 | FLAG2 | FLAG3, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 10,
    .in_core = "neoverse-v3",
    .source = "LLVM AArch64SchedNeoverseV3.td, after Arm's Software Optimization Guide 109678",
};

/* Half of V3's units of vectors. LLVM has a scalar division of f64 take as long as eight of f32. */
static const struct port_model core_neoverse_v3ae = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | COMPARES, 16, {{V01, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 1}}},
                   {OP_VECTOR_MUL_64, 16, {{V0, 2}}},
                   {OP_VECTOR_SHIFT | OP_OF_NEON, 16, {{V01, 1}}},
                   {OP_VECTOR_SHIFT, 16, {{V1, 1}}},
                   {OP_PREDICATE_COMPARE, 16, {{V0, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2 | L3, 1}}},
                   {OP_STORE, 16, {{LS0 | ST1, 1}, {V01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS0 | ST1, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S012345 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S012345 | M01, 1}, {FLAG0 | FLAG1 | FLAG2 | FLAG3, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 10,
    .source = "LLVM AArch64SchedNeoverseV3AE.td, after Arm's Software Optimization Guide 109703",
};

/* SVE2 of 128 bits, as NEON. */
static const struct port_model core_cortex_x2 = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V0123, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V02, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD, 8, {{S01 | M01, 1}}}},
    .issue_width = 8,
    .source = DRAWN("Cortex-X2"),
    .unknown = NOT_DRAWN,
};

/* Six vector units. Two of them multiply integers. A store occupies one. */
static const struct port_model core_cortex_x925 = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V012345, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0 | V3, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2 | L3, 1}}},
                   {OP_STORE, 16, {{LS01, 1}, {V012345, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD, 8, {{S012345 | M01, 1}}},
                   {OP_GENERAL_MUL, 8, {{S1 | S3 | S5 | M1, 1}}}},
    .issue_width = 10,
    .source = "GCC cortexx925.h; " DRAWN("Cortex-X925"),
    .unknown = NOT_DRAWN,
};

/* C1-Ultra has six vector units, four of which multiply integers; C1-Premium has two, which both do. Four units of
 * general registers multiply. */
#define C1_GENERAL                                                                                                   \
    {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2 | L3, 1}}},                                                           \
    {OP_STORE, 16, {{LS01, 1}, {V01, 1}}},                                                                            \
    {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},                                                                     \
    {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S012345 | M01, 1}}},                                                     \
    {OP_GENERAL_COMPARE, 8, {{S012345 | M01, 1}, {FLAG0 | FLAG1 | FLAG2 | FLAG3, 1}}},                                \
    {OP_GENERAL_MUL, 8, {{S0 | S2 | S4 | M0, 1}}}
#define VECTOR_MULS OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_MUL_64
static const struct port_model core_c1_ultra = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | OP_VECTOR_SHIFT | COMPARES, 16, {{V012345, 1}}},
                   {VECTOR_MULS, 16, {{V01 | V3 | V4, 1}}},
                   {OP_PREDICATE_COMPARE, 16, {{V0, 1}}},
                   PIPELINED_DIVISIONS(V1), C1_GENERAL},
    .issue_width = 10,
    .source = "LLVM AArch64SchedC1Ultra.td, after Arm's Software Optimization Guide 111079",
};
static const struct port_model core_c1_premium = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | OP_VECTOR_SHIFT | COMPARES | VECTOR_MULS, 16, {{V01, 1}}},
                   {OP_PREDICATE_COMPARE, 16, {{V0, 1}}},
                   PIPELINED_DIVISIONS(V1), C1_GENERAL},
    .issue_width = 10,
    .source = "LLVM AArch64SchedC1Premium.td, after Arm's Software Optimization Guide 111080",
};

/* Six units of vectors, of which four multiply integers. */
static const struct port_model core_olympus = {
    .operations = {{FLOATS | DOTS | OP_VECTOR_ADD | OP_VECTOR_SHIFT | COMPARES, 16, {{V012345, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0123, 1}}},
                   {OP_VECTOR_MUL_64, 16, {{V0123, 2}}},
                   PIPELINED_DIVISIONS(V1 | V2),
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2 | L3, 1}}},
                   {OP_STORE, 16, {{ST0 | ST1, 1}, {V0123, 1}}},
                   {OP_GENERAL_STORE, 8, {{ST0 | ST1, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S012345 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S012345 | M01, 1}, {FLAG0 | FLAG1 | FLAG2 | FLAG3 | FLAG4 | FLAG5, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 10,
    .source = "LLVM AArch64SchedOlympus.td, after NVIDIA's Olympus CPU Core Software Optimization Guide DP-12531-001",
    .unknown = "the model has two forms of compares that write predicates",
};

/* Divisions block the divider for their whole latency, which grows with the length of the vectors. A store occupies both
 * units of addresses: the second one when it is written to L1. LLVM has multiplications of general registers on four
 * units, the manual on EXA alone. */
#define A64FX_DIVISIONS(f64, f32, bytes)                                                       \
    {OP_DIV_F64 | OP_SQRT_F64, bytes, {{DV, f64}}}, {OP_DIV_F32 | OP_SQRT_F32, bytes, {{DV, f32}}}
static const struct port_model core_a64fx = {
    .operations = {{COMPARES, 16, {{V01, 1}}},
                   {FLOATS | OP_DOT_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_MUL_64 | OP_VECTOR_SHIFT, 64, {{V01, 1}}},
                   {OP_PREDICATE_COMPARE, 64, {{V0, 1}, {PR, 1}}},
                   A64FX_DIVISIONS(43, 29, 16), A64FX_DIVISIONS(80, 52, 32), A64FX_DIVISIONS(154, 98, 64),
                   {OP_LOAD | OP_GENERAL_LOAD, 64, {{LS01, 1}}},
                   {OP_STORE, 64, {{LS0, 1}, {LS1, 1}, {V0, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS0, 1}, {LS1, 1}, {S0, 1}}},
                   {OP_GENERAL_ADD, 8, {{S01 | LS01, 1}}},
                   {OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01, 1}}},
                   {OP_GENERAL_MUL, 8, {{S0, 1}}}},
    .issue_width = 4,
    .source = "Fujitsu, A64FX Microarchitecture Manual 1.8.1, chapters 7 and 16; OSACA a64fx.yml (stores)",
};

/* LLVM gives BFDOT and BFMMLA the time of any vector operation that it does not name. */
#define AMPERE_DOTS "LLVM's model does not name the bf16 instructions"
static const struct port_model core_ampere1 = {
    .operations = {{FLOATS | OP_DOT_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_SHIFT | COMPARES, 16, {{V01, 1}}},
                   {OP_MATRIX_I8, 16, {{V01, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{L2 | L3, 1}}},
                   {OP_STORE, 16, {{ST0 | ST1, 1}, {Z, 1}}},
                   {OP_GENERAL_STORE, 8, {{ST0 | ST1, 1}}},
                   {OP_GENERAL_ADD, 8, {{S01 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{M01, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .issue_width = 4,
    .source = "LLVM AArch64SchedAmpere1.td, by Ampere; chipsandcheese, AmpereOne at Hot Chips 2024",
    .unknown = AMPERE_DOTS,
};
static const struct port_model core_ampere1b = {
    .operations = {{FLOATS | OP_DOT_I8 | OP_MATRIX_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_SHIFT | COMPARES, 16, {{V01, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{L2 | L3, 1}}},
                   {OP_STORE, 16, {{ST0 | ST1, 1}, {Z, 1}}},
                   {OP_GENERAL_STORE, 8, {{ST0 | ST1, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE, 8, {{S01 | M01, 1}}},
                   {OP_GENERAL_SHIFT, 8, {{M01, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .source = "LLVM AArch64SchedAmpere1B.td, by Ampere; chipsandcheese, LLVM's Ampere1B Commit",
    .unknown = AMPERE_DOTS,
};

/* Measured by instruction. One unit stores alone, one stores or loads, two load. */
static const struct port_model core_firestorm = {
    .operations = {{FLOATS | OP_DOT_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_SHIFT | COMPARES, 16, {{V0123, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V3, 1}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 16, {{V3, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2 | L3, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS0 | ST0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S01 | S2 | S3 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01 | S2, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 8,
    .source = "Dougall Johnson, Apple Microarchitecture Research (Firestorm), measured",
};
static const struct port_model core_icestorm = {
    .operations = {{FLOATS | OP_DOT_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_SHIFT | COMPARES, 16, {{V01, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 8, {{V1, 1}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 8, {{V1, 2}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V1, 2}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 16, {{V1, 4}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S01 | M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .source = "Dougall Johnson, Apple Microarchitecture Research (Icestorm), measured",
    .unknown = "2.75 of CMP and 2 of SUBS were measured per cycle, which no number of units explains",
};

/* Measured: as Firestorm, as far as that goes. */
#define APPLE_MOVES                                                                                                   \
    {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2 | L3, 1}}},                                                            \
    {OP_STORE | OP_GENERAL_STORE, 16, {{LS0 | ST0, 1}}}
#define APPLE_SOURCE "Jiajie Chen, Apple "
#define UNMEASURED   "the source did not measure these"
static const struct port_model core_avalanche = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V0123, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V3, 1}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 16, {{V3, 2}}},
                   APPLE_MOVES,
                   {OP_GENERAL_ADD, 8, {{S01 | S2 | S3 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01 | S2, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .source = APPLE_SOURCE "M2 (Avalanche), measured, with Apple Silicon CPU Optimization Guide (units)",
    .unknown = UNMEASURED,
};
static const struct port_model core_blizzard = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V01, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 8, {{V1, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V1, 2}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 8, {{V1, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01 | S2 | M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .issue_width = 5,
    .source = APPLE_SOURCE "M2 (Blizzard), measured, with Apple Silicon CPU Optimization Guide (units)",
    .unknown = UNMEASURED,
};
static const struct port_model core_m4_p = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V0123, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V3, 1}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 16, {{V3, 2}}},
                   APPLE_MOVES,
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S012345 | M01, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01 | S2 | S3, 1}}},
                   {OP_GENERAL_MUL, 8, {{S5 | M01, 1}}}},
    .issue_width = 10,
    .source = APPLE_SOURCE "M4 (P-Core), measured, with Apple Silicon CPU Optimization Guide (units)",
    .unknown = UNMEASURED,
};
/* Three vector units, two of which multiply. Measurements found three additions of general registers per cycle, and
 * four. */
static const struct port_model core_m4_e = {
    .operations = {{OP_ADD | OP_VECTOR_ADD, 16, {{V01 | V2, 1}}},
                   {OP_MUL | OP_FMA, 16, {{V01, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 8, {{V1, 1}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V1, 2}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 8, {{V1, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .issue_width = 5,
    .source = APPLE_SOURCE "M4 (E-Core), measured",
    .unknown = UNMEASURED ", or found two rates",
};

/* Four units load and store, and at most two of them store in a cycle. LLVM's model gives additions and compares of two
 * registers the time of those that also shift one register. */
static const struct port_model core_oryon = {
    .operations = {{FLOATS | OP_DOT_BF16 | OP_DOT_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | OP_VECTOR_SHIFT | COMPARES, 16, {{V0123, 1}}},
                   {OP_MATRIX_BF16 | OP_MATRIX_I8, 16, {{V0123, 2}}},
                   {OP_DIV_F64 | OP_DIV_F32, 16, {{V3, 1}}},
                   {OP_SQRT_F64 | OP_SQRT_F32, 16, {{V3, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2 | L3, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS01 | L2 | L3, 1}, {ST0 | ST1, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S012345, 1}}},
                   {OP_GENERAL_MUL, 8, {{S4 | S5, 1}}}},
    .issue_width = 8,
    .source = "LLVM AArch64SchedOryon.td, by Qualcomm; Jiajie Chen, Qualcomm Oryon (width, additions, loads and stores, measured)",
    .unknown = "LLVM's model has the time of a compare with a shift",
};

/* LLVM has 1.5 stores per cycle, three products of general registers, and one of vectors; OSACA measured as here. */
static const struct port_model core_thunderx2 = {
    .operations = {{FLOATS | OP_VECTOR_ADD | COMPARES, 16, {{V01, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS01, 1}, {ST0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{V01 | S0, 1}}},
                   {OP_GENERAL_MUL, 8, {{V1, 1}}}},
    .issue_width = 4,
    .source = "OSACA tx2.yml; LLVM AArch64SchedThunderX2T99.td (integers in vectors)",
    .unknown = "of these only LLVM has figures, which for FMUL and stores are wrong",
};

/* Two units of 64 bits for integers in vectors. */
static const struct port_model core_taishan_v110 = {
    .operations = {{FLOATS, 8, {{V01, 1}}},
                   {OP_VECTOR_ADD | COMPARES, 16, {{V01, 2}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 2}}},
                   {OP_VECTOR_SHIFT, 16, {{V0, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS0 | L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 16, {{LS0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_SHIFT, 8, {{S01 | S2, 1}}},
                   {OP_GENERAL_COMPARE, 8, {{S01, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .issue_width = 4,
    .source = "LLVM AArch64SchedTSV110.td; OSACA tsv110.yml",
    .unknown = "of f64 in vectors OSACA measured one operation per cycle, of f32 two; LLVM has two of both, and names no SDOT",
};

/* Vectors of floating point are two halves. Products of 64 bits keep the multiplier busy for longer than LLVM has it. */
static const struct port_model core_cortex_a57 = {
    .operations = {{FLOATS, 8, {{V01, 1}}},
                   {FLOATS, 16, {{V01, 2}}},
                   {OP_VECTOR_ADD | COMPARES, 16, {{V01, 1}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 8, {{ST0, 1}}},
                   {OP_STORE, 16, {{ST0, 2}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01, 1}}},
                   {OP_GENERAL_MUL, 4, {{M0, 1}}}},
    .issue_width = 3,
    .source = "LLVM AArch64SchedA57.td, after Arm's Cortex-A57 Software Optimization Guide UAN 0015B",
    .unknown = "LLVM's model has shifts on both units and products of 64 bits as fast as of 32, OSACA's of Cortex-A72 not",
};
/* OSACA measured one product of scalars per cycle, LLVM takes Cortex-A57's model, with two. */
static const struct port_model core_cortex_a72 = {
    .operations = {{OP_ADD, 8, {{V01, 1}}},
                   {OP_MUL | OP_FMA, 8, {{0, 0}}},
                   {FLOATS, 16, {{V01, 2}}},
                   {OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32, 16, {{V0, 2}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{L2, 1}}},
                   {OP_STORE | OP_GENERAL_STORE, 8, {{ST0, 1}}},
                   {OP_STORE, 16, {{ST0, 2}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01, 1}}}},
    .issue_width = 3,
    .source = "OSACA a72.yml, where LLVM's model of Cortex-A57 (AArch64Processors.td) agrees; GCC cortexa72.h (width)",
    .unknown = "OSACA's and LLVM's models disagree on these",
};

static const struct port_model core_cortex_a77 = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V01, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD, 8, {{S01 | S2 | M0, 1}}}},
    .issue_width = 6,
    .source = DRAWN("Cortex-A77"),
    .unknown = NOT_DRAWN,
};

static const struct port_model core_cortex_a78 = {
    .operations = {{FLOATS | OP_VECTOR_ADD, 16, {{V01, 1}}},
                   {OP_LOAD | OP_GENERAL_LOAD, 16, {{LS01 | L2, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS01, 1}, {D01, 1}}},
                   {OP_GENERAL_ADD, 8, {{S01 | M01, 1}}},
                   {OP_GENERAL_MUL, 8, {{M01, 1}}}},
    .issue_width = 6,
    .source = "LLVM AArch64Processors.td: as many units as Neoverse N2; Wikipedia, ARM Cortex-A78 (width, products, loads)",
    .unknown = "LLVM takes Neoverse N2's model for it, which has the units, but not all rates",
};

/* Two units of 64 bits. Of vectors LLVM has FMLA twice as fast as the guide. */
static const struct port_model core_cortex_a55 = {
    .operations = {{FLOATS, 8, {{V01, 1}}},
                   {FLOATS | OP_DOT_I8 | OP_VECTOR_ADD | OP_VECTOR_MUL_16 | OP_VECTOR_MUL_32 | COMPARES, 16, {{V01, 2}}},
                   {OP_GENERAL_LOAD, 8, {{L2, 1}}},
                   {OP_GENERAL_STORE, 8, {{ST0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 1}}}},
    .issue_width = 2,
    .source = "LLVM AArch64SchedA55.td; Arm's Cortex-A55 Software Optimization Guide, as quoted by LLVM D158008 (FMLA by element)",
    .unknown = "LLVM's model does not tell vectors of 64 and 128 bits apart",
};

static const struct port_model core_cortex_a510 = {
    .operations = {{OP_GENERAL_LOAD, 8, {{LS0 | L2, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01 | S2, 1}}},
                   {OP_GENERAL_MUL, 4, {{M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 2}}}},
    .issue_width = 3,
    .source = "LLVM AArch64SchedA510.td",
    .unknown = "its units have 64 or 128 bits, and two cores may share them: the maker of the chip decides (Arm)",
};

static const struct port_model core_c1_nano = {
    .operations = {{OP_GENERAL_LOAD, 8, {{LS0 | L2, 1}}},
                   {OP_GENERAL_STORE, 8, {{LS0, 1}}},
                   {OP_GENERAL_ADD | OP_GENERAL_COMPARE | OP_GENERAL_SHIFT, 8, {{S01, 1}}},
                   {OP_GENERAL_MUL, 4, {{M0, 1}}},
                   {OP_GENERAL_MUL, 8, {{M0, 2}}}},
    .issue_width = 3,
    .source = "LLVM AArch64SchedC1Nano.td",
    .unknown = "as of Cortex-A510, the maker of the chip decides about its units of vectors",
};

__extension__ enum {
    SVE_PRODUCTS = CPU_SVE_BF16 | CPU_SVE_I8MM,
    ARMV8_2 = CPU_ASIMD_HP | CPU_ASIMD_DP,
    ARMV8_6 = ARMV8_2 | CPU_BF16 | CPU_I8MM,
    ARMV9 = ARMV8_6 | CPU_SVE128 | CPU_SVE2 | SVE_PRODUCTS,
    SINCE_ARMV9 = CPU_SVE | CPU_SVE2 | SVE_PRODUCTS | CPU_SME,
    SINCE_ARMV8_6 = SINCE_ARMV9 | CPU_BF16 | CPU_I8MM,
};

#define OF(implementer)   .vendor = implementer, .family = 8
#define PART(number)      .models = {{number, number}}
#define LINUX             "Linux cputype.h"
#define NO_LINKS          .unknown_links = "no source has the width of its links"
#define M1N1              "m1n1 midr.h"
#define NO_FIGURES        "no source of this core's ports and links was found"
#define NO_SOURCE         .source = LINUX, .unknown_links = NO_FIGURES
#define OLD               OF("Arm"), .lacks = SINCE_ARMV8_6
#define A76_CLASS         OF("Arm"), .has = ARMV8_2, .lacks = SINCE_ARMV8_6
#define V9(part)          OF("Arm"), .has = ARMV9, PART(part)
/* LLVM takes another core's model for it. */
#define TAKEN(other)      .source = LINUX, .unknown_links = "LLVM takes " other "'s model for it; no source of its own ports and links was found"
/* Two interfaces of 256 bits between L1 and L2. 19 bytes per cycle of L2's loads were measured (chipsandcheese). */
#define A76_LINKS                                                                                             \
    .core = &core_neoverse_n1, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL,                            \
    NO_L3_LINK
#define NO_L3_LINK        .unknown_links = "no source has the width of its link to L3"
#define MESH_LINKS        .unknown_links = "no source has the width of its link to L2, nor of the mesh"
#define N2_LINKS                                                                                              \
    .core = &core_neoverse_n2, .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_FULL, NO_L3_LINK,                \
    .source = LINUX "; Arm, Neoverse N2 at Hot Chips 33 (of L2: 64 bytes read and 64 written)" QUOTED
#define APPLE             OF("Apple"), .lacks = CPU_SVE | CPU_SVE2 | SVE_PRODUCTS
#define APPLE_M1          APPLE, .has = ARMV8_2, .source = LINUX, NO_LINKS
#define APPLE_M2          APPLE, .has = ARMV8_6
/* Of a chip, and of those with more cores, Pro and Max. */
#define CHIPS(part)       {part, part}, {part + 2, part + 2}, {part + 6, part + 6}
#define THUNDERX2                                                                                             \
    .lacks = SINCE_ARMV8_6 | ARMV8_2, .core = &core_thunderx2, .l2_bytes_per_cycle = 64,                      \
    .l2_duplex = DUPLEX_HALF, .l3_bytes_per_cycle = 32, .source = "kerncraft ARMv8_ThunderX2-CN9980.yml; " LINUX
#define AMPEREONE         OF("Ampere"), .has = ARMV8_6, .lacks = SINCE_ARMV9

static const struct uarch ROWS[] = {
    {OLD, .name = "Cortex-A53", PART(0xd03), NO_SOURCE},
    {OLD, .name = "Cortex-A57", PART(0xd07), .core = &core_cortex_a57, .source = LINUX, NO_LINKS},
    {OLD, .name = "Cortex-A72", PART(0xd08), .core = &core_cortex_a72, .source = LINUX, NO_LINKS},
    {OLD, .name = "Cortex-A73", PART(0xd09), TAKEN("Cortex-A57")},
    {A76_CLASS, .name = "Cortex-A55", PART(0xd05), .core = &core_cortex_a55, .source = LINUX, NO_LINKS},
    {A76_CLASS, .name = "Cortex-A75", PART(0xd0a), TAKEN("Cortex-A57")},
    {A76_CLASS, .name = "Cortex-A76", .models = {{0xd0b, 0xd0b}, {0xd0e, 0xd0e}}, A76_LINKS,
     .source = LINUX "; Arm, Cortex-A76 Technical Reference Manual, A6.1 (of L2); chipsandcheese, Arm's Neoverse N2: N1 is Cortex-A76"},
    {A76_CLASS, .name = "Cortex-A77", PART(0xd0d), .core = &core_cortex_a77, .l2_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL,
     .source = LINUX "; Arm, Cortex-A77 Technical Reference Manual 101111 (of L2)" QUOTED, NO_L3_LINK},
    {A76_CLASS, .name = "Cortex-A78", .models = {{0xd41, 0xd42}, {0xd4b, 0xd4b}}, .core = &core_cortex_a78, .source = LINUX, NO_LINKS},
    {A76_CLASS, .name = "Cortex-X1", .models = {{0xd44, 0xd44}, {0xd4c, 0xd4c}}, .core = &core_neoverse_v1,
     .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_FULL, NO_L3_LINK,
     .source = LINUX "; LLVM AArch64Processors.td: the model of Neoverse V1, whose vectors of SVE it lacks; Arm, Cortex-X1 Technical Reference Manual 101433 (of L2)" QUOTED},
    {A76_CLASS, .name = "Neoverse N1", PART(0xd0c), A76_LINKS,
     .source = LINUX "; Arm, Cortex-A76 Technical Reference Manual, A6.1, and chipsandcheese, Deep Diving Neoverse N1 (of L2)"},
    {A76_CLASS, .name = "Neoverse E1", PART(0xd4a), TAKEN("Cortex-A53")},
    {OF("Arm"), .name = "Neoverse V1", PART(0xd40), .has = ARMV8_6 | CPU_SVE256 | SVE_PRODUCTS, .lacks = CPU_SVE2 | CPU_SME | CPU_SVE512,
     .core = &core_neoverse_v1, .source = LINUX, MESH_LINKS},
    {V9(0xd46), .name = "Cortex-A510", .core = &core_cortex_a510, .source = LINUX, NO_LINKS},
    {V9(0xd47), .name = "Cortex-A710", .core = &core_neoverse_n2, NO_LINKS,
     .source = LINUX "; chipsandcheese, Arm's Neoverse N2: Cortex A710 for Servers"},
    {V9(0xd48), .name = "Cortex-X2", .core = &core_cortex_x2, .source = LINUX, NO_LINKS},
    {V9(0xd49), .name = "Neoverse N2", N2_LINKS},
    {OF("Microsoft"), .name = "Cobalt 100 (Neoverse N2)", .has = ARMV9, PART(0xd49), N2_LINKS},
    {V9(0xd4d), .name = "Cortex-A715", TAKEN("Neoverse N2")},
    {V9(0xd4e), .name = "Cortex-X3", .core = &core_neoverse_v2, NO_LINKS,
     .source = LINUX "; chipsandcheese, Arm's Neoverse V2, in AWS's Graviton 4: V2 is derived from it"},
    {V9(0xd4f), .name = "Neoverse V2", .core = &core_neoverse_v2, .l2_bytes_per_cycle = 128, .l2_duplex = DUPLEX_HALF, NO_L3_LINK,
     .source = LINUX "; Arm, Neoverse V2 at Hot Chips 2023 (of L2: 64 bytes read or written in two cycles by each of four banks)" QUOTED},
    {V9(0xd80), .name = "Cortex-A520", TAKEN("Cortex-A510")},
    {V9(0xd81), .name = "Cortex-A720", TAKEN("Neoverse N2")},
    {V9(0xd82), .name = "Cortex-X4", .core = &core_neoverse_v3, NO_LINKS,
     .source = LINUX "; LLVM AArch64Processors.td: the model of Neoverse V3; Arm's slides of Cortex-X4, with the same units" QUOTED},
    {V9(0xd83), .name = "Neoverse V3AE", .core = &core_neoverse_v3ae, .source = LINUX, MESH_LINKS},
    {V9(0xd84), .name = "Neoverse V3", .core = &core_neoverse_v3, .source = LINUX, MESH_LINKS},
    {V9(0xd85), .name = "Cortex-X925", .core = &core_cortex_x925, .source = LINUX, NO_LINKS},
    {V9(0xd87), .name = "Cortex-A725", TAKEN("Neoverse N3")},
    {V9(0xd8a), .name = "C1-Nano", .core = &core_c1_nano, .source = LINUX, NO_LINKS},
    {V9(0xd8b), .name = "C1-Pro", TAKEN("Neoverse N3")},
    {V9(0xd8c), .name = "C1-Ultra", .core = &core_c1_ultra, .source = LINUX, NO_LINKS},
    {V9(0xd90), .name = "C1-Premium", .core = &core_c1_premium, .source = LINUX, NO_LINKS},
    {V9(0xd8e), .name = "Neoverse N3", .core = &core_neoverse_n3, .source = LINUX, MESH_LINKS},
    {OF("Fujitsu"), .name = "A64FX", PART(0x001), .has = CPU_ASIMD_HP | CPU_SVE512, .lacks = ARMV8_6 & ~CPU_ASIMD_HP,
     .core = &core_a64fx, .l2_bytes_per_cycle = 64, .l2_write_bytes_per_cycle = 32, .l2_duplex = DUPLEX_FULL,
     .source = LINUX "; Fujitsu, A64FX Microarchitecture Manual 1.8.1, table 9-1 (of L2)", .unknown_links = "it has no L3"},
    {OF("Fujitsu"), .name = "MONAKA", PART(0x003), .has = ARMV8_6 | CPU_SVE256 | CPU_SVE2 | SVE_PRODUCTS, TAKEN("A64FX")},
    {AMPEREONE, .name = "AmpereOne (Ampere1)", .models = {{0xac3, 0xac4}}, .core = &core_ampere1, NO_LINKS,
     .source = LINUX "; LLVM AArch64Processors.td: Ampere1A has the model of Ampere1"},
    {AMPEREONE, .name = "AmpereOne MX (Ampere1B)", PART(0xac5), .core = &core_ampere1b, NO_LINKS,
     .source = "GCC aarch64-cores.def; Phoronix, 256-core AmpereOne: of Ampere1B"},
    {APPLE_M1, .name = "M1 P (Firestorm)", .models = {CHIPS(0x023), {0x021, 0x021}}, .core = &core_firestorm},
    {APPLE_M1, .name = "M1 E (Icestorm)", .models = {CHIPS(0x022), {0x020, 0x020}}, .core = &core_icestorm},
    {APPLE_M2, .name = "M2 P (Avalanche)", .models = {CHIPS(0x033)}, .core = &core_avalanche, .source = LINUX, NO_LINKS},
    {APPLE_M2, .name = "M2 E (Blizzard)", .models = {CHIPS(0x032)}, .core = &core_blizzard, .source = LINUX, NO_LINKS},
    {APPLE_M2, .name = "M3 P (Everest)", .models = {CHIPS(0x043)}, .source = M1N1, .unknown_links = NO_FIGURES},
    {APPLE_M2, .name = "M3 E (Sawtooth)", .models = {CHIPS(0x042)}, .source = M1N1, .unknown_links = NO_FIGURES},
    {APPLE_M2, .name = "M4 P", .models = {CHIPS(0x053)}, .core = &core_m4_p, .source = M1N1, NO_LINKS},
    {APPLE_M2, .name = "M4 E", .models = {CHIPS(0x052)}, .core = &core_m4_e, .source = M1N1, NO_LINKS},
    {OF("Broadcom"), .name = "Vulcan", PART(0x516), THUNDERX2},
    {OF("Cavium"), .name = "ThunderX2 (Vulcan)", PART(0x0af), THUNDERX2},
    {OF("HiSilicon"), .name = "Kunpeng 920 (TaiShan v110)", PART(0xd01), .has = ARMV8_2, .lacks = SINCE_ARMV8_6,
     .core = &core_taishan_v110, .source = LINUX, NO_LINKS},
    {OF("Qualcomm"), .name = "Oryon", PART(0x001), .has = ARMV8_6, .lacks = SINCE_ARMV9, .core = &core_oryon,
     .l2_bytes_per_cycle = 64, .l2_duplex = DUPLEX_FULL, NO_L3_LINK,
     .source = LINUX "; Qualcomm, Snapdragon X Series (of L2: 64 bytes filled and evicted)" QUOTED},
    {OF("NVIDIA"), .name = "Vera (Olympus)", .has = ARMV9, PART(0x010), .core = &core_olympus, .source = LINUX, MESH_LINKS},
};
/* clang-format on */

const struct uarch_list uarch_aarch64 = {
    ROWS,
    sizeof ROWS / sizeof *ROWS,
    .base = CPU_ASIMD,
    .register_name = "MIDR",
};
