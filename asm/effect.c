/* SPDX-License-Identifier: BSD-3-Clause
 * What single instructions do, decided by a table of mnemonics and the widths of operands, and never by what the
 * generator says. */
#include "effect.h"

/* Arithmetic. Everything else is free when its category is one of free_categories, and not known
 * otherwise. */
static const struct operation {
    ZydisMnemonic mnemonic;
    enum sort sort;
    enum element_type type;
    bool packed;
} operation_table[] = {
#define FORMS(name, sort)                                                                                              \
    {ZYDIS_MNEMONIC_##name##PD, sort, TYPE_F64, true}, {ZYDIS_MNEMONIC_##name##PS, sort, TYPE_F32, true},              \
        {ZYDIS_MNEMONIC_##name##SD, sort, TYPE_F64, false}, {                                                          \
        ZYDIS_MNEMONIC_##name##SS, sort, TYPE_F32, false                                                               \
    }
#define FORMS16(name, sort)                                                                                            \
    {ZYDIS_MNEMONIC_##name##PH, sort, TYPE_F16, true}, {                                                               \
        ZYDIS_MNEMONIC_##name##SH, sort, TYPE_F16, false                                                               \
    }
#define FMA_FORMS(name)                                                                                                \
    FORMS(name##132, SORT_FMA), FORMS(name##213, SORT_FMA), FORMS(name##231, SORT_FMA), FORMS16(name##132, SORT_FMA),  \
        FORMS16(name##213, SORT_FMA), FORMS16(name##231, SORT_FMA)
#define X87(name, sort)                                                                                                \
    { ZYDIS_MNEMONIC_##name, sort, TYPE_F64, false }
#define DOT(name, type)                                                                                                \
    { ZYDIS_MNEMONIC_##name, SORT_DOT, type, true }
    FORMS(ADD, SORT_ADD),      FORMS(SUB, SORT_ADD),    FORMS(MUL, SORT_MUL),      FORMS(DIV, SORT_DIV),
    FORMS(SQRT, SORT_SQRT),    FORMS(VADD, SORT_ADD),   FORMS(VSUB, SORT_ADD),     FORMS(VMUL, SORT_MUL),
    FORMS(VDIV, SORT_DIV),     FORMS(VSQRT, SORT_SQRT), FMA_FORMS(VFMADD),         FMA_FORMS(VFMSUB),
    FMA_FORMS(VFNMADD),        FMA_FORMS(VFNMSUB),      X87(FADD, SORT_ADD),       X87(FADDP, SORT_ADD),
    X87(FSUB, SORT_ADD),       X87(FSUBP, SORT_ADD),    X87(FSUBR, SORT_ADD),      X87(FSUBRP, SORT_ADD),
    X87(FMUL, SORT_MUL),       X87(FMULP, SORT_MUL),    X87(FDIV, SORT_DIV),       X87(FDIVP, SORT_DIV),
    X87(FDIVR, SORT_DIV),      X87(FDIVRP, SORT_DIV),   X87(FSQRT, SORT_SQRT),     X87(FLD, SORT_FREE),
    X87(FST, SORT_FREE),       X87(FSTP, SORT_FREE),    X87(FXCH, SORT_FREE),      FORMS16(VADD, SORT_ADD),
    FORMS16(VSUB, SORT_ADD),   FORMS16(VMUL, SORT_MUL), FORMS16(VDIV, SORT_DIV),   FORMS16(VSQRT, SORT_SQRT),
    DOT(VDPBF16PS, TYPE_BF16), DOT(VPDPBUSD, TYPE_I8),  DOT(TDPBF16PS, TYPE_BF16), DOT(TDPBUSD, TYPE_I8),
#undef FORMS
#undef FORMS16
#undef DOT
#undef FMA_FORMS
#undef X87
};

enum { TILE_ROWS = 16 };

static const ZydisInstructionCategory free_categories[] = {
    ZYDIS_CATEGORY_DATAXFER, ZYDIS_CATEGORY_BINARY,  ZYDIS_CATEGORY_LOGICAL,
    ZYDIS_CATEGORY_SHIFT,    ZYDIS_CATEGORY_COND_BR, ZYDIS_CATEGORY_UNCOND_BR,
    ZYDIS_CATEGORY_NOP,      ZYDIS_CATEGORY_WIDENOP, ZYDIS_CATEGORY_PREFETCH,
};

/* Features that instructions need: by extension, and for AVX-512 by subset. */
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
} avx512_table[] = {
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
    {CPU_AVX512, CPU_AVX2 | CPU_FMA3},
    {CPU_AVX2, CPU_AVX},
    {CPU_FMA3, CPU_AVX},
    {CPU_AVX, CPU_SSE2},
};

static const struct operation *operation_find(ZydisMnemonic mnemonic) {
    for (size_t i = 0; i < sizeof operation_table / sizeof *operation_table; i++)
        if (operation_table[i].mnemonic == mnemonic)
            return &operation_table[i];
    return NULL;
}

static bool is_free(const ZydisDecodedInstruction *instruction) {
    for (size_t i = 0; i < sizeof free_categories / sizeof *free_categories; i++)
        if (instruction->meta.category == free_categories[i])
            return true;
    return instruction->mnemonic == ZYDIS_MNEMONIC_LEA;
}

static bool is_nop(const ZydisDecodedInstruction *instruction) {
    ZydisInstructionCategory category = instruction->meta.category;
    return category == ZYDIS_CATEGORY_NOP || category == ZYDIS_CATEGORY_WIDENOP || category == ZYDIS_CATEGORY_PREFETCH;
}

bool effect_is_plain(const ZydisDecodedInstruction *instruction, const struct effect *effect) {
    bool masked = instruction->avx.mask.reg != ZYDIS_REGISTER_NONE && instruction->avx.mask.reg != ZYDIS_REGISTER_K0;
    return (operation_find(instruction->mnemonic) != NULL || is_free(instruction)) && !masked &&
           effect->dynamic == DYNAMIC_NONE && (instruction->attributes & ZYDIS_ATTRIB_HAS_REP) == 0;
}

void effect_find(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, struct effect *out) {
    const struct operation *operation = operation_find(instruction->mnemonic);
    const unsigned element_bytes = operation != NULL ? element_table[operation->type].bytes : 0;
    *out = (struct effect){.x87 = instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87};
    if (operation != NULL && operation->sort != SORT_FREE) {
        out->sort = operation->sort;
        out->type = operation->type;
        out->data_bytes = operation->packed ? operands[0].size / 8u : element_bytes;
        out->lanes = out->data_bytes / element_bytes;
        /* Instructions do not tell how a tile is configured; kernels configure all of it: 16 rows and 16 columns. */
        if (ZydisRegisterGetClass(operands[0].reg.value) == ZYDIS_REGCLASS_TMM)
            out->lanes *= TILE_ROWS;
        out->flop = out->sort == SORT_FMA || out->sort == SORT_DOT ? 2 * out->lanes : out->lanes;
    }
    /* Nops and prefetches show memory operands that they do not touch, lea's is no access, and scalar arithmetic shows
     * operands wider than what it reads. */
    for (unsigned i = 0; i < instruction->operand_count_visible && !is_nop(instruction); i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || operand->mem.type != ZYDIS_MEMOP_TYPE_MEM)
            continue;
        unsigned bytes = operand->size / 8u;
        if (out->sort != SORT_FREE && !operation->packed && !out->x87)
            bytes = element_bytes;
        else if (instruction->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID && out->sort != SORT_FREE)
            bytes = element_bytes;
        out->memory = operand;
        out->load_bytes += (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 ? bytes : 0;
        out->store_bytes += (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 ? bytes : 0;
        out->data_bytes = out->data_bytes > bytes ? out->data_bytes : bytes;
    }
}

uint32_t effect_features_implied(uint32_t features) {
    for (size_t i = 0; i < sizeof implied_table / sizeof *implied_table; i++)
        if ((features & implied_table[i].feature) != 0)
            features |= implied_table[i].implies;
    return features;
}

bool effect_feature(const ZydisDecodedInstruction *instruction, uint32_t *feature) {
    ZydisISAExt ext = instruction->meta.isa_ext;
    ZydisISASet set = instruction->meta.isa_set;
    for (size_t i = 0; i < sizeof avx512_table / sizeof *avx512_table; i++)
        if (set >= avx512_table[i].first && set <= avx512_table[i].last) {
            *feature = avx512_table[i].feature;
            return true;
        }
    for (size_t i = 0; i < sizeof feature_table / sizeof *feature_table; i++)
        if (ext == feature_table[i].ext) {
            *feature = feature_table[i].feature;
            return true;
        }
    return false;
}
