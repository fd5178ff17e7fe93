/* SPDX-License-Identifier: BSD-3-Clause
 * Effects of single instructions, from tables of mnemonics and from the decoder's operands. Corrects operands that the
 * decoder shows differently from the CPU's behaviour. */
#include "effect.h"
#include "effect_table.h"
#include "dots.h"
#include "newer.h"

/* NULL: it is none of them. What newer.c decodes by its table has no mnemonic, and not all fields. */
static const struct dot *dot_of(const ZydisDecodedInstruction *instruction) {
    return instruction->mnemonic != ZYDIS_MNEMONIC_INVALID && instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX &&
                   instruction->opcode_map == ZYDIS_OPCODE_MAP_0F38
               ? dot_find(instruction->raw.vex.pp, instruction->opcode)
               : NULL;
}

bool effect_is_dot(const ZydisDecodedInstruction *instruction) {
    return dot_of(instruction) != NULL;
}

const char *effect_name(const ZydisDecodedInstruction *instruction) {
    const struct dot *dot = dot_of(instruction);
    return dot ? dot->name : ZydisMnemonicGetString(instruction->mnemonic);
}

/* The CPU feature that an instruction needs, for the instructions of kernels. */

/* By extension; SSE4 and AVX-512 by subset. */
static const struct {
    ZydisISAExt ext;
    cpu_features feature;
} feature_table[] = {
    {ZYDIS_ISA_EXT_BASE, 0},
    {ZYDIS_ISA_EXT_LONGMODE, 0},
    {ZYDIS_ISA_EXT_CET, 0}, /* endbr64 is a nop without CET */
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
    {ZYDIS_ISA_EXT_CLZERO, CPU_CLZERO},
    {ZYDIS_ISA_EXT_CLDEMOTE, CPU_CLDEMOTE},
};

