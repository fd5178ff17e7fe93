/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of a function's innermost loop, and the proof of a kernel against its descriptor. */
#include "asm/decode.h"
#include "asm/proof.h"
#include "probe/error.h"

#include "effect.h"
#include "listing.h"
#include "prefetches.h"

static void effect_add(struct cost *cost, const struct effect *effect) {
    proof_add(cost, &(struct proof_step){.sort = effect->sort,
                                         .flop = effect->sort != SORT_FREE ? effect->flop : 0,
                                         .data_bytes = effect->data_bytes,
                                         .load_bytes = effect->load_bytes,
                                         .store_bytes = effect->store_bytes,
                                         .accesses = 1,
                                         .x87 = effect->x87});
}

/* Operations of integer instructions, for kernels of integers: one per element. The counts of programs do not include
 * integer arithmetic (asm/instruction.h). */
static const struct {
    ZydisMnemonic mnemonic;
    enum sort sort;
    enum element_type type; /* TYPE_NONE: the width of its general register */
} integer_table[] = {
#define ROW(name, sort, type)                                                                                          \
    {ZYDIS_MNEMONIC_##name, sort, type}, {                                                                             \
        ZYDIS_MNEMONIC_V##name, sort, type                                                                             \
    }
#define OF_16_TO_64(name, sort) ROW(name##W, sort, TYPE_I16), ROW(name##D, sort, TYPE_I32), ROW(name##Q, sort, TYPE_I64)
#define OF_ALL(name, sort)      ROW(name##B, sort, TYPE_I8), OF_16_TO_64(name, sort)
    OF_ALL(PADD, SORT_ADD),
    OF_ALL(PSUB, SORT_ADD),
    ROW(PMULLW, SORT_MUL, TYPE_I16),
    ROW(PMULLD, SORT_MUL, TYPE_I32),
    {ZYDIS_MNEMONIC_VPMULLQ, SORT_MUL, TYPE_I64},
    OF_16_TO_64(PSLL, SORT_SHIFT),
    OF_16_TO_64(PSRL, SORT_SHIFT),
    OF_ALL(PCMPEQ, SORT_EQUAL),
    OF_ALL(PCMPGT, SORT_GREATER),
    {ZYDIS_MNEMONIC_ADD, SORT_ADD, TYPE_NONE},
    {ZYDIS_MNEMONIC_SUB, SORT_ADD, TYPE_NONE},
    {ZYDIS_MNEMONIC_IMUL, SORT_MUL, TYPE_NONE},
    {ZYDIS_MNEMONIC_SHL, SORT_SHIFT, TYPE_NONE},
    {ZYDIS_MNEMONIC_SHR, SORT_SHIFT, TYPE_NONE},
    {ZYDIS_MNEMONIC_CMP, SORT_COMPARE, TYPE_NONE},
};

/* The width of the data register. An AVX-512 compare writes a mask, which has no width of its operands. */
static unsigned data_bytes_of(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands) {
    for (unsigned i = 0; i < instruction->operand_count_visible; i++)
        if (operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(operands[i].reg.value) != ZYDIS_REGCLASS_MASK)
            return operands[i].size / 8u;
    return 0;
}

static enum element_type type_of_bytes(unsigned bytes) {
    enum element_type type = TYPE_I8;
    while (type < TYPE_I64 && element_table[type].bytes != bytes)
        type++;
    return type;
}

/* Adds sort, type, lanes and operations to the effect of an integer instruction; ignores others. */
static void find_integers(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          struct effect *out) {
    const unsigned bytes = data_bytes_of(instruction, operands);
    for (size_t i = 0; i < sizeof integer_table / sizeof *integer_table; i++) {
        if (integer_table[i].mnemonic != instruction->mnemonic || bytes == 0)
            continue;
        out->sort = integer_table[i].sort;
        out->type = integer_table[i].type != TYPE_NONE ? integer_table[i].type : type_of_bytes(bytes);
        out->data_bytes = bytes;
        out->lanes = out->flop = bytes / element_table[out->type].bytes;
        return;
    }
}

/* The instruction that moves the pointer of a memory kernel is not an operation. */
static void kernel_effect(const struct kernel *kernel, const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *operands, struct effect *out) {
    effect_find(instruction, operands, out);
    if (element_table[kernel->type].integer && kernel->kind == KERNEL_COMPUTE)
        find_integers(instruction, operands, out);
}

static bool loop_cost(const struct kernel *kernel, const struct listing *listing, size_t first, size_t last,
                      struct cost *out, struct error *err) {
    *out = (struct cost){0};
    for (size_t i = first; i <= last; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        listing_decode(listing, i, &instruction, operands);
        kernel_effect(kernel, &instruction, operands, &effect);
        if (!effect_is_plain(&instruction, &effect))
            return error_set(err, "the cost of the %s at +%#x is not known", effect_name(&instruction),
                             listing->entries[i].offset);
        effect_add(out, &effect);
    }
    return true;
}

/* Where the accesses of a loop lie, from the register that addresses them. */
struct walk {
    ZydisRegister base;
    struct proof_walk of;
};

