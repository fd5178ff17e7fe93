/* SPDX-License-Identifier: BSD-3-Clause
 * An item's unit → a function with a loop of many units. It changes no register that its caller keeps. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "asm/aarch64/forms.h"
#include "asm/assemble_line.h"
#include "bench/core/core_plan.h"

/* Long enough that the loop's own two instructions are about 1 % of it, short enough for the caches of code. */
enum { LOOP_INSTRUCTIONS = 192, FEW_UNITS = 8, LOOP_BYTES = 2048, LINE_BYTES = 64, WORD_BYTES = 4, MASKS = 8 };
enum { VECTORS = 32, VECTOR_KEPT = 8, VECTOR_FREE = 16, FIRST_CONSTANT = 28, LAST_VECTOR = 31 };

_Static_assert(offsetof(struct core_data, constant) == 64 && offsetof(struct core_data, keep) == 128 &&
                   offsetof(struct core_data, general) == 192 && offsetof(struct core_data, table) == 4096,
               "the texts below and in core_rows.c have these places");

/* Code is appended; assembling a text of the program itself cannot fail. */
struct written_code {
    uint8_t *code;
    size_t used;
};

static void put(struct written_code *to, const char *text) {
    const size_t bytes = assemble_lines(text, to->code + to->used, CORE_CODE_BYTES - to->used);
    assert(bytes > 0);
    to->used += bytes;
}

static void put_number(struct written_code *to, const char *pattern, unsigned a, unsigned b) {
    char text[64];
    snprintf(text, sizeof text, pattern, a, b);
    put(to, text);
}

/* Each 16 bytes of a vector hold the same; indices count on. What divisions begin with is no round number. */
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
    put(to, "ldr x12, [x0, #248]; mov x13, #3; mov x14, #3; mov x16, #3; add x15, x0, #1, lsl #12");
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
    load_vectors(&to, item, assemble_needs(item->unit, item->unit_bytes) & FORMS_SVE);
    load_general(&to);
    while (to.used % LINE_BYTES != 0)
        put(&to, "nop");
    const size_t loop = to.used;
    const unsigned most = item->renames ? FEW_UNITS : (LOOP_INSTRUCTIONS + item->instructions - 1) / item->instructions;
    for (*units = 0; *units == 0 || (*units < most && to.used - loop + item->unit_bytes <= LOOP_BYTES); ++*units) {
        memcpy(out + to.used, item->unit, item->unit_bytes);
        to.used += item->unit_bytes;
    }
    put(&to, "sub x1, x1, #1");
    put_back(&to, loop);
    put(&to, "ret");
    return to.used;
}