static const struct {
    ZydisISASet first, last;
    cpu_features feature;
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

/* A CPU with the first feature has the others. */
static const struct {
    cpu_features feature, implies;
} implied_table[] = {
    {CPU_AVX512, CPU_AVX2 | CPU_FMA3}, {CPU_AVX2, CPU_AVX},    {CPU_FMA3, CPU_AVX}, {CPU_AVX, CPU_SSE4_2},
    {CPU_SSE4_2, CPU_SSE4_1},          {CPU_SSE4_1, CPU_SSE2},
};

cpu_features effect_features_implied(cpu_features features) {
    for (size_t i = 0; i < sizeof implied_table / sizeof *implied_table; i++)
        if ((features & implied_table[i].feature) != 0)
            features |= implied_table[i].implies;
    return features;
}

bool effect_feature(const ZydisDecodedInstruction *instruction, cpu_features *feature) {
    ZydisISAExt ext = instruction->meta.isa_ext;
    ZydisISASet set = instruction->meta.isa_set;
    const struct dot *dot = dot_of(instruction);
    if (dot) {
        *feature = dot->needs;
        return true;
    }
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

enum { TILE_ROWS = 16, TILE_BYTES = 1024, GATHER_MASK = 2, MASKMOV_MASK = 1, LINE_BYTES = 64 };

/* Categories that the proof of kernels accepts besides arithmetic. */
static const ZydisInstructionCategory plain_categories[] = {
    ZYDIS_CATEGORY_DATAXFER, ZYDIS_CATEGORY_BINARY,  ZYDIS_CATEGORY_LOGICAL,
    ZYDIS_CATEGORY_SHIFT,    ZYDIS_CATEGORY_COND_BR, ZYDIS_CATEGORY_UNCOND_BR,
    ZYDIS_CATEGORY_NOP,      ZYDIS_CATEGORY_WIDENOP, ZYDIS_CATEGORY_PREFETCH,
};
static const ZydisMnemonic plain_mnemonics[] = {
    ZYDIS_MNEMONIC_LEA,  ZYDIS_MNEMONIC_FLD,    ZYDIS_MNEMONIC_FST,      ZYDIS_MNEMONIC_FSTP,
    ZYDIS_MNEMONIC_FXCH, ZYDIS_MNEMONIC_CLZERO, ZYDIS_MNEMONIC_CLDEMOTE,
};

static bool effect_is_masked(const ZydisDecodedInstruction *instruction) {
    return instruction->avx.mask.reg != ZYDIS_REGISTER_NONE && instruction->avx.mask.reg != ZYDIS_REGISTER_K0;
}

bool effect_is_plain(const ZydisDecodedInstruction *instruction, const struct effect *effect) {
    bool known = effect->sort != SORT_FREE && effect->sort != SORT_OTHER;
    for (size_t i = 0; i < sizeof plain_categories / sizeof *plain_categories; i++)
        known = known || instruction->meta.category == plain_categories[i];
    for (size_t i = 0; i < sizeof plain_mnemonics / sizeof *plain_mnemonics; i++)
        known = known || instruction->mnemonic == plain_mnemonics[i];
    /* Kernels configure full tiles, so the cost of a product is fixed. */
    bool fixed = effect->dynamic == DYNAMIC_NONE || effect->dynamic == DYNAMIC_TILE_PRODUCT;
    return known && fixed && effect->sort != SORT_OTHER && !effect_is_masked(instruction) &&
           effect->stack_load_bytes == 0 && effect->stack_store_bytes == 0 &&
           (instruction->attributes & ZYDIS_ATTRIB_HAS_REP) == 0;
}

static bool is_tile(const ZydisDecodedOperand *operand) {
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(operand->reg.value) == ZYDIS_REGCLASS_TMM;
}

/* DPPS and its kin multiply only the pairs that bits 4 to 7 of the immediate select, the same in each half of a ymm. */
static unsigned selected_lanes(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                               unsigned lanes) {
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_DPPD:
    case ZYDIS_MNEMONIC_DPPS:
    case ZYDIS_MNEMONIC_VDPPD:
    case ZYDIS_MNEMONIC_VDPPS:
        break;
    default:
        return lanes;
    }
    const uint64_t immediate = operands[instruction->operand_count_visible - 1].imm.value.u;
    const unsigned halves = operands[0].size / 128u;
    unsigned selected = 0;
    for (unsigned lane = 0; lane < lanes / halves; lane++)
        selected += (unsigned)(immediate >> (4 + lane)) & 1;
    return selected * halves;
}

static void find_arithmetic(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                            struct effect *out) {
    const struct dot *dot = dot_of(instruction);
    const uint8_t type = dot ? dot->type : TYPE_NONE;
    const struct operation_effect product = {SORT_DOT, type, (uint8_t)element_table[type].bytes, 0, 2},
                                  *operation = dot ? &product : &operation_table[instruction->mnemonic];
    if (operation->flop_per_lane == 0)
        return;
    out->sort = operation->sort;
    out->type = operation->type;
    out->lanes = operation->lanes != 0 ? operation->lanes : operands[0].size / 8u / operation->lane_bytes;
    out->data_bytes = out->lanes * operation->lane_bytes;
    if (is_tile(&operands[0]))
        out->lanes *= TILE_ROWS;
    else if (operation->lanes == 0)
        out->flop_bytes = out->data_bytes;
    out->flop = selected_lanes(instruction, operands, out->lanes) * operation->flop_per_lane;
}

/* Their memory operands are not accessed. */
static bool touches_nothing(const ZydisDecodedInstruction *instruction) {
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_PREFETCHWT1:
    case ZYDIS_CATEGORY_CLFLUSHOPT:
    case ZYDIS_CATEGORY_CLWB:
    case ZYDIS_CATEGORY_CLDEMOTE:
        return true;
    case ZYDIS_CATEGORY_GATHER:
    case ZYDIS_CATEGORY_SCATTER: /* prefetches with many addresses */
        return instruction->meta.isa_set == ZYDIS_ISA_SET_AVX512PF_512;
    default:
        return instruction->mnemonic == ZYDIS_MNEMONIC_CLFLUSH || instruction->mnemonic == ZYDIS_MNEMONIC_UD0 ||
               instruction->mnemonic == ZYDIS_MNEMONIC_UD1;
    }
}

/* They save or restore the CPU's state: the moved bytes differ from the operand's size. */
static bool moves_state(const ZydisDecodedInstruction *instruction) {
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_FXSAVE:
    case ZYDIS_MNEMONIC_FXSAVE64:
    case ZYDIS_MNEMONIC_FXRSTOR:
    case ZYDIS_MNEMONIC_FXRSTOR64:
        return true;
    default:
        break;
    }
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_XSAVE: /* includes xgetbv */
    case ZYDIS_CATEGORY_XSAVEOPT:
        return instruction->operand_count_visible > 0;
    case ZYDIS_CATEGORY_PADLOCK:
    case ZYDIS_CATEGORY_SGX:
        return true;
    default:
        return false;
    }
}

