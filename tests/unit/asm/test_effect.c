/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of instructions: a table against the manual, every possible encoding against rules derived from its name,
 * and real code, which contains only known instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <link.h>

#include "asm/x86/effect.h"
#include "tests/support/effect_rows.h"
#include "tests/support/encodings.h"

static ZydisDecoder decoder;

static bool decode(const uint8_t *code, size_t bytes, ZydisDecodedInstruction *instruction,
                   ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes, instruction, operands));
}

static int start(void **state) {
    (void)state;
    return ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ? 0 : -1;
}

/* The rows as code, one after the other; never executed. */
#define IN_SECTION(text)   __asm__(".pushsection .text.effect_rows, \"ax\", @progbits\n" text "\n.popsection")
#define AS_CODE(text, ...) IN_SECTION(".intel_syntax noprefix\n" text "\n.att_syntax");
#define AS_ROW(text, ...)  {text, {__VA_ARGS__}},
IN_SECTION(".globl effect_rows_code\neffect_rows_code:");
EFFECT_ROWS(AS_CODE)
IN_SECTION(".globl effect_rows_end\neffect_rows_end:");
extern const uint8_t effect_rows_code[], effect_rows_end[];

static const struct {
    const char *text;
    struct effect effect;
} rows[] = {EFFECT_ROWS(AS_ROW)};

/* Prints the differences. */
static bool same_effect(const char *text, const struct effect *want, const struct effect *is) {
    const struct {
        const char *name;
        unsigned want, is;
    } fields[] = {
        {"class", want->class, is->class},
        {"type", want->type, is->type},
        {"x87", want->x87, is->x87},
        {"lanes", want->lanes, is->lanes},
        {"flop", want->flop, is->flop},
        {"flop_bytes", want->flop_bytes, is->flop_bytes},
        {"load_bytes", want->load_bytes, is->load_bytes},
        {"store_bytes", want->store_bytes, is->store_bytes},
        {"stack_load_bytes", want->stack_load_bytes, is->stack_load_bytes},
        {"stack_store_bytes", want->stack_store_bytes, is->stack_store_bytes},
        {"bytes_unknown", want->bytes_unknown, is->bytes_unknown},
        {"dynamic", want->dynamic, is->dynamic},
        {"mask", want->mask, is->mask},
        {"mask2", want->mask2, is->mask2},
        {"mask_element_bytes", want->mask_element_bytes, is->mask_element_bytes},
        {"elements_most", want->elements_most, is->elements_most},
        {"element_flop", want->element_flop, is->element_flop},
        {"element_load_bytes", want->element_load_bytes, is->element_load_bytes},
        {"element_store_bytes", want->element_store_bytes, is->element_store_bytes},
    };
    bool same = true;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].want != fields[i].is) {
            print_error("%s: %s is %u, not %u\n", text, fields[i].name, fields[i].is, fields[i].want);
            same = false;
        }
    return same;
}

static void instructions_cost_what_the_manual_says(void **state) {
    (void)state;
    const uint8_t *code = effect_rows_code;
    bool same = true;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        if (!decode(code, (size_t)(effect_rows_end - code), &instruction, operands))
            fail_msg("%s can't be decoded", rows[i].text);
        effect_find(&instruction, operands, &effect);
        same = same_effect(rows[i].text, &rows[i].effect, &effect) && same;
        if ((effect_memory(&instruction, operands) != NULL) != (effect.load_bytes + effect.store_bytes > 0))
            fail_msg("%s: its operand in memory is not found, or another", rows[i].text);
        code += instruction.length;
    }
    assert_ptr_equal(code, effect_rows_end);
    assert_true(same);
}

/* The functions for other folders agree with Zydis and the tables. */
static void instructions_decode_alike(void **state) {
    (void)state;
    static const uint8_t CUT_OFF[] = {0x48}, UNKNOWN[] = {0x06};
    struct decoded_instruction found;
    for (const uint8_t *code = effect_rows_code; code < effect_rows_end; code += found.length_bytes) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        const size_t left = (size_t)(effect_rows_end - code);
        assert_true(decode(code, left, &instruction, operands) && instruction_decode(code, left, &found));
        effect_find(&instruction, operands, &effect);
        assert_int_equal(found.length_bytes, instruction.length);
        assert_string_equal(found.mnemonic, ZydisMnemonicGetString(instruction.mnemonic));
        assert_true(same_effect(found.mnemonic, &effect, &found.effect));
    }
    assert_false(instruction_decode(CUT_OFF, sizeof CUT_OFF, &found));
    assert_false(instruction_decode(UNKNOWN, sizeof UNKNOWN, &found));
}

