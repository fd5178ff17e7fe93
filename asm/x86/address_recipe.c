/* SPDX-License-Identifier: BSD-3-Clause
 * From memory operands to the register values that must be saved. */
#include "address_recipe.h"

#include "effect.h"
#include "newer.h"

enum { REGISTERS = 16, RCX = 1, RSP = 4, VECTORS = 32, STACK_BYTES = 8, MOST_BYTES = 4096 };

/* A register's content: a saved value plus a known amount. */
struct known {
    uint8_t value; /* RECIPE_NONE: not saved since its last unknown change */
    int64_t more;
};

struct state {
    struct address_recipe *out;
    struct known registers[REGISTERS];
    uint32_t used; /* one bit per register */
    uint16_t changes[REGISTERS];
    uint16_t instruction;
    uint64_t next;
};

static int general(ZydisRegister reg) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    if (class < ZYDIS_REGCLASS_GPR8 || class > ZYDIS_REGCLASS_GPR64)
        return -1;
    return ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
}

/* Saves a register before the instruction of this index. */
static uint8_t keep_at(struct state *state, unsigned instruction, enum recipe_kind kind, unsigned reg, unsigned bytes) {
    struct address_recipe *out = state->out;
    if (out->value_count == RECIPE_VALUES) {
        out->incomplete = true;
        return RECIPE_NONE;
    }
    out->values[out->value_count] = (struct recipe_value){.instruction = (uint16_t)instruction,
                                                          .at = out->words,
                                                          .kind = (uint8_t)kind,
                                                          .reg = (uint8_t)reg,
                                                          .bytes = (uint8_t)bytes};
    out->words = (uint16_t)(out->words + bytes / 8);
    return (uint8_t)out->value_count++;
}

static uint8_t address_recipe_keep(struct state *state, enum recipe_kind kind, unsigned reg, unsigned bytes) {
    return keep_at(state, state->instruction, kind, reg, bytes);
}

/* The saved value that a general register is based on, and the amount added to it. */
static uint8_t keep_general(struct state *state, int reg, int64_t *more) {
    struct known *known = &state->registers[reg];
    if (known->value == RECIPE_NONE)
        *known = (struct known){address_recipe_keep(state, RECIPE_GENERAL, (unsigned)reg, 8), 0};
    *more = known->more;
    return known->value;
}

static uint8_t keep_vector(struct state *state, ZydisRegister reg, unsigned *bytes) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    *bytes = class == ZYDIS_REGCLASS_ZMM ? 64 : class == ZYDIS_REGCLASS_YMM ? 32 : 16;
    return address_recipe_keep(state, RECIPE_VECTOR, (unsigned)ZydisRegisterGetId(reg), *bytes);
}

static bool is_nontemporal(ZydisMnemonic mnemonic) {
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVNTDQ:
    case ZYDIS_MNEMONIC_MOVNTI:
    case ZYDIS_MNEMONIC_MOVNTPD:
    case ZYDIS_MNEMONIC_MOVNTPS:
    case ZYDIS_MNEMONIC_MOVNTQ:
    case ZYDIS_MNEMONIC_MOVNTSD:
    case ZYDIS_MNEMONIC_MOVNTSS:
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_MASKMOVQ:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
    case ZYDIS_MNEMONIC_VMOVNTDQ:
    case ZYDIS_MNEMONIC_VMOVNTPD:
    case ZYDIS_MNEMONIC_VMOVNTPS:
        return true;
    default:
        return false;
    }
}

static enum recipe_access_kind address_recipe_kind_of(const ZydisDecodedInstruction *instruction,
                                                      const ZydisDecodedOperand *operand) {
    const bool reads = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
               writes = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (instruction->meta.category == ZYDIS_CATEGORY_PREFETCH)
        return RECIPE_TOUCH;
    if (writes && is_nontemporal(instruction->mnemonic))
        return RECIPE_NONTEMPORAL;
    return reads && writes ? RECIPE_UPDATE : writes ? RECIPE_STORE : RECIPE_LOAD;
}

/* Whether the operand is accessed with a known number of bytes. The CPU's saved states have no known size. */
static bool address_recipe_is_access(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand) {
    if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN)
        return false;
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_CLFLUSHOPT:
    case ZYDIS_CATEGORY_CLWB:
        return false;
    case ZYDIS_CATEGORY_PREFETCH:
        return true;
    default:
        return operand->actions != 0 && operand->size > 0 && operand->size / 8 <= MOST_BYTES &&
               instruction->mnemonic != ZYDIS_MNEMONIC_CLFLUSH;
    }
}

