/* SPDX-License-Identifier: BSD-3-Clause
 * The table of instruction sets and the names of CPU features. It asks the CPU nothing, so that the build-time
 * generator can link it alone: what a CPU has is cpu.c's. */
#include "isa.h"

#include <string.h>

const struct isa isa_table[] = {
    {"x87", "x87", 8, 8, CPU_X87},
    {"scalar", "scalar", 8, 16, CPU_SSE2},
    {"sse", "SSE", 16, 16, CPU_SSE2},
    {"avx", "AVX", 32, 16, CPU_AVX},
    {"avx2", "AVX2", 32, 16, CPU_AVX2 | CPU_FMA3},
    {"avx512", "AVX-512", 64, 32, CPU_AVX512},
    {"amx", "AMX", 1024, 8, CPU_AMX_TILE},
};
const size_t isa_count = sizeof isa_table / sizeof *isa_table;
const size_t isa_vector_count = sizeof isa_table / sizeof *isa_table - 1;

/* The names that /proc/cpuinfo uses, where it has one: recorded machines are compared with those. */
static const struct {
    uint32_t bit;
    const char *name;
} feature_names[] = {
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
};
enum { FEATURE_COUNT = sizeof feature_names / sizeof *feature_names };

const struct isa *isa_find(const char *name) {
    for (size_t i = 0; i < isa_count; i++)
        if (strcmp(isa_table[i].name, name) == 0)
            return &isa_table[i];
    return NULL;
}

const char *cpu_feature_name(uint32_t bit) {
    for (size_t i = 0; i < FEATURE_COUNT; i++)
        if (feature_names[i].bit == bit)
            return feature_names[i].name;
    return NULL;
}

uint32_t cpu_feature_find(const char *name) {
    for (size_t i = 0; i < FEATURE_COUNT; i++)
        if (strcmp(feature_names[i].name, name) == 0)
            return feature_names[i].bit;
    return 0;
}
