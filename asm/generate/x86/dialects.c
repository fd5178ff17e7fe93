/* SPDX-License-Identifier: BSD-3-Clause
 * The tables of x86-64: how the ISAs' instructions are written, and what they have beside f64 and f32. */
#include "asm/generate/generate.h"

/* A product of tiles starts every 16 cycles. Four in flight are enough (seen on Redwood Cove: 1024 flop per cycle with
 * four and with five). With three factors, eight tiles leave five. */
static const struct compute_shape amx_shapes[] = {{1, 4, 4}, {1, 5, 4}, {1, 4, 8}, {0, 0, 0}};

/* Seven accumulators beside the constant: four of them for multiplications, whose latency is four cycles. */
static const struct compute_shape x87_shapes[] = {{0, 7, 6}, {0, 6, 8}, {0, 6, 4}, {0, 6, 2}, {0, 0, 0}};

/* General registers: the ports are at least as many as an instruction's latency. The loop's own two instructions use
 * the same ports, so bodies are long. */
static const struct compute_shape general_shapes[] = {{1, 7, 16}, {1, 6, 16}, {1, 8, 16},
                                                      {1, 4, 24}, {1, 5, 48}, {0, 0, 0}};

/* FMA3 exists only with VEX coding: beside legacy SSE code it also needs AVX, and never mixes with legacy
 * instructions. */
const struct dialect dialect_table[] = {
    {"x87", "st", 8, .plain = true, .shapes = x87_shapes},
    {"scalar", "xmm", 16, .plain = true, .needs = CPU_SSE2},
    {"scalar", "xmm", 16, .fused = true, .keeps_sources = true, .needs = CPU_SSE2 | CPU_AVX | CPU_FMA3},
    {"scalar", NULL, 16, .integers = true, .needs = CPU_SSE2, .shapes = general_shapes},
    {"sse", "xmm", 16, .packed = true, .plain = true, .integers = true},
    {"sse", "xmm", 16, .packed = true, .fused = true, .keeps_sources = true, .needs = CPU_AVX | CPU_FMA3},
    {"avx", "ymm", 16, .packed = true, .plain = true, .keeps_sources = true},
    {"avx2", "ymm", 16, .packed = true, .plain = true, .fused = true, .integers = true, .keeps_sources = true},
    {"avx512", "zmm", 32, .packed = true, .plain = true, .fused = true, .integers = true, .keeps_sources = true},
    {"amx", "tmm", 8, .packed = true, .shapes = amx_shapes},
};
const size_t dialect_count = sizeof dialect_table / sizeof *dialect_table;
const cpu_features dialect_features = CPU_CLZERO | CPU_CLDEMOTE;

/* {vex} prevents assemblers from choosing the AVX-512 form of the same name; a bare brace would mean alternatives of
 * dialects. */
const struct extension extension_table[] = {
    {"avx512", TYPE_F16, CPU_AVX512_FP16, NULL, NULL},
    {"avx512", TYPE_BF16, CPU_AVX512_BF16, "dot", "vdpbf16ps"},
    {"avx512", TYPE_I8, CPU_AVX512_VNNI, "dot", "vpdpbusd"},
    {"avx512", TYPE_I16, CPU_AVX512_VNNI, "dotss", "vpdpwssd"},
    {"avx2", TYPE_I8, CPU_AVX_VNNI, "dot", "%{vex%} vpdpbusd"},
    {"avx2", TYPE_I8, CPU_AVX_VNNI_INT8, "dotss", "vpdpbssd"},
    {"avx2", TYPE_I8, CPU_AVX_VNNI_INT8, "dotuu", "vpdpbuud"},
    {"avx2", TYPE_I16, CPU_AVX_VNNI, "dotss", "%{vex%} vpdpwssd"},
    {"avx2", TYPE_I16, CPU_AVX_VNNI_INT16, "dotus", "vpdpwusd"},
    {"avx2", TYPE_I16, CPU_AVX_VNNI_INT16, "dotuu", "vpdpwuud"},
    {"amx", TYPE_F16, CPU_AMX_FP16, "dot", "tdpfp16ps"},
    {"amx", TYPE_BF16, CPU_AMX_BF16, "dot", "tdpbf16ps"},
    {"amx", TYPE_I8, CPU_AMX_INT8, "dot", "tdpbusd"},
};
const size_t extension_count = sizeof extension_table / sizeof *extension_table;