/* The proof of kernels may rely on their own arithmetic, and only on instructions with a fixed cost. */
static void plain_is_what_kernels_may_hold(void **state) {
    (void)state;
    const uint8_t *code = effect_rows_code;
    unsigned plain_count = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        assert_true(decode(code, (size_t)(effect_rows_end - code), &instruction, operands));
        effect_find(&instruction, operands, &effect);
        code += instruction.length;
        bool plain = effect_is_plain(&instruction, &effect);
        bool never = strstr(rows[i].text, "{k1}") != NULL || effect.class == CLASS_GATHER ||
                     effect.class == CLASS_STRING || effect.sort == SORT_OTHER || effect.bytes_unknown ||
                     effect.stack_load_bytes + effect.stack_store_bytes > 0;
        bool always = !never && effect.sort != SORT_FREE;
        if ((never && plain) || (always && !plain))
            fail_msg("%s is %splain", rows[i].text, plain ? "" : "not ");
        plain_count += plain;
    }
    assert_in_range(plain_count, 50, 100);
}

/* The arithmetic in the name: (v) stem, then the type (pd, ss, …). Returns flop per lane, 0 for none. */
static unsigned named_flop(const char *mnemonic, unsigned *lane_bytes, bool *scalar) {
    static const struct {
        const char *stem; /* its start */
        bool whole;       /* its end, too */
        unsigned flop;
    } stems[] = {
        {"addsub", true, 1},  {"add", true, 1},    {"sub", true, 1},     {"mul", true, 1},    {"div", true, 1},
        {"sqrt", true, 1},    {"min", true, 1},    {"max", true, 1},     {"hadd", true, 1},   {"hsub", true, 1},
        {"dp", true, 2},      {"range", true, 1},  {"scalef", true, 1},  {"rcp", false, 1},   {"rsqrt", false, 1},
        {"exp2", true, 1},    {"4fmadd", true, 8}, {"4fnmadd", true, 8}, {"fmaddc", true, 4}, {"fcmaddc", true, 4},
        {"fmulc", true, 3},   {"fcmulc", true, 3}, {"fmadd", false, 2},  {"fmsub", false, 2}, {"fnmadd", false, 2},
        {"fnmsub", false, 2},
    };
    const char *stem = mnemonic[0] == 'v' ? mnemonic + 1 : mnemonic;
    size_t length = strlen(stem);
    if (length < 4 || strchr("ps", stem[length - 2]) == NULL || strchr("dsh", stem[length - 1]) == NULL)
        return 0;
    *scalar = stem[length - 2] == 's';
    *lane_bytes = stem[length - 1] == 'd' ? 8 : stem[length - 1] == 's' ? 4 : 2;
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        size_t stem_length = strlen(stems[i].stem);
        if (strncmp(stem, stems[i].stem, stem_length) == 0 && (!stems[i].whole || length == stem_length + 2))
            return stems[i].flop;
    }
    return 0;
}

