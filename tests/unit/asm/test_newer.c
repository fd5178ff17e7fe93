/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions that Zydis does not know. The table of encodings against Zydis, on random encodings that both know; REX2
 * and APX's registers against the same instructions without them; and encodings by LLVM (newer_rows.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/instruction.h"
#include "asm/x86/effect.h"
#include "asm/x86/newer.h"
#include "tests/support/chance.h"
#include "tests/support/newer_rows.h"

enum { LONGEST = ZYDIS_MAX_INSTRUCTION_LENGTH, ENOUGH = 10 };

struct decoded {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};
static ZydisDecoder decoder;

static int start(void **state) {
    (void)state;
    return ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ? 0 : -1;
}

static bool by_zydis(const uint8_t *code, size_t bytes, struct decoded *out) {
    return newer_by_zydis(&decoder, code, bytes, &out->instruction, out->operands);
}
static bool alone(const uint8_t *code, size_t bytes, struct decoded *out) {
    memset(out, 0x5a, sizeof *out); /* no field may be assumed to be set */
    return newer_decode_alone(&decoder, code, bytes, &out->instruction, out->operands);
}

static uint64_t draw(void) {
    return chance_next() >> 32 | (chance_next() >> 32 << 32);
}
static void draw_bytes(uint8_t code[LONGEST + 1]) {
    const uint64_t words[] = {draw(), draw()};
    memcpy(code, words, sizeof words);
}

static int explain(const uint8_t *code, unsigned bytes, const char *what, int64_t is, int64_t want) {
    print_error("%s is %lld, not %lld:", what, (long long)is, (long long)want);
    for (unsigned i = 0; i < bytes; i++)
        print_error(" %02x", code[i]);
    print_error("\n");
    return 1;
}

