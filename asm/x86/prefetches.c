/* SPDX-License-Identifier: BSD-3-Clause
 * The table of prefetches, and the lines that a kernel's loop prefetches. Assumes that accesses and prefetches use one
 * register, which moves by one block at the end of the loop. */
#include "prefetches.h"
#include "probe/error.h"

#include <limits.h>

/* All belong to SSE, which every x86-64 has. */
const struct prefetch_form prefetch_table[PREFETCH_HINTS] = {
    [PREFETCH_NONE] = {"", "", ZYDIS_MNEMONIC_INVALID},
    [PREFETCH_KEPT] = {"prefetcht0", "t0", ZYDIS_MNEMONIC_PREFETCHT0},
    [PREFETCH_ONCE] = {"prefetchnta", "nta", ZYDIS_MNEMONIC_PREFETCHNTA},
};

const char *prefetch_instruction(enum prefetch_hint hint) {
    return prefetch_table[hint].instruction;
}

const char *prefetch_suffix(enum prefetch_hint hint) {
    return prefetch_table[hint].suffix;
}

enum { LINE_BYTES = 64, LINES_MOST = 1 << 16 };

/* The prefetched lines of the block. */
struct prefetched_lines {
    const struct kernel *kernel;
    uint64_t stretch_bytes; /* of one stream in a block */
    ZydisRegister base;
    uint64_t count;
    unsigned char of_block[LINES_MOST / CHAR_BIT];
};

static bool is_prefetch(const ZydisDecodedInstruction *instruction) {
    return instruction->meta.category == ZYDIS_CATEGORY_PREFETCH ||
           instruction->meta.category == ZYDIS_CATEGORY_PREFETCHWT1;
}

/* A prefetch at a displacement fetches the line that its stream reaches `distance` later. Finds the line where the
 * stream is now. */
static bool note_line(struct prefetched_lines *lines, int64_t displacement, struct error *err) {
    const uint64_t block = lines->kernel->block_bytes, stretch = lines->stretch_bytes;
    const uint64_t at = (uint64_t)displacement, distance = lines->kernel->prefetch.distance_bytes;
    const uint64_t in_block = at % block, ahead = at / block * stretch + in_block % stretch;
    if (displacement < 0 || ahead < distance || ahead - distance >= stretch || (ahead - distance) % LINE_BYTES != 0)
        return error_set(err, "a prefetch at +%lld is not %u bytes ahead of a line of its stream",
                         (long long)displacement, lines->kernel->prefetch.distance_bytes);
    const uint64_t line = (in_block / stretch * stretch + ahead - distance) / LINE_BYTES;
    unsigned char *byte = &lines->of_block[line / CHAR_BIT], bit = (unsigned char)(1u << line % CHAR_BIT);
    if ((*byte & bit) != 0)
        return error_set(err, "line %llu of the block is prefetched twice", (unsigned long long)line);
    *byte |= bit;
    lines->count++;
    return true;
}

static bool note_prefetch(struct prefetched_lines *lines, const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperandMem *mem, struct error *err) {
    const enum prefetch_hint hint = lines->kernel->prefetch.hint;
    if (hint == PREFETCH_NONE || instruction->mnemonic != prefetch_table[hint].mnemonic)
        return error_set(err, "the loop has a %s, which the kernel does not declare",
                         ZydisMnemonicGetString(instruction->mnemonic));
    if (mem->index != ZYDIS_REGISTER_NONE || (lines->base != ZYDIS_REGISTER_NONE && lines->base != mem->base))
        return error_set(err, "the prefetches are not all at fixed distances from one register");
    lines->base = mem->base;
    return note_line(lines, mem->disp.value, err);
}

/* The prefetches use the register of the accesses, which moves after the last prefetch. */
static bool base_verify(const struct prefetched_lines *lines, const struct listing *listing, size_t first, size_t last,
                        struct error *err) {
    bool moved = false, same = false;
    for (size_t i = first; i <= last; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        listing_decode(listing, i, &instruction, operands);
        for (unsigned k = 0; k < instruction.operand_count_visible; k++) {
            const bool memory = operands[k].type == ZYDIS_OPERAND_TYPE_MEMORY;
            same = same || (memory && !is_prefetch(&instruction) && operands[k].mem.base == lines->base);
            if (memory && moved)
                return error_set(err, "the register that addresses the prefetches moves before the last of them");
        }
        moved = moved || (operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[0].reg.value == lines->base);
    }
    return same || error_set(err, "prefetches and accesses are not addressed by one register");
}

bool prefetches_verify(const struct kernel *kernel, const struct listing *listing, size_t first, size_t last,
                       struct error *err) {
    struct prefetched_lines lines = {
        .kernel = kernel, .stretch_bytes = kernel->stretch_bytes ? kernel->stretch_bytes : kernel->block_bytes};
    if (kernel->prefetch.hint != PREFETCH_NONE &&
        (kernel->block_bytes == 0 || kernel->block_bytes / LINE_BYTES > LINES_MOST))
        return error_set(err, "a kernel with blocks of %u bytes has nothing to prefetch", kernel->block_bytes);
    for (size_t i = first; i <= last; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        listing_decode(listing, i, &instruction, operands);
        if (is_prefetch(&instruction) && !note_prefetch(&lines, &instruction, &operands[0].mem, err))
            return false;
    }
    if (kernel->prefetch.hint == PREFETCH_NONE)
        return true;
    if (lines.count != kernel->block_bytes / LINE_BYTES)
        return error_set(err, "prefetched lines per iteration: declared %u, executed %llu",
                         kernel->block_bytes / LINE_BYTES, (unsigned long long)lines.count);
    return base_verify(&lines, listing, first, last, err);
}
