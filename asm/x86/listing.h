/* SPDX-License-Identifier: BSD-3-Clause
 * A function's machine code as a list of instructions, and its innermost loop. It knows what branches do; decode.c
 * knows the cost of instructions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <Zydis/Zydis.h>

struct error;

struct listing_entry {
    uint32_t offset; /* from the function's start */
    uint32_t target; /* of a branch, as an index into the list; LISTING_NONE otherwise */
    bool ends;       /* control never falls through to the next entry */
};
enum { LISTING_NONE = UINT32_MAX >> 1 };

struct listing {
    const uint8_t *code;
    ZydisDecoder decoder;
    struct listing_entry *entries;
    size_t count;
};

/* Decodes from `code` to the end of the function: the first return, or other end of control, that no earlier branch
 * passes. Errors: undecodable, an indirect branch, a branch before the start or far away. Call listing_free after
 * success. */
bool listing_make(struct listing *listing, const void *code, struct error *err);
void listing_free(struct listing *listing);

/* The entries [*first, *last] of the only loop that contains no other loop; its last entry is the branch back. Errors:
 * none, several, or a loop with other branches, whose cost per pass is not fixed. */
bool listing_innermost_loop(const struct listing *listing, size_t *first, size_t *last, struct error *err);

/* Writes an instruction as text; false: the formatter refuses it. */
bool listing_text(const ZydisFormatter *formatter, const ZydisDecodedInstruction *instruction,
                  const ZydisDecodedOperand *operands, uint64_t address, char *out, size_t size);

/* Decodes the entry again, with all operands. */
void listing_decode(const struct listing *listing, size_t index, ZydisDecodedInstruction *instruction,
                    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]);
