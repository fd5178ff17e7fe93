/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of the program (see sequence.h). */
#include "sequence.h"

#include "bench/count/base/fail.h"
#include "cache.h"
#include "bench/count/decode/common.h"
#include "bench/count/decode/marks.h"
#include "restartable.h"

/* What a counted program must not execute; NULL: it may. */
static const char *refusal(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    switch (decoded->mnemonic) {
    case ZYDIS_MNEMONIC_RDGSBASE:
    case ZYDIS_MNEMONIC_WRGSBASE:
    case ZYDIS_MNEMONIC_SWAPGS:
        return "it uses the gs segment, which the counter needs, at";
    case ZYDIS_MNEMONIC_INT:
    case ZYDIS_MNEMONIC_SYSENTER:
        return "it makes 32-bit system calls, at";
    case ZYDIS_MNEMONIC_XBEGIN:
        return "it uses transactions, at";
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
        return "it changes the code segment, at";
    default:
        break;
    }
    if (decoded->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return "it changes the code segment, at";
    for (unsigned i = 0; i < decoded->operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        bool memory = operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type != ZYDIS_MEMOP_TYPE_AGEN &&
                      operand->mem.segment == ZYDIS_REGISTER_GS;
        bool written = operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == ZYDIS_REGISTER_GS &&
                       (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
        if ((memory && decoded->meta.category != ZYDIS_CATEGORY_NOP &&
             decoded->meta.category != ZYDIS_CATEGORY_WIDENOP) ||
            written)
            return "it uses the gs segment, which the counter needs, at";
    }
    return NULL;
}

static bool operands;

void sequence_need_operands(void) {
    operands = true;
}

/* Decodes the next instruction of the sequence, unless it must not be in it. */
static bool decode_next(struct sequence *sequence, uint64_t high) {
    struct instruction *instruction = &sequence->instructions[sequence->count];
    const char *reason = NULL;
    const bool common = !operands && common_decode(sequence->next, high - sequence->next, instruction);
    if (!common && !decode_instruction(sequence->next, high - sequence->next, instruction))
        reason = "it executes an instruction that is not known, at";
    else if (!common)
        reason = refusal(instruction);
    if (reason && sequence->count == 0)
        fail_program(reason, sequence->next);
    if (reason)
        return false;
    sequence->count++;
    sequence->next += instruction->decoded.length;
    return true;
}

void sequence_decode(uint64_t address, uint64_t high, bool checked, struct sequence *out) {
    out->count = 0;
    out->branches = out->loops = false;
    out->ends_region = out->mark = 0;
    out->next = address;
    while (out->count < SEQUENCE_INSTRUCTIONS && out->next < high) {
        uint32_t mark = decode_mark((const uint8_t *)out->next, high - out->next);
        const bool ends = mark && marks_end_here(mark);
        if (ends && out->count > 0)
            return;
        if (!decode_next(out, high))
            return;
        if (mark && !ends) {
            out->mark = mark;
            decode_next(out, high);
            return;
        }
        if (ends)
            out->ends_region = mark;
        const struct instruction *last = &out->instructions[out->count - 1];
        out->branches = decode_is_branch(last);
        out->loops =
            !out->ends_region && !checked && decode_is_conditional_jump(last) && decode_branch_target(last) == address;
        restartable_look_for(last);
        if (out->branches || restartable_at(out->next) || cache_find(out->next) || (checked && decode_stores(last)))
            return;
    }
}

struct count_place sequence_count_place(const struct sequence *sequence) {
    struct count_place place = {.changes_register = -1};
    for (uint32_t i = 0; i < sequence->count; i++)
        if (decode_replaces_flags(&sequence->instructions[i]))
            return (struct count_place){.instruction = i, .changes_flags = true, .changes_register = -1};
    for (uint32_t i = 0; i < sequence->count; i++)
        if (decode_replaces_flags_by_memory(&sequence->instructions[i]))
            return (struct count_place){
                .instruction = i, .changes_flags = true, .compares = true, .changes_register = -1};
    for (uint32_t i = 0; i < sequence->count; i++) {
        place.instruction = i;
        place.changes_register = decode_overwritten_register(&sequence->instructions[i]);
        if (place.changes_register >= 0)
            return place;
    }
    return (struct count_place){.changes_register = -1};
}