/* Dot products have special names, and newer decoders may know more of them. */
static bool is_product(const char *name) {
    static const char *const starts[] = {"tdp", "tcmm", "tmm", "vdp", "vpdp", "vp4dp"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static void check_arithmetic(const char *name, const ZydisDecodedOperand *operands, const struct effect *effect) {
    unsigned lane_bytes = 0;
    bool scalar = false, complex = strstr(name, "ulcsh") != NULL || strstr(name, "addcsh") != NULL;
    unsigned flop = named_flop(name, &lane_bytes, &scalar);
    unsigned bytes = scalar ? lane_bytes * (complex ? 2 : 1) : operands[0].size / 8u;
    const unsigned all_flop = flop > 0 ? flop * (bytes / lane_bytes) : 0;
    const bool selects = strstr(name, "dpp") != NULL; /* an immediate selects pairs, the same in each half */
    if (flop > 0 && (selects ? effect->flop > all_flop || effect->flop % (bytes / 8) : effect->flop != all_flop))
        fail_msg("%s of %u bytes has %u flop", name, bytes, effect->flop);
    bool named = flop > 0 || is_product(name) || effect->x87 || strncmp(name, "pf", 2) == 0;
    if ((effect->flop > 0 && !named) || (effect->flop == 0 && is_product(name) && !selects))
        fail_msg("%s has %u flop", name, effect->flop);
}

static void check_consistency(const char *name, const ZydisDecodedInstruction *instruction,
                              const struct effect *effect) {
    bool masked = instruction->avx.mask.reg > ZYDIS_REGISTER_K0 && instruction->avx.mask.reg <= ZYDIS_REGISTER_K7;
    const struct {
        unsigned all, element;
    } parts[] = {
        {effect->flop, effect->element_flop},
        {effect->load_bytes, effect->element_load_bytes},
        {effect->store_bytes, effect->element_store_bytes},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (effect->elements_most > 0 && parts[i].element > 0 &&
            parts[i].element * effect->elements_most != parts[i].all)
            fail_msg("%s: %u elements of %u are not %u", name, effect->elements_most, parts[i].element, parts[i].all);
    if ((unsigned)effect->class >= CLASS_COUNT || effect_class_names[effect->class] == NULL)
        fail_msg("%s is of no class", name);
    if ((effect->dynamic == DYNAMIC_MASK) && !masked)
        fail_msg("%s has a mask that it does not have", name);
    if (masked && (effect->flop > 0 || effect->store_bytes > 0) && effect->dynamic != DYNAMIC_MASK)
        fail_msg("%s does not heed its mask", name);
    if (effect->dynamic == DYNAMIC_MASK && effect->elements_most > 64)
        fail_msg("%s has more lanes than a mask has bits", name);
    if (effect->load_bytes > 128 && effect->dynamic != DYNAMIC_TILE)
        fail_msg("%s loads %u bytes", name, effect->load_bytes);
    if ((effect->class >= CLASS_FLOP_SCALAR && effect->class <= CLASS_FLOP_TILE) != (effect->flop > 0))
        fail_msg("%s has %u flop and is of class %s", name, effect->flop, effect_class_names[effect->class]);
}

static unsigned encodings;
static bool seen[ZYDIS_MNEMONIC_MAX_VALUE + 1];

static void check_encoding(const uint8_t *code) {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct effect effect;
    if (!decode(code, ENCODING_BYTES, &instruction, operands))
        return;
    const char *name = ZydisMnemonicGetString(instruction.mnemonic);
    effect_find(&instruction, operands, &effect);
    check_consistency(name, &instruction, &effect);
    if (instruction.meta.category != ZYDIS_CATEGORY_STRINGOP)
        check_arithmetic(name, operands, &effect);
    seen[instruction.mnemonic] = true;
    encodings++;
}

static void every_encoding_keeps_the_rules(void **state) {
    (void)state;
    each_encoding(check_encoding);
    unsigned mnemonics = 0;
    for (size_t i = 0; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++)
        mnemonics += seen[i];
    print_message("%u encodings of %u mnemonics\n", encodings, mnemonics);
    assert_true(mnemonics > 1400);
}

/* Mapped code: this program and the C library. */
struct tally {
    unsigned objects, instructions, undecoded, unknown;
};

static void tally_code(struct tally *tally, const uint8_t *code, size_t bytes) {
    for (size_t at = 0; at < bytes;) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        tally->instructions++;
        if (!decode(code + at, bytes - at, &instruction, operands)) {
            tally->undecoded++;
            at++;
            continue;
        }
        at += instruction.length;
        effect_find(&instruction, operands, &effect);
        tally->unknown += effect.class == CLASS_OTHER && instruction.mnemonic != ZYDIS_MNEMONIC_NOP &&
                          instruction.mnemonic != ZYDIS_MNEMONIC_ENDBR64;
    }
}

static int tally_object(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    struct tally *tally = data;
    if (info->dlpi_name[0] != '\0' && strstr(info->dlpi_name, "/libc.so") == NULL)
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0)
            tally_code(tally, (const uint8_t *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
                       info->dlpi_phdr[i].p_memsz);
    tally->objects++;
    return 0;
}

static void real_code_holds_nothing_unknown(void **state) {
    (void)state;
    struct tally tally = {0};
    dl_iterate_phdr(tally_object, &tally);
    print_message("%u instructions, %u not decoded, %u of no class\n", tally.instructions, tally.undecoded,
                  tally.unknown);
    assert_int_equal(tally.objects, 2);
    assert_true(tally.instructions > 100000);
    assert_true(tally.undecoded * 1000 < tally.instructions);
    assert_true(tally.unknown * 100 < tally.instructions);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_cost_what_the_manual_says), cmocka_unit_test(instructions_decode_alike),
        cmocka_unit_test(plain_is_what_kernels_may_hold),         cmocka_unit_test(every_encoding_keeps_the_rules),
        cmocka_unit_test(real_code_holds_nothing_unknown),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
