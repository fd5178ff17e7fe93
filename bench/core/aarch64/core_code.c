/* SPDX-License-Identifier: BSD-3-Clause
 * An item's unit → a function with a loop of many units. It changes no register that its caller keeps. */
#include <stdio.h>
#include <string.h>

#include "asm/aarch64/forms.h"
#include "asm/assemble_line.h"
#include "bench/core/core_code.h"

enum { WORD_BYTES = 4, MASKS = 8 };
enum { VECTORS = 32, VECTOR_KEPT = 8, VECTOR_FREE = 16, FIRST_CONSTANT = 28, LAST_VECTOR = 31 };

static void put_number(struct written_code *to, const char *pattern, unsigned a, unsigned b) {
    char text[64];
    snprintf(text, sizeof text, pattern, a, b);
    core_code_put(to, text);
}

/* Each 16 bytes of a vector hold the same; indices count on. Divisions start from a number that is not round. */
static void load_vectors(struct written_code *to, const struct core_item *item, bool wide) {
    const bool indices = item->operands == CORE_INDICES_8 || item->operands == CORE_INDICES_4;
    for (unsigned i = 0; i < VECTORS; i++) {
        if (i >= VECTOR_KEPT && i < VECTOR_FREE)
            continue;
        const bool keep = i == FIRST_CONSTANT || i == LAST_VECTOR;
        put_number(to, "ldr q%u, [x0, #%u]", i, keep ? 128 : i > FIRST_CONSTANT ? 64 : 0);
        if (wide && indices)
            put_number(to, item->operands == CORE_INDICES_8 ? "index z%u.d, #0, #8" : "index z%u.s, #0, #8", i, 0);
        else if (wide)
            put_number(to, "mov z%u.q, q%u", i, i);
    }
    for (unsigned i = 0; wide && i < MASKS; i++)
        put_number(to, "ptrue p%u.b", i, 0);
}

static void load_general(struct written_code *to) {
    for (unsigned i = 0; i < CORE_GENERAL; i++)
        put_number(to, "ldr x%u, [x0, #%u]", 2 + i, 192 + 8 * i);
    core_code_put(to, "ldr x12, [x0, #248]; mov x13, #3; mov x14, #3; mov x16, #3; add x15, x0, #1, lsl #12");
}

/* cbnz x1: does not touch the flags. */
static void put_back(struct written_code *to, size_t loop) {
    const uint32_t distance = (uint32_t)((loop - to->used) / WORD_BYTES) & 0x7ffff;
    const uint32_t word = 0xb5000001 | distance << 5;
    memcpy(to->code + to->used, &word, sizeof word);
    to->used += sizeof word;
}

size_t core_code_write(const struct core_item *item, uint8_t out[CORE_CODE_BYTES], unsigned *units) {
    struct written_code to = {out, 0};
    memset(out, 0, CORE_CODE_BYTES); /* udf: undefined for ever */
    load_vectors(&to, item, assemble_needs(item->unit, item->unit_bytes) & CPU_SVE);
    load_general(&to);
    const size_t loop = core_code_units(&to, item, units);
    core_code_put(&to, "sub x1, x1, #1");
    put_back(&to, loop);
    core_code_put(&to, "ret");
    return to.used;
}
