/* SPDX-License-Identifier: BSD-3-Clause
 * Which CPU feature an instruction needs, as far as kernels use them. */
#include "effect.h"

/* By extension; for SSE4 and AVX-512 by subset. */
static const struct {
    ZydisISAExt ext;
    uint32_t feature;
} feature_table[] = {
    {ZYDIS_ISA_EXT_BASE, 0},
    {ZYDIS_ISA_EXT_LONGMODE, 0},
    {ZYDIS_ISA_EXT_CET, 0}, /* endbr64 is a nop where CET is missing */
    {ZYDIS_ISA_EXT_X87, CPU_X87},
    {ZYDIS_ISA_EXT_SSE, CPU_SSE2},
    {ZYDIS_ISA_EXT_SSE2, CPU_SSE2},
    {ZYDIS_ISA_EXT_AVX, CPU_AVX},
    {ZYDIS_ISA_EXT_AVX2, CPU_AVX2},
    {ZYDIS_ISA_EXT_FMA, CPU_FMA3},
    {ZYDIS_ISA_EXT_AVX_VNNI, CPU_AVX_VNNI},
    {ZYDIS_ISA_EXT_AMX_TILE, CPU_AMX_TILE},
    {ZYDIS_ISA_EXT_AMX_BF16, CPU_AMX_BF16},
    {ZYDIS_ISA_EXT_AMX_INT8, CPU_AMX_INT8},
    {ZYDIS_ISA_EXT_CLFLUSHOPT, CPU_CLFLUSHOPT},
};

static const struct {
    ZydisISASet first, last;
    uint32_t feature;
} subset_table[] = {
    {ZYDIS_ISA_SET_SSE4, ZYDIS_ISA_SET_SSE4, CPU_SSE4_1},
    {ZYDIS_ISA_SET_SSE42, ZYDIS_ISA_SET_SSE42, CPU_SSE4_2},
    {ZYDIS_ISA_SET_AVX512BW_128, ZYDIS_ISA_SET_AVX512BW_KOP, CPU_AVX512},
    {ZYDIS_ISA_SET_AVX512DQ_128, ZYDIS_ISA_SET_AVX512DQ_SCALAR, CPU_AVX512},
    {ZYDIS_ISA_SET_AVX512F_128, ZYDIS_ISA_SET_AVX512F_SCALAR, CPU_AVX512},
    {ZYDIS_ISA_SET_AVX512_FP16_128, ZYDIS_ISA_SET_AVX512_FP16_SCALAR, CPU_AVX512_FP16},
    {ZYDIS_ISA_SET_AVX512_BF16_128, ZYDIS_ISA_SET_AVX512_BF16_512, CPU_AVX512_BF16},
    {ZYDIS_ISA_SET_AVX512_VNNI_128, ZYDIS_ISA_SET_AVX512_VNNI_512, CPU_AVX512_VNNI},
};

/* Whoever has the first also has the others. */
static const struct {
    uint32_t feature, implies;
} implied_table[] = {
    {CPU_AVX512, CPU_AVX2 | CPU_FMA3}, {CPU_AVX2, CPU_AVX},    {CPU_FMA3, CPU_AVX}, {CPU_AVX, CPU_SSE4_2},
    {CPU_SSE4_2, CPU_SSE4_1},          {CPU_SSE4_1, CPU_SSE2},
};

uint32_t effect_features_implied(uint32_t features) {
    for (size_t i = 0; i < sizeof implied_table / sizeof *implied_table; i++)
        if ((features & implied_table[i].feature) != 0)
            features |= implied_table[i].implies;
    return features;
}

bool effect_feature(const ZydisDecodedInstruction *instruction, uint32_t *feature) {
    ZydisISAExt ext = instruction->meta.isa_ext;
    ZydisISASet set = instruction->meta.isa_set;
    for (size_t i = 0; i < sizeof subset_table / sizeof *subset_table; i++)
        if (set >= subset_table[i].first && set <= subset_table[i].last) {
            *feature = subset_table[i].feature;
            return true;
        }
    for (size_t i = 0; i < sizeof feature_table / sizeof *feature_table; i++)
        if (ext == feature_table[i].ext) {
            *feature = feature_table[i].feature;
            return true;
        }
    return false;
}
