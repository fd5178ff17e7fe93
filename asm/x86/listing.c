/* SPDX-License-Identifier: BSD-3-Clause
 * A function's instructions and loops without symbols: a sweep that follows the branches. */
#include "listing.h"
#include "effect.h"
#include "newer.h"
#include "probe/error.h"
#include "probe/need.h"
#include "probe/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTION_BYTES_MAX = 1 << 18, INSTRUCTION_BYTES_MAX = 15 };

void listing_decode(const struct listing *listing, size_t index, ZydisDecodedInstruction *instruction,
                    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    const bool decoded = newer_decode(&listing->decoder, listing->code + listing->entries[index].offset,
                                      INSTRUCTION_BYTES_MAX, instruction, operands);
    assert(decoded);
    (void)decoded;
}

/* The formatter knows the name of the older instruction alone, which the text of a dot product begins with. */
bool listing_text(const ZydisFormatter *formatter, const ZydisDecodedInstruction *instruction,
                  const ZydisDecodedOperand *operands, uint64_t address, char *out, size_t size) {
    const char *name = effect_name(instruction), *known = ZydisMnemonicGetString(instruction->mnemonic);
    char text[128];
    if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
            formatter, instruction, operands, instruction->operand_count_visible, text, sizeof text, address, NULL)))
        return false;
    const bool dot = effect_is_dot(instruction);
    *out = '\0';
    text_append(out, size, "%s%s", dot ? name : "", dot ? text + strlen(known) : text);
    return true;
}

static bool is_branch(const ZydisDecodedInstruction *instruction) {
    return instruction->meta.category == ZYDIS_CATEGORY_COND_BR ||
           instruction->meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

static bool ends_control(const ZydisDecodedInstruction *instruction) {
    return instruction->meta.category == ZYDIS_CATEGORY_RET || instruction->meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
           instruction->mnemonic == ZYDIS_MNEMONIC_UD2 || instruction->mnemonic == ZYDIS_MNEMONIC_HLT ||
           instruction->mnemonic == ZYDIS_MNEMONIC_INT3;
}

/* Converts the targets from offsets to indices. */
static bool targets_resolve(struct listing *listing, struct error *err) {
    for (size_t i = 0; i < listing->count; i++) {
        struct listing_entry *entry = &listing->entries[i];
        size_t low = 0, high = listing->count;
        while (entry->target != LISTING_NONE && low < high) {
            size_t middle = (low + high) / 2;
            if (listing->entries[middle].offset < entry->target)
                low = middle + 1;
            else
                high = middle;
        }
        if (entry->target == LISTING_NONE)
            continue;
        if (low == listing->count || listing->entries[low].offset != entry->target)
            return error_set(err, "the branch at +%#x leads to +%#x, which is inside an instruction", entry->offset,
                             entry->target);
        entry->target = (uint32_t)low;
    }
    return true;
}

static bool sweep(struct listing *listing, struct error *err) {
    size_t capacity = 0;
    uint32_t offset = 0, furthest = 0;
    bool returned = false, ended = false;
    while (!ended) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (offset > FUNCTION_BYTES_MAX)
            return error_set(err, "no end of the function within %d bytes", FUNCTION_BYTES_MAX);
        if (!newer_decode(&listing->decoder, listing->code + offset, INSTRUCTION_BYTES_MAX, &instruction, operands) ||
            newer_is_by_table(&instruction))
            return error_set(err, "no known instruction at +%#x", offset);
        if (listing->count == capacity) {
            capacity = capacity > 0 ? 2 * capacity : 512;
            listing->entries = need_realloc(listing->entries, capacity * sizeof *listing->entries);
        }
        struct listing_entry *entry = &listing->entries[listing->count++];
        *entry = (struct listing_entry){offset, LISTING_NONE, ends_control(&instruction)};
        uint32_t next = offset + instruction.length;
        if (is_branch(&instruction)) {
            if (operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
                return error_set(err, "the branch at +%#x is indirect", offset);
            int64_t target = (int64_t)next + operands[0].imm.value.s;
            if (target < 0 || target > FUNCTION_BYTES_MAX)
                return error_set(err, "the branch at +%#x leads out of the function", offset);
            entry->target = (uint32_t)target;
            furthest = entry->target > furthest ? entry->target : furthest;
        }
        /* Sanitizers put calls that do not return after the function's return. */
        bool last_call = returned && instruction.meta.category == ZYDIS_CATEGORY_CALL;
        ended = (entry->ends || last_call) && furthest < next;
        returned = returned || instruction.meta.category == ZYDIS_CATEGORY_RET;
        offset = next;
    }
    return targets_resolve(listing, err);
}

bool listing_make(struct listing *listing, const void *code, struct error *err) {
    *listing = (struct listing){.code = code};
    ZydisDecoderInit(&listing->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (sweep(listing, err))
        return true;
    listing_free(listing);
    return false;
}

void listing_free(struct listing *listing) {
    free(listing->entries);
    *listing = (struct listing){0};
}

/* Whether control gets from `first` to `last` without leaving the entries between. Only then is a branch back a loop,
 * and not a return from code that was moved out of line. */
static bool reaches(const struct listing *listing, size_t first, size_t last) {
    bool *seen = need_calloc(last - first + 1, sizeof *seen);
    seen[0] = true;
    for (bool grown = true; grown && !seen[last - first];) {
        grown = false;
        for (size_t i = first; i < last; i++) {
            const struct listing_entry *entry = &listing->entries[i];
            size_t ways[] = {entry->ends ? LISTING_NONE : i + 1, entry->target};
            for (size_t w = 0; seen[i - first] && w < 2; w++)
                if (ways[w] >= first && ways[w] <= last && !seen[ways[w] - first])
                    grown = seen[ways[w] - first] = true;
        }
    }
    bool reached = seen[last - first];
    free(seen);
    return reached;
}

static bool is_loop(const struct listing *listing, size_t last) {
    uint32_t target = listing->entries[last].target;
    return target <= last && reaches(listing, target, last);
}

bool listing_innermost_loop(const struct listing *listing, size_t *first, size_t *last, struct error *err) {
    size_t found = 0;
    for (size_t i = 0; i < listing->count; i++) {
        if (!is_loop(listing, i))
            continue;
        bool holds_loop = false;
        for (size_t j = listing->entries[i].target; j < i; j++)
            holds_loop =
                holds_loop || (is_loop(listing, j) && listing->entries[j].target >= listing->entries[i].target);
        if (holds_loop)
            continue;
        if (found++ > 0)
            return error_set(err, "two innermost loops, which end at +%#x and +%#x", listing->entries[*last].offset,
                             listing->entries[i].offset);
        *first = listing->entries[i].target;
        *last = i;
    }
    if (found == 0)
        return error_set(err, "there is no loop");
    for (size_t i = *first; i < *last; i++)
        if (listing->entries[i].target != LISTING_NONE || listing->entries[i].ends)
            return error_set(err, "the loop branches at +%#x, so that its cost is not fixed",
                             listing->entries[i].offset);
    return true;
}