static void walk_instruction(struct walk *walk, const ZydisDecodedInstruction *instruction,
                             const ZydisDecodedOperand *operands, const struct effect *effect) {
    const ZydisDecodedOperand *memory = effect_memory(instruction, operands);
    if (instruction->mnemonic == ZYDIS_MNEMONIC_CLZERO) { /* the line at rax, which is no operand */
        walk->of.irregular |= walk->base != ZYDIS_REGISTER_NONE && walk->base != ZYDIS_REGISTER_RAX;
        walk->base = ZYDIS_REGISTER_RAX;
        walk->of.high_bytes = walk->of.step_bytes + effect->store_bytes;
        return;
    }
    if (memory != NULL) {
        const ZydisDecodedOperandMem *mem = &memory->mem;
        int64_t low = walk->of.step_bytes + mem->disp.value, high = low + effect->load_bytes;
        high = effect->store_bytes > effect->load_bytes ? low + effect->store_bytes : high;
        walk->of.irregular = walk->of.irregular || mem->index != ZYDIS_REGISTER_NONE ||
                             (walk->base != ZYDIS_REGISTER_NONE && walk->base != mem->base);
        walk->base = mem->base;
        walk->of.low_bytes = low < walk->of.low_bytes ? low : walk->of.low_bytes;
        walk->of.high_bytes = high > walk->of.high_bytes ? high : walk->of.high_bytes;
        return;
    }
    bool moves = walk->base != ZYDIS_REGISTER_NONE && operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                 operands[0].reg.value == walk->base && (operands[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    if (moves && instruction->mnemonic == ZYDIS_MNEMONIC_ADD && operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
        walk->of.step_bytes += operands[1].imm.value.s;
    else if (moves)
        walk->of.irregular = true;
}

/* Checks that every data instruction of the loop has the kernel's width, register class and type. */
static bool loop_verify(const struct kernel *kernel, const struct listing *listing, size_t first, size_t last,
                        struct error *err) {
    unsigned element_bytes = element_table[kernel->type].bytes;
    bool vectors = kernel->isa != NULL && kernel->isa->vector_bytes > 8;
    unsigned data_bytes = vectors ? kernel->isa->vector_bytes : element_bytes;
    bool x87 = kernel->isa != NULL && kernel->isa->operands == ISA_STACK;
    struct walk walk = {.base = ZYDIS_REGISTER_NONE};
    for (size_t i = first; i <= last; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        listing_decode(listing, i, &instruction, operands);
        const char *name = effect_name(&instruction);
        uint32_t offset = listing->entries[i].offset;
        kernel_effect(kernel, &instruction, operands, &effect);
        if (!effect_is_plain(&instruction, &effect))
            return error_set(err, "the cost of the %s at +%#x is not known", name, offset);
        walk_instruction(&walk, &instruction, operands, &effect);
        if (effect.data_bytes != 0 && effect.data_bytes != data_bytes)
            return error_set(err, "the %s at +%#x works on %u bytes, the kernel on %u", name, offset, effect.data_bytes,
                             data_bytes);
        if (effect.data_bytes != 0 && effect.x87 != x87)
            return error_set(err, "the %s at +%#x is %san x87 instruction", name, offset, x87 ? "not " : "");
        if (effect.sort != SORT_FREE && effect.type != kernel->type)
            return error_set(err, "the %s at +%#x is not of the kernel's type", name, offset);
    }
    return proof_of_walk(kernel, &walk.of, err);
}

static bool needs_verify(const struct kernel *kernel, const struct listing *listing, struct error *err) {
    cpu_features has = effect_features_implied(kernel->needs);
    for (size_t i = 0; i < listing->count; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        cpu_features feature = 0;
        listing_decode(listing, i, &instruction, operands);
        const char *name = effect_name(&instruction);
        if (!effect_feature(&instruction, &feature))
            return error_set(err, "the %s at +%#x needs a feature that is not known", name, listing->entries[i].offset);
        if ((feature & ~has) != 0)
            return error_set(err, "the %s at +%#x needs %s, which the kernel does not declare", name,
                             listing->entries[i].offset, cpu_feature_name(feature));
    }
    return true;
}

bool decode_readable(struct error *err) {
    (void)err;
    return true;
}

bool decode_verify(const struct kernel *kernel, struct error *err) {
    struct listing listing;
    struct cost executed;
    struct error why;
    size_t first = 0, last = 0;
    bool made = listing_make(&listing, (const void *)(uintptr_t)kernel->entry, &why);
    bool verified = made && listing_innermost_loop(&listing, &first, &last, &why) &&
                    loop_cost(kernel, &listing, first, last, &executed, &why) &&
                    proof_of_cost(&kernel->cost, &executed, &why) && loop_verify(kernel, &listing, first, last, &why) &&
                    prefetches_verify(kernel, &listing, first, last, &why) && needs_verify(kernel, &listing, &why);
    if (made)
        listing_free(&listing);
    return verified || error_set(err, "%s %s: %s", kernel->name, kernel->variant, why.text);
}

bool decode_print(const struct kernel *kernel, FILE *out, struct error *err) {
    struct listing listing;
    size_t first = 0, last = 0;
    if (!listing_make(&listing, (const void *)(uintptr_t)kernel->entry, err))
        return false;
    bool looped = listing_innermost_loop(&listing, &first, &last, err);
    ZydisFormatter formatter;
    ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
    fprintf(out, "%s %s:\n", kernel->name, kernel->variant);
    for (size_t i = 0; i < listing.count; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        char text[128];
        listing_decode(&listing, i, &instruction, operands);
        listing_text(&formatter, &instruction, operands, listing.entries[i].offset, text, sizeof text);
        fprintf(out, "%6x %c %s\n", listing.entries[i].offset, looped && i >= first && i <= last ? '|' : ' ', text);
    }
    listing_free(&listing);
    return looped;
}