static const ZydisDecodedOperand *explicit_memory(const struct decoded *decoded) {
    for (unsigned i = 0; i < decoded->instruction.operand_count_visible; i++)
        if (decoded->operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
            return &decoded->operands[i];
    return NULL;
}

/* Zydis tells the stack's segment from the data's, which is the same. */
static ZydisRegister user_segment(const ZydisDecodedOperand *memory) {
    const ZydisRegister segment = memory->mem.segment;
    return segment == ZYDIS_REGISTER_FS || segment == ZYDIS_REGISTER_GS ? segment : ZYDIS_REGISTER_NONE;
}

static bool is_rip_relative(const ZydisDecodedInstruction *instruction) {
    return instruction->attributes & ZYDIS_ATTRIB_HAS_MODRM && instruction->raw.modrm.mod == 0 &&
           instruction->raw.modrm.rm == 5;
}

/* Whether the decoding with fewer operands has what a copy of the instruction needs. */
static int differences(const uint8_t *code, const struct decoded *own, const struct decoded *zydis) {
    const ZydisDecodedInstruction *a = &own->instruction, *b = &zydis->instruction;
    const ZydisDecodedOperand *memory = explicit_memory(own), *known = explicit_memory(zydis);
    int bad = 0;
#define SAME(what, is, want)                                                                                           \
    ((int64_t)(is) == (int64_t)(want) ? 0 : explain(code, b->length, what, (int64_t)(is), (int64_t)(want)))
    bad += SAME("length", a->length, b->length) + SAME("rip", is_rip_relative(a), is_rip_relative(b)) +
           SAME("memory", memory != NULL, known != NULL) + SAME("encoding", a->encoding, b->encoding) +
           SAME("opcode", a->opcode, b->opcode) + SAME("map", a->opcode_map, b->opcode_map) +
           SAME("ModRM", a->raw.modrm.offset, b->raw.modrm.offset) +
           SAME("address", a->address_width, b->address_width);
    if (bad || !memory)
        return bad;
    /* With addresses of 32 bits Zydis 4.0 takes "no base" for r13d if REX.B is set, unlike the manual (SDM 2, 2.2.1.2).
     */
    const bool no_base =
        b->address_width == 32 && b->raw.modrm.rm == 4 && b->raw.modrm.mod == 0 && b->raw.sib.base == 5;
    bad += SAME("base", memory->mem.base, no_base ? ZYDIS_REGISTER_NONE : known->mem.base) +
           SAME("segment", user_segment(memory), user_segment(known)) +
           SAME("distance", a->raw.disp.value, b->raw.disp.value) +
           SAME("its place", a->raw.disp.offset, b->raw.disp.size ? b->raw.disp.offset : a->raw.disp.offset);
    if (known->mem.type == ZYDIS_MEMOP_TYPE_MEM)
        bad += SAME("index", memory->mem.index, known->mem.index) +
               SAME("scale", memory->mem.index ? memory->mem.scale : 0, known->mem.index ? known->mem.scale : 0);
    return bad;
}

/* An encoding of VEX, EVEX, or of the legacy maps 0F38 and 0F3A, sometimes behind prefixes. */
static void draw_encoding(uint8_t code[LONGEST + 1]) {
    static const uint8_t prefixes[] = {0x64, 0x65, 0x67, 0x2e}, maps[] = {0x38, 0x3a};
    const uint64_t choice = draw();
    draw_bytes(code);
    unsigned at = 0;
    if (choice % 8 == 0)
        code[at++] = prefixes[choice >> 8 & 3];
    switch (choice >> 16 & 3) {
    case 0:
        code[at] = 0xc5;
        break;
    case 1:
        code[at] = 0xc4;
        code[at + 1] = (uint8_t)((code[at + 1] & 0xe0) | (1 + (choice >> 24) % 3));
        break;
    case 2:
        code[at] = 0x62;
        code[at + 1] = (uint8_t)((code[at + 1] & 0xf0) | (1 + (choice >> 24) % 6));
        code[at + 2] |= 4;
        break;
    default:
        if (choice >> 24 & 1)
            code[at++] = choice >> 25 & 1 ? 0x66 : 0xf2;
        if (choice >> 26 & 1)
            code[at++] = (uint8_t)(0x40 | (choice >> 27 & 15));
        code[at++] = 0x0f;
        code[at] = maps[choice >> 32 & 1];
        break;
    }
}

static void table_has_the_lengths_of_zydis(void **state) {
    enum { TIMES = 10000000 };
    unsigned both = 0, refused = 0;
    int bad = 0;
    (void)state;
    for (unsigned i = 0; i < TIMES && bad < ENOUGH; i++) {
        uint8_t code[LONGEST + 1];
        struct decoded own, zydis;
        draw_encoding(code);
        if (!by_zydis(code, sizeof code, &zydis))
            continue;
        if (alone(code, sizeof code, &own) && newer_is_by_table(&own.instruction)) {
            both++;
            bad += differences(code, &own, &zydis);
            assert_false(alone(code, own.instruction.length - 1u, &own));
        } else {
            refused += zydis.instruction.mnemonic != ZYDIS_MNEMONIC_VZEROUPPER &&
                       zydis.instruction.mnemonic != ZYDIS_MNEMONIC_VZEROALL;
        }
    }
    assert_int_equal(bad, 0);
    assert_int_equal(refused, 0);
    assert_true(both > TIMES / 20);
}

/* The register's number as REX2 extends it: bit 4. */
static bool is_raised(const ZydisDecodedOperand *operand, uint8_t payload) {
    switch (operand->encoding) {
    case ZYDIS_OPERAND_ENCODING_MODRM_REG:
        return payload & 0x40;
    case ZYDIS_OPERAND_ENCODING_MODRM_RM:
    case ZYDIS_OPERAND_ENCODING_OPCODE:
        return payload & 0x10;
    default:
        return false;
    }
}

static bool is_general(ZydisRegister reg) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    return class >= ZYDIS_REGCLASS_GPR8 && class <= ZYDIS_REGCLASS_GPR64;
}

static int rex2_differences(const uint8_t *code, uint8_t payload, const struct decoded *own,
                            const struct decoded *zydis) {
    const ZydisDecodedInstruction *b = &zydis->instruction;
    int bad = SAME("mnemonic", own->instruction.mnemonic, b->mnemonic) +
              SAME("operands", own->instruction.operand_count, b->operand_count);
    for (unsigned i = 0; i < b->operand_count && !bad; i++) {
        const ZydisDecodedOperand *is = &own->operands[i], *was = &zydis->operands[i];
        if (was->type == ZYDIS_OPERAND_TYPE_REGISTER)
            bad += SAME("register", is->reg.value,
                        is_general(was->reg.value) && is_raised(was, payload) ? NEWER_REGISTER : was->reg.value);
        if (was->type == ZYDIS_OPERAND_TYPE_MEMORY && was->encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM)
            bad += SAME("base", is->mem.base,
                        is_general(was->mem.base) && payload & 0x10 ? NEWER_REGISTER : was->mem.base);
    }
    return bad;
}

