/* SPDX-License-Identifier: BSD-3-Clause
 * One instruction of the program (see step.h): put between code that exchanges all registers, and called. */
#include "step.h"

#include "bench/count/code/emit.h"
#include "bench/count/code/registers.h"
#include "bench/count/code/stubs.h"

enum { REGISTERS = 15 };
/* As instructions number them, in the order of struct registers. */
static const uint8_t numbers[REGISTERS] = {RAX, RCX, RDX, RBX, RBP, RSI, RDI, 8, 9, 10, 11, 12, 13, 14, 15};
static void emit_step(const struct instruction *instruction) {
    EMIT("\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57"); /* push %rbx, %rbp, %r12 to %r15 */
    emit_store(RSP, PASSING_OFFSET(after));
    EMIT("\x65\xff\x34\x25"); /* pushq %gs:flags */
    emit_u32(PASSING_OFFSET(registers.flags));
    EMIT("\x9d"); /* popfq */
    for (unsigned i = 0; i < REGISTERS; i++)
        emit_load(numbers[i], PASSING_OFFSET(registers) + 8 * i);
    emit_load(RSP, PASSING_OFFSET(registers.rsp));
    emit_copy(instruction->bytes, instruction->decoded.length);
    for (unsigned i = 0; i < REGISTERS; i++)
        emit_store(numbers[i], PASSING_OFFSET(registers) + 8 * i);
    emit_store(RSP, PASSING_OFFSET(registers.rsp));
    emit_load(RSP, PASSING_OFFSET(after));
    EMIT("\x9c");             /* pushfq */
    EMIT("\x65\x8f\x04\x25"); /* popq %gs:flags */
    emit_u32(PASSING_OFFSET(registers.flags));
    EMIT("\xfc");                                         /* cld */
    EMIT("\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\xc3"); /* pop %r15 to %r12, %rbp, %rbx; ret */
}

void step_instruction(struct context *context, const struct instruction *instruction, greg_t *registers) {
    registers_take(registers, &context->passing.registers);
    emit_at = (uint8_t *)stubs_get()->step;
    emit_step(instruction);
    ((void (*)(void))stubs_get()->step)();
    registers_put(&context->passing.registers, registers);
}
