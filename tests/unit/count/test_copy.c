/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of instructions whose operand is relative to their address, out of reach, and with all bits of a base's number
 * set, which no base has: the copy's base is the register with the operand's address, and no other. And the operand of
 * an indirect jump, with the registers of APX too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "asm/x86/newer.h"
#include "bench/count/base/fail.h"
#include "bench/count/code/sequence.h"
#include "bench/count/code/emit.h"
#include "tests/support/no_program.h"

/* Where the counter would end the program. */
void fail_program(const char *reason, uint64_t address) {
    fail_msg("%s %#lx", reason, (unsigned long)address);
    abort();
}

enum { AREA_BYTES = 4096, LONGEST = ZYDIS_MAX_INSTRUCTION_LENGTH };
static uint8_t *code, *copies; /* beyond each other's reach */

static int start(void **state) {
    const uintptr_t places[] = {0x100000000000, 0x200000000000};
    (void)state;
    decode_prepare();
    uint8_t **areas[] = {&code, &copies};
    for (unsigned i = 0; i < 2; i++)
        *areas[i] = mmap((void *)places[i], AREA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return code == MAP_FAILED || copies == MAP_FAILED ? -1 : 0;
}

static struct instruction decoded_at(const uint8_t *bytes) {
    static struct instruction instruction;
    assert_true(decode_instruction((uint64_t)bytes, LONGEST, &instruction));
    return instruction;
}

static const ZydisDecodedOperand *memory_of(const struct instruction *instruction) {
    for (unsigned i = 0; i < instruction->decoded.operand_count; i++)
        if (instruction->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return &instruction->operands[i];
    fail_msg("no operand in memory");
    abort();
}

static void bases_are_the_free_register(void **state) {
    static const struct {
        const char *what;
        uint8_t bytes[LONGEST];
    } rows[] = {
        {"mov", {0x8b, 0x05, 0x10}},
        {"mov, REX.B", {0x49, 0x8b, 0x05, 0x10}},
        {"push, no prefix", {0xff, 0x35, 0x10}},
        {"pop, which begins like XOP", {0x8f, 0x05, 0x10}},
        {"add, 66 and REX.B", {0x66, 0x41, 0x03, 0x05, 0x10}},
        {"vaddps, VEX of two bytes", {0xc5, 0xd8, 0x58, 0x05, 0x10}},
        {"vmovaps, VEX.B", {0xc4, 0xc1, 0x78, 0x28, 0x05, 0x10}},
        {"vaddpd, EVEX.B", {0x62, 0xd1, 0xfd, 0x48, 0x58, 0x05, 0x10}},
        {"vaddpd, EVEX.B4", {0x62, 0xf9, 0xfd, 0x48, 0x58, 0x05, 0x10}},
        {"andn, EVEX.B and B4", {0x62, 0xda, 0x74, 0x08, 0xf2, 0x05, 0x10}},
        {"mov, REX2.B3 and B4", {0xd5, 0x19, 0x8b, 0x05, 0x10}},
        {"imul, REX2 of map 0F", {0xd5, 0x99, 0xaf, 0x05, 0x10}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(code, 0xcc, AREA_BYTES);
        memcpy(code, rows[i].bytes, LONGEST);
        const struct instruction from = decoded_at(code);
        assert_true(decode_is_rip_relative(&from));
        emit_at = copies;
        const uint8_t *end = (const uint8_t *)copy_instruction(&from);
        const struct instruction to = decoded_at(end - from.decoded.length);
        const ZydisDecodedOperandMem *mem = &memory_of(&to)->mem;
        if (ZydisRegisterGetClass(mem->base) != ZYDIS_REGCLASS_GPR64 ||
            ZydisRegisterGetId(mem->base) != decode_free_register(&from) || mem->disp.value != 0)
            fail_msg("%s: the base is %s", rows[i].what, ZydisRegisterGetString(mem->base));
        assert_int_equal(to.decoded.mnemonic, from.decoded.mnemonic);
        for (unsigned j = 0; j < from.decoded.operand_count; j++)
            if (from.operands[j].type == ZYDIS_OPERAND_TYPE_REGISTER)
                assert_int_equal(to.operands[j].reg.value, from.operands[j].reg.value);
    }
}

static void operands_of_jumps_are_loaded(void **state) {
    static const uint8_t rows[][LONGEST] = {
        {0xff, 0x20},                         /* jmp *(%rax) */
        {0x43, 0xff, 0x64, 0xc8, 0x10},       /* jmp *16(%r8,%r9,8) */
        {0x67, 0xff, 0x20},                   /* jmp *(%eax) */
        {0x64, 0xff, 0x60, 0x10},             /* jmp *%fs:16(%rax) */
        {0xd5, 0x10, 0xff, 0x20},             /* jmp *(%r16) */
        {0xd5, 0x33, 0xff, 0x64, 0xc8, 0x10}, /* call *16(%r24,%r25,8) */
        {0xd5, 0x11, 0xff, 0xe0},             /* jmp *%r24 */
        {0xff, 0xe2},                         /* jmp *%rdx */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(code, rows[i], LONGEST);
        const struct instruction from = decoded_at(code);
        assert_true(decode_is_branch(&from));
        emit_at = copies;
        memset(copies, 0xcc, LONGEST);
        copy_load_of_operand(&from);
        const struct instruction to = decoded_at(copies);
        assert_int_equal(to.decoded.length, emit_at - copies);
        assert_int_equal(to.decoded.mnemonic, ZYDIS_MNEMONIC_MOV);
        assert_int_equal(to.operands[0].reg.value, ZYDIS_REGISTER_RCX);
        const ZydisDecodedOperand *is = &to.operands[1], *was = &from.operands[0];
        assert_int_equal(is->type, was->type);
        if (is->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            assert_int_equal(is->reg.value, was->reg.value);
            continue;
        }
        assert_int_equal(is->mem.base, was->mem.base);
        assert_int_equal(is->mem.index, was->mem.index);
        assert_int_equal(is->mem.scale, was->mem.scale);
        assert_int_equal(is->mem.segment, was->mem.segment);
        assert_true(is->mem.disp.value == was->mem.disp.value);
    }
}

/* Relative to the instruction: the copy has the address. A 67 prefix truncates it to 32 bits. */
static void near_operands_of_jumps_are_loaded(void **state) {
    const uint64_t whole = (uint64_t)code + 0x1000, half = (uint32_t)(uint64_t)code + 0x10;
    const struct {
        uint8_t bytes[LONGEST];
        uint64_t address;
        ZydisRegister segment;
    } rows[] = {
        {{0xff, 0x25, 0xfa, 0x0f}, whole, ZYDIS_REGISTER_DS},       /* jmp *place(%rip) */
        {{0x64, 0xff, 0x15, 0xf9, 0x0f}, whole, ZYDIS_REGISTER_FS}, /* call *%fs:place(%rip) */
        {{0x67, 0xff, 0x25, 0x09}, half, ZYDIS_REGISTER_DS},        /* jmp *place(%eip) */
        {{0x64, 0x67, 0xff, 0x25, 0x08}, half, ZYDIS_REGISTER_FS},  /* jmp *%fs:place(%eip) */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memcpy(code, rows[i].bytes, LONGEST);
        const struct instruction from = decoded_at(code);
        emit_at = copies;
        copy_load_of_operand(&from);
        const struct instruction constant = decoded_at(copies), to = decoded_at(copies + constant.decoded.length);
        assert_true(constant.operands[1].imm.value.u == rows[i].address);
        assert_int_equal(memory_of(&to)->mem.base, ZYDIS_REGISTER_RCX);
        assert_int_equal(memory_of(&to)->mem.segment, rows[i].segment);
    }
}

/* jmpabs is the only jump whose target is no distance. */
static void absolute_jumps_have_their_target(void **state) {
    static const uint8_t bytes[LONGEST] = {0xd5, 0x00, 0xa1, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01};
    (void)state;
    memcpy(code, bytes, LONGEST);
    const struct instruction jump = decoded_at(code);
    assert_true(decode_is_branch(&jump) && decode_is_relative(&jump) && !decode_is_conditional_jump(&jump));
    assert_true(decode_branch_target(&jump) == 0x0123456789abcdef);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bases_are_the_free_register),
        cmocka_unit_test(operands_of_jumps_are_loaded),
        cmocka_unit_test(near_operands_of_jumps_are_loaded),
        cmocka_unit_test(absolute_jumps_have_their_target),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