/* The same instruction with REX in place of REX2. */
static void rex2_only_extends_registers(void **state) {
    enum { TIMES = 1000000 };
    unsigned both = 0;
    int bad = 0;
    (void)state;
    for (unsigned i = 0; i < TIMES && bad < ENOUGH; i++) {
        uint8_t code[LONGEST + 1], old[LONGEST + 1];
        struct decoded own, zydis;
        draw_bytes(code);
        code[0] = 0xd5;
        const bool two = code[1] & 0x80;
        if (!two && code[2] == 0xa1)
            continue;
        old[0] = 0x40 | (code[1] & 15);
        old[1] = 0x0f;
        memcpy(old + 1 + two, code + 2, LONGEST - 2);
        if (!alone(code, LONGEST, &own))
            continue;
        both++;
        assert_true(by_zydis(old, LONGEST - !two, &zydis));
        bad += rex2_differences(code, code[1], &own, &zydis);
        bad += own.instruction.length == zydis.instruction.length + !two
                   ? 0
                   : explain(code, LONGEST, "length", own.instruction.length, zydis.instruction.length + !two);
    }
    assert_int_equal(bad, 0);
    assert_true(both > TIMES / 10);
}

/* Bytes by LLVM 19, what they are in memory, and their cost. */
static bool row_is_right(const struct newer_row *row) {
    uint8_t code[LONGEST + 1];
    struct decoded own;
    struct decoded_instruction found;
    unsigned bytes = 0;
    memset(code, 0xcc, sizeof code);
    for (const char *at = row->bytes; at[0] && bytes < LONGEST; at += 2)
        code[bytes++] = (uint8_t)strtoul((const char[]){at[0], at[1], '\0'}, NULL, 16);
    if (!newer_decode(&decoder, code, LONGEST, &own.instruction, own.operands) ||
        !instruction_decode(code, LONGEST, &found) || own.instruction.length != bytes || found.length_bytes != bytes)
        return explain(code, bytes, row->text, 0, (int64_t)bytes) == 0;
    const bool memory = explicit_memory(&own) != NULL;
    if (memory != (row->memory != '-') || is_rip_relative(&own.instruction) != (row->memory == 'r'))
        return explain(code, bytes, row->text, memory, row->memory) == 0;
    return !newer_decode(&decoder, code, bytes - 1, &own.instruction, own.operands) ||
           explain(code, bytes, "what is cut off", own.instruction.length, 0) == 0;
}

static void encodings_of_llvm_have_their_length(void **state) {
    unsigned bad = 0;
    (void)state;
    for (size_t i = 0; i < sizeof newer_rows / sizeof *newer_rows; i++)
        bad += !row_is_right(&newer_rows[i]);
    assert_int_equal(bad, 0);
}

#define DECODE(...)                                                                                                    \
    const uint8_t code[] = {__VA_ARGS__};                                                                              \
    struct decoded own;                                                                                                \
    struct decoded_instruction found;                                                                                  \
    assert_true(newer_decode(&decoder, code, sizeof code, &own.instruction, own.operands));                            \
    assert_true(instruction_decode(code, sizeof code, &found));                                                        \
    assert_int_equal(own.instruction.length, sizeof code)

static void absolute_jumps_are_branches(void **state) {
    (void)state;
    DECODE(0xd5, 0x00, 0xa1, 0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01); /* jmpabs */
    assert_true(newer_is_absolute_jump(&own.instruction));
    assert_true(own.instruction.raw.imm[0].value.u == 0x0123456789abcdef);
    assert_int_equal(found.flow, FLOW_AWAY);
    assert_false(found.effect.unknown);
}

static void two_registers_go_on_the_stack(void **state) {
    (void)state;
    {
        DECODE(0x62, 0xf4, 0x7c, 0x18, 0xff, 0xf3); /* push2 %rbx, %rax */
        assert_int_equal(found.effect.stack_store_bytes, 16);
        assert_int_equal(found.effect.store_bytes + found.effect.load_bytes + found.effect.stack_load_bytes, 0);
        assert_false(found.effect.unknown);
    }
    {
        DECODE(0x62, 0xf4, 0x7c, 0x18, 0x8f, 0xc3); /* pop2 %rbx, %rax */
        assert_int_equal(found.effect.stack_load_bytes, 16);
        assert_int_equal(found.effect.stack_store_bytes, 0);
    }
}

