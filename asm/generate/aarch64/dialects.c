/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of AArch64: how the ISAs' instructions are written, and what they have beside f64 and f32. */
#include "asm/generate/generate.h"

/* General registers: a Cortex-X925 has eight units of one cycle. The loop's own instructions use the same units, so
 * bodies are long. */
static const struct compute_shape general_shapes[] = {{1, 8, 16}, {1, 6, 16}, {1, 10, 16},
                                                      {1, 4, 24}, {1, 5, 48}, {0, 0, 0}};

/* An A64FX has two units of nine cycles (A64FX Microarchitecture Manual), a Neoverse V2 four of four. */
enum { SUMS = 18 };

/* All tiles of the sums' type, four of 32 bits, eight of 64: an M4 starts an outer product per cycle, and its sum takes
 * four (Remke, Breuer: Hello SME!, 2024, measured). */
static const struct compute_shape tile_shapes[] = {{1, 8, 4}, {1, 4, 8}, {1, 4, 16}, {0, 0, 0}};

const struct dialect dialect_table[] = {
    {"scalar", "d", 32, .plain = true, .fused = true, .keeps_sources = true, .pairs = true, .needs = CPU_ASIMD},
    {"scalar", NULL, 32, .integers = true, .keeps_sources = true, .needs = CPU_ASIMD, .shapes = general_shapes},
    {"neon", "v", 32, .packed = true, .plain = true, .fused = true, .integers = true, .keeps_sources = true,
     .sums = SUMS, .pairs = true},
#define SVE "z", 32, .packed = true, .plain = true, .fused = true, .integers = true, .keeps_sources = true, .sums = SUMS
    {"sve128", SVE},
    {"sve256", SVE, .model = "sve128"},
    {"sve512", SVE, .model = "sve128"},
    {"sve1024", SVE, .model = "sve128"},
    {"sve2048", SVE, .model = "sve128"},
#define SME "z", 32, .packed = true, .shapes = tile_shapes
    {"sme128", SME},
    {"sme256", SME, .model = "sme128"},
    {"sme512", SME, .model = "sme128"},
    {"sme1024", SME, .model = "sme128"},
    {"sme2048", SME, .model = "sme128"},
};
const size_t dialect_count = sizeof dialect_table / sizeof *dialect_table;
const cpu_features dialect_features = CPU_DC_ZVA;

/* Every SVE has f16, and dot products of factors of the same sign. */
const struct extension extension_table[] = {
    {"neon", TYPE_F16, CPU_ASIMD_HP, NULL, NULL},
    {"neon", TYPE_BF16, CPU_BF16, "dot", "bfdot"},
    {"neon", TYPE_BF16, CPU_BF16, "mmla", "bfmmla"},
    {"neon", TYPE_I8, CPU_ASIMD_DP, "dot", "sdot"},
    {"neon", TYPE_I8, CPU_I8MM, "dotus", "usdot"},
    {"neon", TYPE_I8, CPU_ASIMD_DP, "dotuu", "udot"},
    {"neon", TYPE_I8, CPU_I8MM, "mmla", "smmla"},
    {"sve128", TYPE_F16, 0, NULL, NULL},
    {"sve128", TYPE_BF16, CPU_SVE_BF16, "dot", "bfdot"},
    {"sve128", TYPE_BF16, CPU_SVE_BF16, "mmla", "bfmmla"},
    {"sve128", TYPE_I8, 0, "dot", "sdot"},
    {"sve128", TYPE_I8, CPU_SVE_I8MM, "dotus", "usdot"},
    {"sve128", TYPE_I8, 0, "dotuu", "udot"},
    {"sve128", TYPE_I8, CPU_SVE_I8MM, "mmla", "smmla"},
    {"sve128", TYPE_I16, 0, "dotss", "sdot"},
    {"sve128", TYPE_I16, 0, "dotuu", "udot"},
    {"sme128", TYPE_F64, CPU_SME_F64F64, "mopa", "fmopa"},
    {"sme128", TYPE_F32, CPU_SME_F32F32, "mopa", "fmopa"},
    {"sme128", TYPE_F16, CPU_SME_F16F32, "mopa", "fmopa"},
    {"sme128", TYPE_BF16, CPU_SME_B16F32, "mopa", "bfmopa"},
    {"sme128", TYPE_I8, CPU_SME_I8I32, "mopa", "smopa"},
    {"sme128", TYPE_I8, CPU_SME_I8I32, "mopauu", "umopa"},
    {"sme128", TYPE_I16, CPU_SME_I16I64, "mopa", "smopa"},
    {"sme128", TYPE_I16, CPU_SME_I16I64, "mopauu", "umopa"},
};
const size_t extension_count = sizeof extension_table / sizeof *extension_table;