/* Zydis shows one element of a gather or scatter. */
static unsigned gather_lanes(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                             const ZydisDecodedOperand *memory) {
    const ZydisDecodedOperand *data = memory == &operands[0] ? &operands[2] : &operands[0];
    unsigned index_bits = ZydisRegisterGetWidth(instruction->machine_mode, memory->mem.index);
    unsigned data_lanes = data->size / memory->element_size;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_VGATHERQPD:
    case ZYDIS_MNEMONIC_VGATHERQPS:
    case ZYDIS_MNEMONIC_VPGATHERQD:
    case ZYDIS_MNEMONIC_VPGATHERQQ:
    case ZYDIS_MNEMONIC_VSCATTERQPD:
    case ZYDIS_MNEMONIC_VSCATTERQPS:
    case ZYDIS_MNEMONIC_VPSCATTERQD:
    case ZYDIS_MNEMONIC_VPSCATTERQQ:
        return index_bits / 64 < data_lanes ? index_bits / 64 : data_lanes;
    default:
        return index_bits / 32 < data_lanes ? index_bits / 32 : data_lanes;
    }
}

static bool is_tile_move(const ZydisDecodedInstruction *instruction) {
    return instruction->mnemonic == ZYDIS_MNEMONIC_TILELOADD || instruction->mnemonic == ZYDIS_MNEMONIC_TILELOADDT1 ||
           instruction->mnemonic == ZYDIS_MNEMONIC_TILESTORED;
}

static bool is_scattered(const ZydisDecodedOperand *operand) {
    return operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB;
}

static bool effect_is_access(const ZydisDecodedOperand *operand) {
    return operand->type == ZYDIS_OPERAND_TYPE_MEMORY &&
           (operand->mem.type == ZYDIS_MEMOP_TYPE_MEM || is_scattered(operand));
}

static bool is_implicit_stack(const ZydisDecodedOperand *operand) {
    return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
           (operand->mem.base == ZYDIS_REGISTER_RSP || operand->mem.base == ZYDIS_REGISTER_RBP);
}

const ZydisDecodedOperand *effect_memory(const ZydisDecodedInstruction *instruction,
                                         const ZydisDecodedOperand *operands) {
    if (!moves_state(instruction) && !touches_nothing(instruction))
        for (unsigned i = 0; i < instruction->operand_count; i++)
            if (effect_is_access(&operands[i]) && !is_implicit_stack(&operands[i]))
                return &operands[i];
    return NULL;
}

static void effect_find_memory(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                               struct effect *out) {
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        const ZydisDecodedOperand *operand = &operands[i];
        if (!effect_is_access(operand))
            continue;
        unsigned bytes = operand->size / 8u;
        if (is_scattered(operand))
            bytes *= gather_lanes(instruction, operands, operand);
        else if (is_tile_move(instruction))
            bytes = TILE_BYTES;
        unsigned load_bytes = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 ? bytes : 0;
        unsigned store_bytes = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0 ? bytes : 0;
        if (is_implicit_stack(operand)) {
            out->stack_load_bytes += load_bytes;
            out->stack_store_bytes += store_bytes;
            continue;
        }
        out->load_bytes += load_bytes;
        out->store_bytes += store_bytes;
        out->data_bytes = out->data_bytes > bytes ? out->data_bytes : bytes;
    }
    if (instruction->mnemonic == ZYDIS_MNEMONIC_CLZERO)
        out->store_bytes = LINE_BYTES;
}

/* Every element costs the same share. */
static void set_dynamic(struct effect *out, enum effect_dynamic dynamic, ZydisRegister mask, unsigned elements) {
    out->dynamic = dynamic;
    out->mask = mask;
    out->elements_most = elements;
    out->element_flop = out->flop / elements;
    out->element_load_bytes = out->load_bytes / elements;
    out->element_store_bytes = out->store_bytes / elements;
}

static void set_vector_mask(struct effect *out, const ZydisDecodedOperand *mask, unsigned element_bytes) {
    set_dynamic(out, DYNAMIC_VECTOR_MASK, mask->reg.value, (out->load_bytes + out->store_bytes) / element_bytes);
    out->mask_element_bytes = element_bytes;
}

/* Loads that ignore the opmask: shuffles and similar instructions read their whole operand. The exception classes
 * without fault suppression (NF) identify them, except for some that Zydis classifies otherwise (SDM volume 2: their
 * number of elements differs from the number of mask bits). */