static void registers_of_apx_are_no_others(void **state) {
    (void)state;
    {
        DECODE(0xd5, 0x10, 0xff, 0x20); /* jmp *(%r16) */
        assert_int_equal(own.operands[0].mem.base, NEWER_REGISTER);
        assert_int_equal(own.instruction.meta.category, ZYDIS_CATEGORY_UNCOND_BR);
        assert_int_equal(found.effect.load_bytes, 8);
    }
    {
        DECODE(0xd5, 0x28, 0x8b, 0x04, 0x20); /* mov (%rax,%r20), %rax: without bit 4 it has no index */
        assert_int_equal(own.operands[1].mem.index, NEWER_REGISTER);
        assert_int_equal(own.operands[1].mem.base, ZYDIS_REGISTER_RAX);
    }
    {
        DECODE(0x62, 0xf9, 0xfd, 0x48, 0x58, 0x00); /* vaddpd (%r16), %zmm0, %zmm0 */
        assert_int_equal(explicit_memory(&own)->mem.base, NEWER_REGISTER);
        assert_int_equal(found.effect.flop, 8);
        assert_int_equal(found.effect.load_bytes, 64);
    }
    {
        DECODE(0x62, 0xf1, 0xf9, 0x48, 0x58, 0x04,
               0x00); /* vaddpd (%rax,%r16), %zmm0, %zmm0: Zydis takes it for MVEX */
        assert_int_equal(explicit_memory(&own)->mem.index, NEWER_REGISTER);
        assert_int_equal(found.effect.flop, 8);
    }
    {
        DECODE(0x62, 0xfa, 0x74, 0x0c, 0xf2, 0x00); /* {nf} andn (%r16), %ecx, %eax: an instruction of VEX until APX */
        assert_int_equal(own.instruction.mnemonic, ZYDIS_MNEMONIC_ANDN);
        assert_int_equal(explicit_memory(&own)->mem.base, NEWER_REGISTER);
        assert_null(own.instruction.cpu_flags);
    }
    {
        DECODE(0x62, 0xfc, 0x78, 0x08, 0x01, 0x04, 0x00); /* {evex} add %eax, (%r16,%r16) */
        assert_int_equal(explicit_memory(&own)->mem.base, NEWER_REGISTER);
        assert_int_equal(explicit_memory(&own)->mem.index, NEWER_REGISTER);
    }
}

static void distances_of_a_byte_count_vectors(void **state) {
    (void)state;
    DECODE(0x62, 0xf2, 0x7f, 0x48, 0x50, 0x40, 0x01); /* vpdpbssd 64(%rax), %zmm0, %zmm0 */
    assert_true(explicit_memory(&own)->mem.disp.value == 64);
    assert_int_equal(found.effect.load_bytes, 64);
}

/* Bytes in memory, loaded and stored. */
static void newer_instructions_have_the_bytes_of_their_operand(void **state) {
    static const struct {
        uint8_t code[LONGEST];
        unsigned load, store;
        bool unknown;
    } rows[] = {
        {{0xc4, 0xe2, 0x73, 0x5f, 0x00}, 16, 0, true},             /* an opcode without a meaning, by its length */
        {{0xc4, 0xe2, 0x77, 0x5f, 0x00}, 32, 0, true},             /* ymm */
        {{0xc4, 0xe2, 0x71, 0xe0, 0x00}, 4, 4, false},             /* cmpoxadd %ecx, %eax, (%rax) */
        {{0x62, 0xf4, 0x7c, 0x08, 0x01, 0x00}, 4, 4, false},       /* {evex} add %eax, (%rax) */
        {{0x62, 0xf4, 0xfc, 0x18, 0x01, 0x00}, 8, 0, false},       /* add %rax, (%rax), %rax: a new destination */
        {{0x62, 0xf4, 0x7c, 0x08, 0x38, 0x00}, 1, 0, false},       /* ccmpo %al, (%rax) */
        {{0x62, 0xf4, 0x7d, 0x08, 0x83, 0x00, 0x01}, 2, 2, false}, /* {evex} addw $1, (%rax) */
        {{0x62, 0xf4, 0x7d, 0x0c, 0x40, 0x00}, 0, 2, false},       /* cfcmovow %ax, (%rax) */
        {{0x62, 0xf4, 0x7c, 0x08, 0xf7, 0x20}, 4, 0, false},       /* {evex} mull (%rax) */
        {{0xc4, 0xe2, 0x7e, 0xb0, 0x00}, 32, 0, false},            /* vcvtneebf162ps (%rax), %ymm0 */
        {{0xc4, 0xe2, 0x7e, 0xb1, 0x00}, 2, 0, false},             /* vbcstnebf162ps (%rax), %ymm0 */
        {{0xc4, 0xe2, 0x7b, 0xda, 0x00}, 16, 0, false},            /* vsm4rnds4 (%rax), %xmm0, %xmm0 */
        {{0x62, 0xf4, 0xfc, 0x08, 0xf1, 0x00}, 8, 0, false},       /* {evex} crc32q (%rax), %rax */
        {{0x0f, 0x38, 0xfc, 0x00}, 4, 4, false},                   /* aadd %eax, (%rax) */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct decoded_instruction found;
        assert_true(instruction_decode(rows[i].code, LONGEST, &found));
        if (found.effect.load_bytes != rows[i].load || found.effect.store_bytes != rows[i].store ||
            found.effect.unknown != rows[i].unknown || found.effect.flop)
            fail_msg("row %zu: loads %u, stores %u, unknown %d", i, found.effect.load_bytes, found.effect.store_bytes,
                     found.effect.unknown);
    }
}

