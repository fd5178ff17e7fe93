/* SPDX-License-Identifier: BSD-3-Clause
 * Without Zydis no instruction is decoded or encoded (see the headers). Kernels run as they were generated. */
#include "asm/assemble.h"
#include "asm/instruction.h"

#include <stdio.h>

#include "probe/error.h"

bool instruction_readable(struct error *err) {
    return error_set(err, BUILT_WITHOUT);
}

bool instruction_decode(const void *code, size_t code_bytes, struct decoded_instruction *out) {
    (void)code, (void)code_bytes;
    *out = (struct decoded_instruction){0};
    return false;
}
void instructions_find_unfused(const void *code, struct decoded_instruction *instructions, size_t count) {
    (void)code, (void)instructions, (void)count;
}
const char *instruction_text(const void *code, size_t code_bytes, uint64_t address, char *out, size_t size) {
    (void)code, (void)code_bytes, (void)address;
    snprintf(out, size, "(bad)");
    return out;
}

void assemble_variant(const struct recipe *recipe, char *out, size_t size) {
    snprintf(out, size, "%ux%u", recipe->width, recipe->unroll);
}
bool assemble_knows(const struct isa *isa, const char *op, enum kernel_kind *kind) {
    (void)isa, (void)op, (void)kind;
    return false;
}
unsigned assemble_width_max(const struct isa *isa, const char *op) {
    (void)isa, (void)op;
    return 0;
}
bool assemble_fits(const struct recipe *recipe) {
    (void)recipe;
    return false;
}
unsigned assemble_block_bytes(const struct recipe *recipe) {
    (void)recipe;
    return 0;
}
bool assemble_kernel(const struct recipe *recipe, struct assembled *out, struct error *err) {
    (void)recipe, (void)out;
    return instruction_readable(err);
}
void assemble_free(struct assembled *assembled) {
    (void)assembled;
}

const char *prefetch_instruction(enum prefetch_hint hint) {
    (void)hint;
    return "prefetch";
}
