/* SPDX-License-Identifier: BSD-3-Clause
 * The marks in libcarmine's machine code: as Intel SDE expects them, with the collector's hooks outside of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <Zydis/Zydis.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/marks/collector.h"

/* Positions in a function, in instructions from its start; 0: nowhere. */
struct layout {
    unsigned mark, hook, end;
    uint64_t number; /* of the mark */
    uint8_t code[16];
};

static bool is_mov_to_ebx(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands) {
    return instruction->mnemonic == ZYDIS_MNEMONIC_MOV && operands[0].reg.value == ZYDIS_REGISTER_EBX &&
           operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static struct layout decode(const void *library, const char *name) {
    struct layout layout = {0};
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    const uint8_t *code = dlsym((void *)library, name);
    assert_non_null(code);
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (unsigned at = 1; layout.end == 0 && at < 100; at++) {
        assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, 15, &instruction, operands)));
        if (is_mov_to_ebx(&instruction, operands)) {
            layout.mark = at;
            layout.number = operands[1].imm.value.u;
            memcpy(layout.code, code, sizeof layout.code);
        }
        const bool through_pointer = operands[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
        if ((instruction.mnemonic == ZYDIS_MNEMONIC_CALL || instruction.mnemonic == ZYDIS_MNEMONIC_JMP) &&
            through_pointer)
            layout.hook = at;
        if (instruction.mnemonic == ZYDIS_MNEMONIC_RET ||
            (instruction.mnemonic == ZYDIS_MNEMONIC_JMP && through_pointer))
            layout.end = at;
        code += instruction.length;
    }
    return layout;
}

static void *open_library(void) {
    char path[4096];
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/libcarmine.so", build ? build : "build");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        print_message("%s\n", dlerror());
    assert_non_null(library);
    return library;
}

static void marks_are_as_sde_expects(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint8_t code[8];
    } cases[] = {
        {"carmine_region_begin", {0xbb, SSC_MARK_BEGIN & 255, SSC_MARK_BEGIN >> 8, 0, 0, 0x64, 0x67, 0x90}},
        {"carmine_region_end", {0xbb, SSC_MARK_END & 255, SSC_MARK_END >> 8, 0, 0, 0x64, 0x67, 0x90}},
    };
    void *library = open_library();
    for (size_t i = 0; i < 2; i++) {
        struct layout layout = decode(library, cases[i].name);
        assert_int_not_equal(layout.mark, 0);
        assert_memory_equal(layout.code, cases[i].code, sizeof cases[i].code);
    }
    dlclose(library);
}

static void hooks_are_outside_of_the_marks(void **state) {
    (void)state;
    void *library = open_library();
    struct layout begin = decode(library, "carmine_region_begin"), end = decode(library, "carmine_region_end");
    assert_int_equal(begin.number, 0x111);
    assert_int_equal(end.number, 0x222);
    assert_int_not_equal(begin.hook, 0);
    assert_int_not_equal(end.hook, 0);
    assert_true(begin.hook < begin.mark);
    assert_true(end.mark < end.hook);
    dlclose(library);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_are_as_sde_expects),
        cmocka_unit_test(hooks_are_outside_of_the_marks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
