/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions of x86-64, decoded and printed by Zydis. */
#include "effect.h"
#include "listing.h"
#include "newer.h"

#include <Zydis/Zydis.h>
#include <stdio.h>
#include <stdlib.h>

#include "asm/instruction.h"
#include "probe/need.h"
#include "probe/text.h"

/* Multiplications whose product is used by one addition only (see instructions_find_unfused), from the registers that
 * each instruction of a block reads and writes. */

struct walked {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static bool is_masked(const struct walked *walked) {
    const ZydisRegister mask = walked->instruction.avx.mask.reg;
    return mask != ZYDIS_REGISTER_NONE && mask != ZYDIS_REGISTER_K0;
}

/* The number of a vector register of any width; -1 for all others. */
static int vector_of(ZydisRegister reg) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    const bool vector = class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM || class == ZYDIS_REGCLASS_ZMM;
    return vector ? ZydisRegisterGetId(reg) : -1;
}

static int destination_of(const struct walked *walked) {
    return walked->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER ? vector_of(walked->operands[0].reg.value) : -1;
}

/* How often an instruction reads a vector register, and whether it overwrites it. */
struct vector_use {
    unsigned reads;
    bool overwritten;
};

/* A masked write keeps a part of the old value. */
static struct vector_use use_of(const struct walked *walked, int vector) {
    struct vector_use use = {.reads = newer_is_by_table(&walked->instruction)};
    for (unsigned i = 0; i < walked->instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &walked->operands[i];
        if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
            use.reads += vector_of(operand->mem.index) == vector;
        if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || vector_of(operand->reg.value) != vector)
            continue;
        use.reads += (operand->actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE)) != 0;
        use.overwritten |= (operand->actions & ZYDIS_OPERAND_ACTION_WRITE) != 0;
    }
    return use;
}

/* Whether one fused instruction could do both: the same type, the same number of elements, no masks. */
static bool fit(const struct walked *product, const struct effect *of_product, const struct walked *sum,
                const struct effect *of_sum) {
    return of_sum->sort == SORT_ADD && !of_sum->x87 && of_sum->unfused_flop == 0 && of_sum->type == of_product->type &&
           of_sum->lanes == of_product->lanes && !is_masked(product) && !is_masked(sum);
}

/* The only addition that uses a product; `count`: none. If the block leads back to itself, its begin follows its end.
 * Otherwise a product still in its register at the end counts as used. */
static size_t find_sum(const struct walked *walked, const struct decoded_instruction *instructions, size_t count,
                       size_t product, bool repeats) {
    const int vector = destination_of(&walked[product]);
    size_t sum = count;
    for (size_t i = product + 1; vector >= 0 && i < (repeats ? product + 1 + count : count); i++) {
        const size_t at = i % count;
        const struct vector_use use = use_of(&walked[at], vector);
        const bool first = sum == count && i < count && use.reads == 1 &&
                           fit(&walked[product], &instructions[product].effect, &walked[at], &instructions[at].effect);
        if (use.reads > 0 && !first)
            return count;
        sum = first ? at : sum;
        if (use.overwritten)
            break;
    }
    return sum;
}

/* Whether the block contains products and sums. */
static bool may_fuse(const struct decoded_instruction *instructions, size_t count) {
    bool products = false, sums = false;
    for (size_t i = 0; i < count; i++) {
        products |= instructions[i].effect.sort == SORT_MUL && !instructions[i].effect.x87;
        sums |= instructions[i].effect.sort == SORT_ADD && !instructions[i].effect.x87;
    }
    return products && sums;
}

static struct walked *walk(const uint8_t *code, const struct decoded_instruction *instructions, size_t count) {
    struct walked *walked = need_calloc(count, sizeof *walked);
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t i = 0; i < count; code += instructions[i++].length_bytes)
        newer_decode(&decoder, code, instructions[i].length_bytes, &walked[i].instruction, walked[i].operands);
    return walked;
}

static bool leads_back(const struct decoded_instruction *instructions, size_t count) {
    const struct decoded_instruction *last = &instructions[count - 1];
    int64_t bytes = last->branch_bytes;
    for (size_t i = 0; i < count; i++)
        bytes += instructions[i].length_bytes;
    return (last->flow == FLOW_EITHER || last->flow == FLOW_JUMP) && bytes == 0;
}

void instructions_find_unfused(const void *code, struct decoded_instruction *instructions, size_t count) {
    if (!may_fuse(instructions, count))
        return;
    struct walked *walked = walk(code, instructions, count);
    const bool repeats = leads_back(instructions, count);
    for (size_t i = 0; i < count; i++) {
        struct effect *product = &instructions[i].effect;
        if (product->sort != SORT_MUL || product->x87)
            continue;
        const size_t sum = find_sum(walked, instructions, count, i, repeats);
        if (sum == count)
            continue;
        product->unfused_flop = product->flop;
        instructions[sum].effect.unfused_flop = instructions[sum].effect.flop;
    }
    free(walked);
}