/* A push accesses below the stack pointer in Zydis's operand, which is the old one. */
static int64_t stack_offset(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operand) {
    const bool implicit =
        operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && operand->mem.base == ZYDIS_REGISTER_RSP;
    return implicit && (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
                   instruction->mnemonic != ZYDIS_MNEMONIC_ENTER
               ? -(int64_t)(operand->size / 8)
               : 0;
}

static void address_recipe_add_lanes(struct state *state, const ZydisDecodedInstruction *instruction,
                                     const ZydisDecodedOperand *operands, const ZydisDecodedOperand *operand,
                                     struct recipe_access *access) {
    struct effect effect;
    unsigned index_bytes, mask_bytes = 0;
    effect_find(instruction, operands, &effect);
    access->bytes = (uint16_t)(operand->element_size / 8);
    access->lanes = (uint8_t)((effect.load_bytes + effect.store_bytes) / (access->bytes ? access->bytes : 1));
    access->index = keep_vector(state, operand->mem.index, &index_bytes);
    /* Indices have 4 or 8 bytes, by the letter d or q after gather or scatter in the mnemonic. */
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    while (*name && !(name[0] == 'e' && name[1] == 'r' && (name[2] == 'd' || name[2] == 'q')))
        name++;
    access->index_bytes = *name && name[2] == 'd' ? 4 : 8;
    if (instruction->avx.mask.reg != ZYDIS_REGISTER_NONE && instruction->avx.mask.reg != ZYDIS_REGISTER_K0) {
        access->mask =
            address_recipe_keep(state, RECIPE_MASK, (unsigned)ZydisRegisterGetId(instruction->avx.mask.reg), 8);
    } else if (instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX) {
        access->mask = keep_vector(state, operands[2].reg.value, &mask_bytes);
        access->mask_bytes = (uint8_t)access->bytes;
    }
}

static void address_recipe_add_access(struct state *state, const ZydisDecodedInstruction *instruction,
                                      const ZydisDecodedOperand *operands, const ZydisDecodedOperand *operand) {
    const ZydisDecodedOperandMem *mem = &operand->mem;
    const ZydisInstructionAttributes repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    struct address_recipe *out = state->out;
    struct recipe_access access = {.instruction = state->instruction,
                                   .bytes = (uint16_t)(operand->size / 8),
                                   .base = RECIPE_NONE,
                                   .index = RECIPE_NONE,
                                   .end = RECIPE_NONE,
                                   .mask = RECIPE_NONE,
                                   .scale = mem->scale,
                                   .offset = mem->disp.value + stack_offset(instruction, operand),
                                   .in_thread = mem->segment == ZYDIS_REGISTER_FS,
                                   .is_32_bit = instruction->address_width == 32,
                                   .kind = (uint8_t)address_recipe_kind_of(instruction, operand)};
    int64_t more = 0;
    if (out->access_count == RECIPE_ACCESSES || instruction->mnemonic == ZYDIS_MNEMONIC_XLAT ||
        instruction->mnemonic == ZYDIS_MNEMONIC_ENTER || mem->base == NEWER_REGISTER || mem->index == NEWER_REGISTER) {
        out->incomplete = true;
        return;
    }
    if (mem->base == ZYDIS_REGISTER_RIP || mem->base == ZYDIS_REGISTER_EIP) {
        access.offset += (int64_t)state->next;
    } else if (general(mem->base) >= 0) {
        access.base = keep_general(state, general(mem->base), &more);
        access.offset += more;
    }
    if (mem->type == ZYDIS_MEMOP_TYPE_VSIB) {
        address_recipe_add_lanes(state, instruction, operands, operand, &access);
    } else if (general(mem->index) >= 0) {
        access.index = keep_general(state, general(mem->index), &more);
        access.offset += more * mem->scale;
    }
    /* rcx gives the number of iterations only for instructions that do not compare. */
    if (instruction->meta.category == ZYDIS_CATEGORY_STRINGOP && (instruction->attributes & repeats) != 0)
        access.end = keep_at(state, state->instruction + 1u, RECIPE_GENERAL, (unsigned)general(mem->base), 8);
    if (!out->incomplete)
        out->accesses[out->access_count++] = access;
}

static bool address_recipe_is_whole(const ZydisDecodedOperand *operand, int reg) {
    return operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->size == 64 && general(operand->reg.value) == reg;
}

/* The known change of a register that an instruction writes; false: unknown. */
static bool known_change(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands, int reg,
                         int64_t *by) {
    const bool whole = address_recipe_is_whole(&operands[0], reg),
               constant = operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    switch (instruction->mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
        *by = operands[1].imm.value.s;
        return whole && constant;
    case ZYDIS_MNEMONIC_SUB:
        *by = -operands[1].imm.value.s;
        return whole && constant;
    case ZYDIS_MNEMONIC_INC:
        *by = 1;
        return whole;
    case ZYDIS_MNEMONIC_DEC:
        *by = -1;
        return whole;
    case ZYDIS_MNEMONIC_LEA:
        *by = operands[1].mem.disp.value;
        return whole && operands[1].mem.base == operands[0].reg.value && operands[1].mem.index == ZYDIS_REGISTER_NONE &&
               instruction->address_width == 64;
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_CALL:
        *by = -STACK_BYTES;
        return reg == RSP && instruction->operand_width == 64;
    case ZYDIS_MNEMONIC_POP:
        *by = STACK_BYTES;
        return reg == RSP && instruction->operand_width == 64 && !address_recipe_is_whole(&operands[0], RSP) &&
               operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
    default:
        return false;
    }
}

static void address_recipe_change(struct state *state, const ZydisDecodedInstruction *instruction,
                                  const ZydisDecodedOperand *operands, const ZydisDecodedOperand *operand) {
    const int reg = general(operand->reg.value);
    int64_t by = 0;
    if (!(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
        return;
    state->changes[reg]++;
    if (!known_change(instruction, operands, reg, &by))
        state->registers[reg].value = RECIPE_NONE;
    else if (state->registers[reg].value != RECIPE_NONE)
        state->registers[reg].more += by;
}

static void address_recipe_use(struct state *state, ZydisRegister reg) {
    const int number = general(reg);
    if (number >= 0)
        state->used |= 1u << number;
}

/* After an instruction whose registers are unknown. */
static void address_recipe_forget(struct state *state) {
    for (unsigned i = 0; i < REGISTERS; i++) {
        state->registers[i].value = RECIPE_NONE;
        state->changes[i]++;
        state->used |= 1u << i;
    }
}

/* All accesses of an instruction precede its changes. */
static void address_recipe_add_instruction(struct state *state, const ZydisDecodedInstruction *instruction,
                                           const ZydisDecodedOperand *operands) {
    enum { SYSCALL_CHANGES = 1 << RCX | 1 << 11 };
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        if (operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY) {
            address_recipe_use(state, operands[i].mem.base);
            address_recipe_use(state, operands[i].mem.index);
        }
        if (address_recipe_is_access(instruction, &operands[i]))
            address_recipe_add_access(state, instruction, operands, &operands[i]);
    }
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER && general(operands[i].reg.value) >= 0) {
            address_recipe_use(state, operands[i].reg.value);
            address_recipe_change(state, instruction, operands, &operands[i]);
        }
    if (instruction->mnemonic == ZYDIS_MNEMONIC_SYSCALL)
        state->used |= SYSCALL_CHANGES;
    if (newer_is_by_table(instruction))
        address_recipe_forget(state);
}

/* The registers in `at_begin` are saved at the begin. */
static void recipe_of(const struct recipe_code *code, uint32_t at_begin, struct state *state) {
    struct address_recipe *out = state->out;
    *state = (struct state){.out = out, .used = 1u << RSP};
    out->value_count = out->access_count = out->words = 0;
    out->incomplete = false;
    out->rounds_by = RECIPE_NONE;
    for (unsigned i = 0; i < REGISTERS; i++)
        state->registers[i] = (struct known){
            at_begin >> i & 1 ? address_recipe_keep(state, RECIPE_GENERAL, i, 8) : (uint8_t)RECIPE_NONE, 0};
    for (uint32_t i = 0; i < code->instruction_count * code->copies && !out->incomplete; i++) {
        const ZydisDecodedOperand *operands;
        const ZydisDecodedInstruction *instruction =
            code->get(code->code, i % code->instruction_count, &operands, &state->next);
        state->instruction = (uint16_t)i;
        address_recipe_add_instruction(state, instruction, operands);
    }
    out->unused = -1;
    for (int i = 0; i < REGISTERS; i++)
        if (!(state->used >> i & 1))
            out->unused = i;
}

/* The registers with saved values, as bits; 0: one is not a general register. */
static uint32_t kept_registers(const struct address_recipe *recipe) {
    uint32_t kept = 0;
    for (unsigned i = 0; i < recipe->value_count; i++) {
        if (recipe->values[i].kind != RECIPE_GENERAL)
            return 0;
        kept |= 1u << recipe->values[i].reg;
    }
    return kept;
}

/* Whether each value saved at the begin changes by a constant per round, and one of them shows how many copies were
 * executed. */
static bool address_recipe_find_steps(const struct state *state, uint32_t copies) {
    struct address_recipe *out = state->out;
    if (out->incomplete)
        return false;
    for (unsigned i = 0; i < out->value_count; i++) {
        struct recipe_value *value = &out->values[i];
        const struct known *last = &state->registers[value->reg];
        if (value->instruction > 0 || last->value != i)
            return false;
        value->step = last->more;
        if (value->step != 0 && state->changes[value->reg] == copies)
            out->rounds_by = (uint8_t)i;
    }
    return out->rounds_by != RECIPE_NONE;
}

void address_recipe_make(const struct recipe_code *code, struct address_recipe *out) {
    struct state state = {.out = out};
    recipe_of(code, 0, &state);
    if (!code->loops || out->incomplete || kept_registers(out) == 0)
        return;
    recipe_of(code, kept_registers(out), &state);
    if (!address_recipe_find_steps(&state, code->copies))
        recipe_of(code, 0, &state);
}
