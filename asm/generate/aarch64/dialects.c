/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of AArch64: how the ISAs' instructions are written, and what they have beside f64 and f32. */
#include "asm/generate/generate.h"

/* General registers: the loop's own two instructions use the same pipes, so bodies are long. */
static const struct compute_shape general_shapes[] = {{1, 6, 16}, {1, 4, 24}, {1, 5, 48}, {0, 0, 0}};

const struct dialect dialect_table[] = {
    {"scalar", "d", 32, .plain = true, .fused = true, .keeps_sources = true, .needs = CPU_ASIMD},
    {"scalar", NULL, 32, .integers = true, .keeps_sources = true, .needs = CPU_ASIMD, .shapes = general_shapes},
    {"neon", "v", 32, .packed = true, .plain = true, .fused = true, .integers = true, .keeps_sources = true},
};
const size_t dialect_count = sizeof dialect_table / sizeof *dialect_table;
const cpu_features dialect_features = CPU_DC_ZVA;

const struct extension extension_table[] = {
    {"neon", TYPE_I8, CPU_ASIMD_DP, "dotss", "sdot"},
};
const size_t extension_count = sizeof extension_table / sizeof *extension_table;
