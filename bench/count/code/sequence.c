/* SPDX-License-Identifier: BSD-3-Clause */
#include "sequence.h"
#include "cache.h"
#include "emit.h"
#include "marks.h"
#include "restartable.h"

#include "bench/count/base/fail.h"

/* Why a counted program must not execute the instruction; NULL: it may. */
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
        return "it changes the code segment (a far jump, call or return, or iret), at";
    default:
        break;
    }
    if (decoded->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return "it changes the code segment (a far jump, call or return, or iret), at";
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

/* Decodes the sequence's next instruction; false if the sequence must end before it. */
static bool decode_next(struct sequence *sequence, uint64_t high) {
    struct instruction *instruction = &sequence->instructions[sequence->count];
    const char *reason = NULL;
    const bool common = !operands && common_decode(sequence->next, high - sequence->next, instruction);
    if (!common && !decode_instruction(sequence->next, high - sequence->next, instruction))
        reason = "it executes an unknown instruction, at";
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

/* Whether the block ends with a conditional jump back to `address`, by its machine code. */
static bool leads_back(const struct block *block, uint64_t address) {
    enum { NEAR_BYTES = 2, FAR_BYTES = 6 };
    const uint64_t end = block->original + block->code_bytes;
    const uint8_t *behind = cache_bytes(block->first_byte) + block->code_bytes;
    int32_t distance;
    if (block->code_bytes >= NEAR_BYTES && behind[-NEAR_BYTES] >> 4 == 7 &&
        end + (uint64_t)(int8_t)behind[-1] == address)
        return true;
    if (block->code_bytes < FAR_BYTES || behind[-FAR_BYTES] != 0x0f || behind[1 - FAR_BYTES] >> 4 != 8)
        return false;
    __builtin_memcpy(&distance, behind - sizeof distance, sizeof distance);
    return end + (uint64_t)(int64_t)distance == address;
}

/* Whether the sequence ends because a known block follows. A loop that was entered in its middle still becomes one
 * block. */
static bool ends_before(uint64_t next, uint64_t address) {
    const uint64_t code = cache_find(next);
    uint32_t first;
    const struct block *block = code ? cache_block_at(code, &first) : NULL;
    return code && !(block && leads_back(block, address));
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
        if (out->branches || decode_traps(last) || restartable_at(out->next) || ends_before(out->next, address) ||
            (checked && decode_stores(last)))
            return;
    }
}

void sequence_cut(struct sequence *sequence) {
    sequence->count /= 2;
    sequence->branches = sequence->loops = false;
    sequence->mark = 0;
    const struct instruction *last = &sequence->instructions[sequence->count - 1];
    sequence->next = last->address + last->decoded.length;
}

static bool overwrites(uint32_t overwritten, uint32_t changed) {
    return (changed & ~overwritten) == 0;
}

struct count_place sequence_count_place(const struct sequence *sequence) {
    struct count_place place = {.changes_register = -1};
    for (uint32_t i = 0; i < sequence->count; i++)
        if (overwrites(decode_overwritten_flags(&sequence->instructions[i]), EMIT_COUNT_PLAINLY_FLAGS))
            return (struct count_place){.instruction = i, .changes_flags = true, .changes_register = -1};
    for (uint32_t i = 0; i < sequence->count; i++)
        if (overwrites(decode_flags_overwritten_by_memory(&sequence->instructions[i]),
                       COPY_COMPARISON_FLAGS | EMIT_COUNT_PLAINLY_FLAGS))
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