static bool loads_regardless(const ZydisDecodedInstruction *instruction) {
    switch (instruction->meta.exception_class) {
    case ZYDIS_EXCEPTION_CLASS_E3NF:
    case ZYDIS_EXCEPTION_CLASS_E4NF:
    case ZYDIS_EXCEPTION_CLASS_E5NF:
    case ZYDIS_EXCEPTION_CLASS_E6NF:
    case ZYDIS_EXCEPTION_CLASS_E10NF:
        return true;
    default:
        break;
    }
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_VCVTNE2PS2BF16:
    case ZYDIS_MNEMONIC_VDBPSADBW:
    case ZYDIS_MNEMONIC_VGF2P8AFFINEQB:
    case ZYDIS_MNEMONIC_VGF2P8AFFINEINVQB:
        return true;
    default:
        return instruction->avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID;
    }
}

/* Arithmetic has one mask bit per element of its destination, everything else one per element in memory. */
static void find_opmask(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                        struct effect *out) {
    const ZydisDecodedOperand *memory = effect_memory(instruction, operands);
    bool scattered = memory != NULL && is_scattered(memory);
    unsigned elements = memory != NULL ? memory->element_count : 0;
    if (scattered)
        elements = (out->load_bytes + out->store_bytes) / (memory->element_size / 8u);
    else if (out->flop > 0)
        elements = operation_table[instruction->mnemonic].lanes != 0 ? 1 : operands[0].element_count;
    bool loads =
        out->load_bytes > 0 && !loads_regardless(instruction) && (scattered || memory->element_count == elements);
    if (out->flop == 0 && !loads && out->store_bytes == 0)
        return;
    set_dynamic(out, DYNAMIC_MASK, instruction->avx.mask.reg, elements);
    if (!loads)
        out->element_load_bytes = 0;
}

static void find_dynamic(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                         struct effect *out) {
    const ZydisInstructionAttributes repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    ZydisInstructionCategory category = instruction->meta.category;
    if (category == ZYDIS_CATEGORY_STRINGOP || category == ZYDIS_CATEGORY_IOSTRINGOP) {
        if ((instruction->attributes & repeats) == 0)
            return;
        set_dynamic(out, DYNAMIC_REPEAT, ZYDIS_REGISTER_NONE, 1);
        out->elements_most = 0;
    } else if (effect_is_masked(instruction)) {
        find_opmask(instruction, operands, out);
    } else if (is_tile_move(instruction)) {
        const ZydisDecodedOperand *tile = is_tile(&operands[0]) ? &operands[0] : &operands[1];
        set_dynamic(out, DYNAMIC_TILE, tile->reg.value, TILE_BYTES);
    } else if (is_tile(&operands[0]) && out->flop > 0) {
        set_dynamic(out, DYNAMIC_TILE_PRODUCT, operands[0].reg.value, out->lanes);
        out->mask2 = operands[1].reg.value;
        out->mask_element_bytes = element_table[out->type].bytes;
    } else if (category == ZYDIS_CATEGORY_AVX2GATHER) {
        set_vector_mask(out, &operands[GATHER_MASK], operands[1].element_size / 8u);
    } else {
        switch (instruction->mnemonic) {
        case ZYDIS_MNEMONIC_VMASKMOVPS:
        case ZYDIS_MNEMONIC_VPMASKMOVD:
            set_vector_mask(out, &operands[MASKMOV_MASK], 4);
            break;
        case ZYDIS_MNEMONIC_VMASKMOVPD:
        case ZYDIS_MNEMONIC_VPMASKMOVQ:
            set_vector_mask(out, &operands[MASKMOV_MASK], 8);
            break;
        case ZYDIS_MNEMONIC_MASKMOVQ:
        case ZYDIS_MNEMONIC_MASKMOVDQU:
        case ZYDIS_MNEMONIC_VMASKMOVDQU:
            set_vector_mask(out, &operands[MASKMOV_MASK], 1);
            break;
        default:
            break;
        }
    }
}

void effect_find(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, struct effect *out) {
    *out = (struct effect){.x87 = instruction->meta.isa_ext == ZYDIS_ISA_EXT_X87};
    find_arithmetic(instruction, operands, out);
    if (moves_state(instruction))
        out->bytes_unknown = true;
    else if (!touches_nothing(instruction))
        effect_find_memory(instruction, operands, out);
    find_dynamic(instruction, operands, out);
    out->unknown = newer_is_unknown(instruction);
    out->class = effect_class_find(instruction, out);
}
