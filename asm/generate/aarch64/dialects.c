/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of AArch64: how the ISAs' instructions are written, and what they have beside f64 and f32. */
#include "asm/generate/generate.h"

/* General registers: a Cortex-X925 has eight units of one cycle. The loop's own instructions use the same units, so
 * bodies are long. */
static const struct compute_shape general_shapes[] = {{1, 8, 16}, {1, 6, 16}, {1, 10, 16},
                                                      {1, 4, 24}, {1, 5, 48}, {0, 0, 0}};

/* An A64FX has two units of nine cycles (A64FX Microarchitecture Manual), a Neoverse V2 four of four. */
enum { SUMS = 18 };

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
};
const size_t extension_count = sizeof extension_table / sizeof *extension_table;