/* Instructions of x86-64 as text, in Intel's syntax. */

static void formatter_make(ZydisFormatter *out) {
    ZydisFormatterInit(out, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL, ZYAN_TRUE);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_ADDR_PADDING_RELATIVE, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(out, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
}

static const char *name_of(const ZydisDecodedInstruction *instruction) {
    return newer_is_unknown(instruction)    ? "unknown"
           : newer_is_by_table(instruction) ? "newer"
                                            : effect_name(instruction);
}

/* "unknown (c4 e2 73 50 c1: VEX map 2, opcode 50)", "add (d5 19 01 c0)" */
static void print_bytes(const ZydisDecodedInstruction *instruction, const uint8_t *code, char *out, size_t size) {
    static const char *const encodings[ZYDIS_INSTRUCTION_ENCODING_MAX_VALUE + 1] = {
        [ZYDIS_INSTRUCTION_ENCODING_VEX] = "VEX ", [ZYDIS_INSTRUCTION_ENCODING_EVEX] = "EVEX "};
    const char *encoding = encodings[instruction->encoding];
    snprintf(out, size, "%s", name_of(instruction));
    for (unsigned i = 0; i < instruction->length; i++)
        text_append(out, size, "%s%02x", i ? " " : " (", code[i]);
    if (newer_is_by_table(instruction))
        text_append(out, size, ": %smap %u, opcode %02x", encoding ? encoding : "", (unsigned)instruction->opcode_map,
                    instruction->opcode);
    text_append(out, size, ")");
}

const char *instruction_text(const void *code, size_t code_bytes, uint64_t address, char *out, size_t size) {
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    formatter_make(&formatter);
    const bool by_zydis = newer_by_zydis(&decoder, code, code_bytes, &instruction, operands);
    if (!by_zydis && !newer_decode_alone(&decoder, code, code_bytes, &instruction, operands))
        snprintf(out, size, "(bad)");
    else if ((!by_zydis && !effect_is_dot(&instruction)) ||
             !listing_text(&formatter, &instruction, operands, address, out, size))
        print_bytes(&instruction, code, out, size);
    return out;
}

static enum flow flow_of(const ZydisDecodedInstruction *instruction) {
    switch (instruction->meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return FLOW_EITHER;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return instruction->raw.imm[0].is_relative ? FLOW_JUMP : FLOW_AWAY;
    case ZYDIS_CATEGORY_CALL:
        return FLOW_CALL;
    case ZYDIS_CATEGORY_RET:
        return FLOW_AWAY;
    default:
        return FLOW_NEXT;
    }
}

static bool pauses(ZydisMnemonic mnemonic) {
    return mnemonic == ZYDIS_MNEMONIC_PAUSE || mnemonic == ZYDIS_MNEMONIC_TPAUSE || mnemonic == ZYDIS_MNEMONIC_UMWAIT ||
           mnemonic == ZYDIS_MNEMONIC_MWAITX;
}

static bool stores_outside(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                           const struct effect *effect) {
    const ZydisDecodedOperand *memory = effect_memory(instruction, operands);
    const bool in_frame =
        memory != NULL && (memory->mem.base == ZYDIS_REGISTER_RSP || memory->mem.base == ZYDIS_REGISTER_RBP);
    const bool constant = instruction->mnemonic == ZYDIS_MNEMONIC_MOV && instruction->raw.imm[0].size > 0;
    return (effect->store_bytes + effect->element_store_bytes > 0 && !in_frame && !constant) || effect->unknown;
}

bool instruction_readable(struct error *err) {
    (void)err;
    return true;
}

bool instruction_decode(const void *code, size_t code_bytes, struct decoded_instruction *out) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!newer_decode(&decoder, code, code_bytes, &instruction, operands))
        return false;
    *out = (struct decoded_instruction){
        .length_bytes = instruction.length,
        .mnemonic = name_of(&instruction),
    };
    effect_find(&instruction, operands, &out->effect);
    out->flow = flow_of(&instruction);
    out->branch_bytes = instruction.raw.imm[0].is_relative ? instruction.raw.imm[0].value.s : 0;
    out->pauses = pauses(instruction.mnemonic);
    out->reads_clock = instruction.mnemonic == ZYDIS_MNEMONIC_RDTSC || instruction.mnemonic == ZYDIS_MNEMONIC_RDTSCP;
    out->stores_outside = stores_outside(&instruction, operands, &out->effect);
    return true;
}
