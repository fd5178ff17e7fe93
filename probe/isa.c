/* SPDX-License-Identifier: BSD-3-Clause
 * Instruction sets and CPU features, and their names. It does not query the CPU, so the build-time generator can
 * link it alone; probe/cpu.h queries the CPU. */
#include "isa.h"

#include <string.h>

const struct isa isa_table[] = {
    {"x87", "x87", 8, ISA_STACK, false, CPU_X87},
    {"scalar", "scalar", 8, ISA_SINGLE, true, 0},
    {"sse", "SSE", 16, ISA_VECTORS, true, CPU_SSE2},
    {"avx", "AVX", 32, ISA_VECTORS, false, CPU_AVX},
    {"avx2", "AVX2", 32, ISA_VECTORS, true, CPU_AVX2 | CPU_FMA3},
    {"avx512", "AVX-512", 64, ISA_VECTORS, true, CPU_AVX512},
    {"neon", "NEON", 16, ISA_VECTORS, true, CPU_ASIMD},
    {"sve128", "SVE 128", 16, ISA_VECTORS, true, CPU_SVE128},
    {"sve256", "SVE 256", 32, ISA_VECTORS, true, CPU_SVE256},
    {"sve512", "SVE 512", 64, ISA_VECTORS, true, CPU_SVE512},
    {"sve1024", "SVE 1024", 128, ISA_VECTORS, true, CPU_SVE1024},
    {"sve2048", "SVE 2048", 256, ISA_VECTORS, true, CPU_SVE2048},
    {"amx", "AMX", 1024, ISA_TILES, false, CPU_AMX_TILE},
    {"sme128", "SME 128", 16, ISA_TILES, false, CPU_SME128},
    {"sme256", "SME 256", 32, ISA_TILES, false, CPU_SME256},
    {"sme512", "SME 512", 64, ISA_TILES, false, CPU_SME512},
    {"sme1024", "SME 1024", 128, ISA_TILES, false, CPU_SME1024},
    {"sme2048", "SME 2048", 256, ISA_TILES, false, CPU_SME2048},
};
enum { OF_TILES = 6 }; /* the last ones */
const size_t isa_count = sizeof isa_table / sizeof *isa_table;
const size_t isa_vector_count = sizeof isa_table / sizeof *isa_table - OF_TILES;

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
    {CPU_ASIMD, "asimd"},
    {CPU_ASIMD_HP, "asimdhp"},
    {CPU_ASIMD_DP, "asimddp"},
    {CPU_BF16, "bf16"},
    {CPU_I8MM, "i8mm"},
    {CPU_SVE128, "sve128"},
    {CPU_SVE256, "sve256"},
    {CPU_SVE512, "sve512"},
    {CPU_SVE1024, "sve1024"},
    {CPU_SVE2048, "sve2048"},
    {CPU_SVE2, "sve2"},
    {CPU_SVE_BF16, "svebf16"},
    {CPU_SVE_I8MM, "svei8mm"},
    {CPU_SME, "sme"},
    {CPU_DC_ZVA, "dczva"},
    {CPU_SME128, "sme128"},
    {CPU_SME256, "sme256"},
    {CPU_SME512, "sme512"},
    {CPU_SME1024, "sme1024"},
    {CPU_SME2048, "sme2048"},
    {CPU_SME_F64F64, "smef64f64"},
    {CPU_SME_F32F32, "smef32f32"},
    {CPU_SME_F16F32, "smef16f32"},
    {CPU_SME_B16F32, "smeb16f32"},
    {CPU_SME_I8I32, "smei8i32"},
    {CPU_SME_I16I64, "smei16i64"},
    {0, NULL},
};

const struct isa *isa_find(const char *name) {
    for (size_t i = 0; i < isa_count; i++)
        if (strcmp(isa_table[i].name, name) == 0)
            return &isa_table[i];
    return NULL;
}

const char *const isa_families[] = {"sve", "sme", NULL};

bool isa_named(const struct isa *isa, const char *name) {
    bool named = strcmp(isa->name, name) == 0;
    for (const char *const *family = isa_families; *family; family++)
        named |= strcmp(*family, name) == 0 && strncmp(isa->name, name, strlen(name)) == 0;
    return named;
}

bool isa_chosen(const struct isa *isa, const char *const *names, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (isa_named(isa, names[i]))
            return true;
    return count == 0;
}

const char *cpu_feature_name(cpu_features bit) {
    for (size_t i = 0; cpu_feature_names[i].name; i++)
        if (cpu_feature_names[i].bit == bit)
            return cpu_feature_names[i].name;
    return NULL;
}

cpu_features cpu_feature_find(const char *name) {
    for (size_t i = 0; cpu_feature_names[i].name; i++)
        if (strcmp(cpu_feature_names[i].name, name) == 0)
            return cpu_feature_names[i].bit;
    return 0;
}