static void what_may_not_be_copied_is_refused(void **state) {
    static const uint8_t rows[][LONGEST] = {
        {0xc4, 0xe1, 0x78, 0x84, 0x00},             /* a jump of Knights Corner's map */
        {0xc4, 0xe4, 0x78, 0x10, 0x00},             /* VEX, map 4 */
        {0xc4, 0xe7, 0x78, 0x10, 0x00},             /* map 7, but no MSR of a constant */
        {0x62, 0xf7, 0x7c, 0x08, 0x10, 0x00},       /* likewise */
        {0x66, 0xc4, 0xe2, 0x73, 0x50, 0x00},       /* a prefix before VEX */
        {0xf0, 0xc4, 0xe2, 0x73, 0x50, 0x00},       /* lock */
        {0x48, 0xc4, 0xe2, 0x73, 0x50, 0x00},       /* REX */
        {0x62, 0xf2, 0x7f, 0x68, 0x50, 0x00},       /* a vector length that does not exist */
        {0xd5, 0x00, 0x70, 0x00},                   /* REX2 before jo */
        {0xd5, 0x00, 0xe8, 0x00, 0x00, 0x00, 0x00}, /* call */
        {0xd5, 0x80, 0x80, 0x00, 0x00, 0x00, 0x00}, /* jo */
        {0xd5, 0x00, 0x40, 0x89, 0xc0},             /* REX */
        {0xd5, 0x00, 0x0f, 0x1f, 0x00},             /* 0F, which is a bit of REX2 */
        {0x0f, 0x0a, 0x00},                         /* no instruction */
        {0x06},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct decoded_instruction found;
        if (instruction_decode(rows[i], LONGEST, &found))
            fail_msg("row %zu is decoded as %s with %u bytes", i, found.mnemonic, found.length_bytes);
    }
}

static void texts_show_bytes(void **state) {
    static const uint8_t none[] = {0xc4, 0xe2, 0x73, 0x5f, 0xc1}, dot[] = {0xc4, 0xe2, 0x73, 0x50, 0xc1},
                         add[] = {0xd5, 0x19, 0x01, 0xc0};
    char text[128];
    (void)state;
    assert_string_equal(instruction_text(none, sizeof none, 0, text, sizeof text),
                        "unknown (c4 e2 73 5f c1: VEX map 2, opcode 5f)");
    assert_string_equal(instruction_text(dot, sizeof dot, 0, text, sizeof text), "vpdpbssd xmm0, xmm1, xmm1");
    assert_string_equal(instruction_text(add, sizeof add, 0, text, sizeof text), "add (d5 19 01 c0)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_has_the_lengths_of_zydis),
        cmocka_unit_test(rex2_only_extends_registers),
        cmocka_unit_test(encodings_of_llvm_have_their_length),
        cmocka_unit_test(absolute_jumps_are_branches),
        cmocka_unit_test(two_registers_go_on_the_stack),
        cmocka_unit_test(registers_of_apx_are_no_others),
        cmocka_unit_test(distances_of_a_byte_count_vectors),
        cmocka_unit_test(newer_instructions_have_the_bytes_of_their_operand),
        cmocka_unit_test(what_may_not_be_copied_is_refused),
        cmocka_unit_test(texts_show_bytes),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
