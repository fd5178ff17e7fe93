/* SPDX-License-Identifier: BSD-3-Clause
 * The instruction sets of x86-64, and the names of its CPU features. */
#include "probe/isa.h"

const struct isa isa_table[] = {
    {"x87", "x87", 8, 8, ISA_STACK, false, CPU_X87},
    {"scalar", "scalar", 8, 16, ISA_SINGLE, true, CPU_SSE2},
    {"sse", "SSE", 16, 16, ISA_VECTORS, true, CPU_SSE2},
    {"avx", "AVX", 32, 16, ISA_VECTORS, false, CPU_AVX},
    {"avx2", "AVX2", 32, 16, ISA_VECTORS, true, CPU_AVX2 | CPU_FMA3},
    {"avx512", "AVX-512", 64, 32, ISA_VECTORS, true, CPU_AVX512},
    {"amx", "AMX", 1024, 8, ISA_TILES, false, CPU_AMX_TILE},
};
const size_t isa_count = sizeof isa_table / sizeof *isa_table;
const size_t isa_vector_count = sizeof isa_table / sizeof *isa_table - 1;

/* Names as in /proc/cpuinfo, if it has the feature: features of recorded machines are compared with them. */
const struct cpu_feature_name cpu_feature_names[] = {
    {CPU_SSE2, "sse2"},
    {CPU_AVX, "avx"},
    {CPU_AVX2, "avx2"},
    {CPU_FMA3, "fma"},
    {CPU_AVX512, "avx512"},
    {CPU_AVX512_FP16, "avx512_fp16"},
    {CPU_AVX512_BF16, "avx512_bf16"},
    {CPU_AVX512_VNNI, "avx512_vnni"},
    {CPU_AMX_TILE, "amx_tile"},
    {CPU_AMX_BF16, "amx_bf16"},
    {CPU_AMX_INT8, "amx_int8"},
    {CPU_AVX10, "avx10"},
    {CPU_INVARIANT_TSC, "nonstop_tsc"},
    {CPU_RDTSCP, "rdtscp"},
    {CPU_HYPERVISOR, "hypervisor"},
    {CPU_HYBRID, "hybrid"},
    {CPU_X87, "fpu"},
    {CPU_AVX_VNNI, "avx_vnni"},
    {CPU_AMX_FP16, "amx_fp16"},
    {CPU_PREFETCHI, "prefetchi"},
    {CPU_CLFLUSHOPT, "clflushopt"},
    {CPU_SSE4_1, "sse4_1"},
    {CPU_SSE4_2, "sse4_2"},
    {CPU_CLZERO, "clzero"},
    {CPU_CLDEMOTE, "cldemote"},
    {CPU_AVX_VNNI_INT8, "avx_vnni_int8"},
    {CPU_AVX_VNNI_INT16, "avx_vnni_int16"},
    {CPU_AVX_NE_CONVERT, "avx_ne_convert"},
    {CPU_AMX_COMPLEX, "amx_complex"},
    {CPU_AVX10_2, "avx10_2"},
    {0, NULL},
};
