/* SPDX-License-Identifier: BSD-3-Clause
 * The exact counter's decoding without Zydis equals Zydis's: on all code of this program's libraries, from each byte
 * on, and on random bytes. */
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bench/count/code/marks.h"
#include "bench/count/code/sequence.h"

/* Functions that decode.c calls, unused here. */
bool marks_know(uint32_t number) {
    (void)number;
    return false;
}

static uint64_t tried, common;

static int explain(const struct instruction *instruction, const char *what) {
    print_error("%s differs:", what);
    for (unsigned i = 0; i < instruction->decoded.length; i++)
        print_error(" %02x", instruction->bytes[i]);
    print_error("\n");
    return 1;
}

static bool is_refused(const struct instruction *instruction) {
    for (unsigned i = 0; i < instruction->decoded.operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        if ((operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.segment == ZYDIS_REGISTER_GS) ||
            (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value == ZYDIS_REGISTER_GS))
            return true;
    }
    return instruction->decoded.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR;
}

static int same_comparison(const struct instruction *own, const struct instruction *whole) {
    unsigned own_index = 0, whole_index = 0;
    if (decode_flags_overwritten_by_memory(own) != decode_flags_overwritten_by_memory(whole))
        return explain(whole, "decode_flags_overwritten_by_memory");
    if (!decode_flags_overwritten_by_memory(whole))
        return 0;
    const bool same = decode_comparison(own, &own_index) == decode_comparison(whole, &whole_index);
    return same && own_index == whole_index ? 0 : explain(whole, "decode_comparison");
}

/* All users of a common instruction: sequences, blocks, copies, restartable sequences. */
static int differences(const struct instruction *own, const struct instruction *whole) {
    const ZydisDecodedInstruction *a = &own->decoded, *b = &whole->decoded;
    const bool constant = b->mnemonic == ZYDIS_MNEMONIC_MOV && b->raw.imm[0].size >= 32;
#define SAME_BY(ask)    (ask(own) == ask(whole) ? 0 : explain(whole, #ask))
#define SAME_IN(member) (a->member == b->member ? 0 : explain(whole, #member))
    int bad = SAME_IN(length) + SAME_BY(decode_is_branch) + SAME_BY(decode_is_conditional_jump) +
              SAME_BY(decode_is_rip_relative) + SAME_BY(decode_overwritten_flags) +
              SAME_BY(decode_overwritten_register) + same_comparison(own, whole);
    if (decode_is_branch(whole)) {
        bad += SAME_IN(meta.category) + SAME_IN(opcode) + SAME_BY(decode_is_relative) + SAME_IN(raw.imm[0].size) +
               SAME_IN(address_width);
        bad += decode_is_relative(whole) ? SAME_BY(decode_branch_target) : 0;
        bad += SAME_IN(raw.rex.X) + SAME_IN(raw.rex.B);
        bad += b->attributes & ZYDIS_ATTRIB_HAS_MODRM ? SAME_IN(raw.modrm.offset) : 0;
    }
    if (decode_is_rip_relative(whole))
        bad += SAME_BY(decode_rip_target) + SAME_IN(raw.disp.offset) + SAME_IN(raw.modrm.offset) +
               SAME_BY(decode_free_register);
    bad += (a->mnemonic == ZYDIS_MNEMONIC_LEA) == (b->mnemonic == ZYDIS_MNEMONIC_LEA) ? 0 : explain(whole, "lea");
    if (constant)
        bad += SAME_IN(mnemonic) + SAME_IN(raw.imm[0].size) + SAME_IN(raw.imm[0].value.u);
    bad += SAME_BY(decode_stores);
    bad += decode_uses_segment(whole, 0x64) || decode_uses_segment(whole, 0x65) ? explain(whole, "segment") : 0;
    bad += whole->effect.dynamic == DYNAMIC_NONE ? 0 : explain(whole, "effect");
    return bad + (is_refused(whole) ? explain(whole, "what is refused") : 0);
}

static int compare(const uint8_t *bytes, uint64_t most) {
    static struct instruction own, whole;
    memset(&own, 0x5a, sizeof own); /* no field may be assumed to be set */
    tried++;
    if (!common_decode((uint64_t)bytes, most, &own))
        return 0;
    common++;
    if (!decode_instruction((uint64_t)bytes, most, &whole)) {
        whole.decoded.length = own.decoded.length;
        return explain(&whole, "what is none");
    }
    return differences(&own, &whole);
}

static int compare_library(struct dl_phdr_info *library, size_t size, void *data) {
    enum { ENOUGH = 20 };
    int *bad = data;
    (void)size;
    for (unsigned i = 0; i < library->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &library->dlpi_phdr[i];
        const uint8_t *bytes = (const uint8_t *)(library->dlpi_addr + part->p_vaddr);
        for (uint64_t at = 0; (part->p_flags & PF_X) && part->p_type == PT_LOAD && at < part->p_memsz; at++)
            if (*bad < ENOUGH)
                *bad += compare(bytes + at, part->p_memsz - at);
    }
    return 0;
}

static void code_of_libraries(void **state) {
    int bad = 0;
    (void)state;
    decode_prepare();
    dl_iterate_phdr(compare_library, &bad);
    assert_int_equal(bad, 0);
    assert_true(common > tried / 3);
}

static void bytes_at_random(void **state) {
    enum { TIMES = 3000000 };
    uint64_t number = 88172645463325252ull;
    int bad = 0;
    (void)state;
    decode_prepare();
    common = 0;
    for (unsigned i = 0; i < TIMES && bad < 20; i++) {
        uint8_t bytes[2 * sizeof number];
        for (unsigned half = 0; half < 2; half++) {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            memcpy(bytes + half * sizeof number, &number, sizeof number);
        }
        static const uint8_t begins[][3] = {{0}, {0x66}, {0x0f}, {0x66, 0x0f}, {0x48}, {0x66, 0x41}, {0x4c, 0x0f}};
        memcpy(bytes, begins[i % 7], strlen((const char *)begins[i % 7]));
        bad += compare(bytes, sizeof bytes);
    }
    assert_int_equal(bad, 0);
    assert_true(common > TIMES / 10);
}

static void the_end_of_code_is_left_to_zydis(void **state) {
    static const uint8_t call[16] = {0xe8, 0, 0, 0, 0};
    struct instruction out;
    (void)state;
    assert_true(common_decode((uint64_t)call, sizeof call, &out));
    assert_false(common_decode((uint64_t)call, 4, &out));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_of_libraries),
        cmocka_unit_test(bytes_at_random),
        cmocka_unit_test(the_end_of_code_is_left_to_zydis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
