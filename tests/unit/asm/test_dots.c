/* SPDX-License-Identifier: BSD-3-Clause
 * Instructions that are younger than Zydis, by bytes from the manual; and all kernels once more by a second decoder,
 * that of LLVM 19, where it is installed (`deps.sh disassembler`). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dlfcn.h>

#include "asm/decode.h"
#include "asm/instruction.h"
#include "asm/kernel.h"
#include "asm/x86/effect.h"
#include "asm/x86/dots.h"
#include "asm/x86/newer.h"
#include "probe/error.h"

enum { CODE_BYTES = ZYDIS_MAX_INSTRUCTION_LENGTH, TEXT_BYTES = 128 };

static ZydisDecoder decoder;

/* One instruction after the other is written here. */
struct code {
    uint8_t bytes[CODE_BYTES];
    size_t count;
};

static bool decode(const void *bytes, size_t count, ZydisDecodedInstruction *instruction,
                   ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    return newer_decode(&decoder, bytes, count, instruction, operands) && !newer_is_by_table(instruction);
}

/* Worked out by hand from the manual: `VPDPBUUD ymm1, ymm2, [rdi+64]`: VEX.256.NP.0F38.W0 50 /r. */
static void known_bytes_have_known_costs(void **state) {
    (void)state;
    static const struct {
        struct code code;
        const char *name;
        enum element_type type;
        cpu_features feature;
        unsigned flop, load_bytes;
    } rows[] = {
        {{{0xc4, 0xe2, 0x63, 0x5c, 0xca}, 5}, "tdpfp16ps", TYPE_F16, CPU_AMX_FP16, 16 * 16 * 32 * 2, 0},
        {{{0xc4, 0xe2, 0x60, 0x6c, 0xca}, 5}, "tcmmrlfp16ps", TYPE_F16, CPU_AMX_COMPLEX, 16 * 16 * 32 * 2, 0},
        {{{0xc4, 0xe2, 0x6f, 0x50, 0xcb}, 5}, "vpdpbssd", TYPE_I8, CPU_AVX_VNNI_INT8, 64, 0},
        {{{0xc4, 0x42, 0x2b, 0x50, 0xcb}, 5}, "vpdpbssd", TYPE_I8, CPU_AVX_VNNI_INT8, 32, 0},
        {{{0xc4, 0xe2, 0x6e, 0x51, 0xcb}, 5}, "vpdpbsuds", TYPE_I8, CPU_AVX_VNNI_INT8, 64, 0},
        {{{0xc4, 0xe2, 0x6c, 0x50, 0x4f, 0x40}, 6}, "vpdpbuud", TYPE_I8, CPU_AVX_VNNI_INT8, 64, 32},
        {{{0x64, 0xc4, 0xe2, 0x6c, 0x50, 0x4f, 0x40}, 7}, "vpdpbuud", TYPE_I8, CPU_AVX_VNNI_INT8, 64, 32},
        {{{0xc4, 0xe2, 0x6d, 0xd2, 0xcb}, 5}, "vpdpwusd", TYPE_I16, CPU_AVX_VNNI_INT16, 32, 0},
        {{{0xc4, 0xe2, 0x69, 0xd2, 0x0f}, 5}, "vpdpwusd", TYPE_I16, CPU_AVX_VNNI_INT16, 16, 16},
        {{{0xc4, 0xe2, 0x6d, 0x50, 0xcb}, 5}, "vpdpbusd", TYPE_I8, CPU_AVX_VNNI, 64, 0}, /* an older one */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        struct effect effect;
        cpu_features feature = 0;
        assert_true(decode(rows[i].code.bytes, rows[i].code.count, &instruction, operands));
        effect_find(&instruction, operands, &effect);
        assert_string_equal(effect_name(&instruction), rows[i].name);
        assert_true(effect_feature(&instruction, &feature) && feature == rows[i].feature);
        assert_int_equal(instruction.length, rows[i].code.count);
        assert_int_equal(effect.type, rows[i].type);
        assert_int_equal(effect.flop, rows[i].flop);
        assert_int_equal(effect.load_bytes, rows[i].load_bytes);
        assert_int_equal(effect.sort, SORT_DOT);
    }
}

/* With W = 1, tiles of 256 bits, cut off, prefixes alone. */
static void other_bytes_are_refused(void **state) {
    (void)state;
    static const struct code rows[] = {
        {{0xc4, 0xe2, 0xe3, 0x5c, 0xca}, 5}, {{0xc4, 0xe2, 0xef, 0x50, 0xcb}, 5}, {{0xc4, 0xe2, 0x67, 0x5c, 0xca}, 5},
        {{0xc4, 0xe2, 0x63, 0x5c}, 4},       {{0xc4, 0xe2, 0x6c, 0x50, 0x4f}, 5}, {{0x64, 0x64, 0x64}, 3},
        {{0x64, 0xc4, 0xe2, 0x6c, 0x50}, 5}, {{0xc4, 0xe1, 0x6f, 0x50, 0xcb}, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (decode(rows[i].bytes, rows[i].count, &instruction, operands))
            fail_msg("row %zu is decoded as %s", i, effect_name(&instruction));
    }
}

/* The counter of programs decodes by the same table: no guess of their bytes, and no warning. With W = 1 they are none.
 */
static void programs_have_them_too(void **state) {
    (void)state;
    static const uint8_t BYTES[] = {0xc4, 0xe2, 0x6c, 0x50, 0x4f, 0x40}, TILES[] = {0xc4, 0xe2, 0x63, 0x5c, 0xca},
                         OTHER[] = {0xc4, 0xe2, 0xec, 0x50, 0x4f, 0x40};
    struct decoded_instruction found;
    char text[TEXT_BYTES];
    assert_true(instruction_decode(BYTES, sizeof BYTES, &found) && !found.effect.unknown);
    assert_string_equal(found.mnemonic, "vpdpbuud");
    assert_true(found.effect.flop == 64 && found.effect.load_bytes == 32 && found.effect.class == CLASS_FLOP_256);
    assert_string_equal(instruction_text(BYTES, sizeof BYTES, 0, text, sizeof text), "vpdpbuud ymm1, ymm2, [rdi+0x40]");
    assert_true(instruction_decode(TILES, sizeof TILES, &found) && found.effect.dynamic == DYNAMIC_TILE_PRODUCT);
    assert_string_equal(instruction_text(TILES, sizeof TILES, 0, text, sizeof text), "tdpfp16ps tmm1, tmm2, tmm3");
    assert_true(instruction_decode(OTHER, sizeof OTHER, &found) && found.effect.unknown && found.effect.flop == 0);
}

/* LLVM's disassembler (llvm-c/Disassembler.h), loaded at run time: its headers need not be there. */
static struct {
    void *context;
    size_t (*decode)(void *context, uint8_t *bytes, uint64_t count, uint64_t address, char *text, size_t text_bytes);
} llvm;

static void *llvm_symbol(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol)
        fail_msg("LLVM has no %s", name);
    return symbol;
}

static void llvm_open(void *library) {
    static const char *const PARTS[] = {"LLVMInitializeX86TargetInfo", "LLVMInitializeX86Target",
                                        "LLVMInitializeX86TargetMC", "LLVMInitializeX86Disassembler"};
    enum { INTEL_SYNTAX = 4 };
    void *(*create)(const char *triple, const char *cpu, const char *features, void *data, int tag, void *info,
                    void *lookup);
    int (*options)(void *context, uint64_t options);
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        void (*initialize)(void);
        *(void **)&initialize = llvm_symbol(library, PARTS[i]);
        initialize();
    }
    *(void **)&create = llvm_symbol(library, "LLVMCreateDisasmCPUFeatures");
    *(void **)&options = llvm_symbol(library, "LLVMSetDisasmOptions");
    *(void **)&llvm.decode = llvm_symbol(library, "LLVMDisasmInstruction");
    llvm.context =
        create("x86_64-linux-gnu", "graniterapids", "+avxvnniint8,+avxvnniint16,+amx-complex", NULL, 0, NULL, NULL);
    assert_non_null(llvm.context);
    assert_int_equal(options(llvm.context, INTEL_SYNTAX), 1);
}

static void need_llvm(void) {
    static const char *const NAMES[] = {"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES && !library && !llvm.context; i++)
        library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
    if (library)
        llvm_open(library);
    if (llvm.context)
        return;
    print_message("no libLLVM of version 19 here: `./deps.sh disassembler` installs it\n");
    skip();
}

/* Writes "vpdpbssd ymm1, ymm2, ymm3" and returns the length in bytes. */
static size_t llvm_text(const uint8_t *code, size_t bytes, char text[TEXT_BYTES]) {
    char line[TEXT_BYTES] = "";
    uint8_t copy[CODE_BYTES] = {0};
    memcpy(copy, code, bytes < CODE_BYTES ? bytes : CODE_BYTES);
    const size_t length = llvm.decode(llvm.context, copy, CODE_BYTES, 0, line, sizeof line);
    snprintf(text, TEXT_BYTES, "%s", line + strspn(line, "\t "));
    for (char *c = text; *c; c++)
        *c = *c == '\t' ? ' ' : *c;
    return length;
}

/* "vex.pp", the opcode and "ModRM" of two registers beside xmm10 or tmm3, with the length of the vector. */
static struct code encoded(unsigned prefix, unsigned opcode, bool tiles, bool wide) {
    const unsigned vvvv = tiles ? 3 : 10, length = wide ? 4 : 0;
    return (struct code){{0xc4, 0xe2, (uint8_t)((~vvvv & 15) << 3 | length | prefix), (uint8_t)opcode, 0xca}, 5};
}

/* Each row is the instruction of that name, and its operands are those of the older one. */
static void llvm_knows_every_row(void **state) {
    (void)state;
    need_llvm();
    for (size_t i = 0; i < dot_count; i++)
        for (int wide = 0; wide < 2; wide++) {
            const struct dot *row = &dot_table[i];
            const bool tiles = row->name[0] == 't';
            const struct code code = encoded(row->prefix, row->opcode, tiles, wide),
                              older = encoded(row->older_prefix, row->older_opcode, tiles, wide);
            char text[TEXT_BYTES], other[TEXT_BYTES];
            if (tiles && wide)
                continue;
            assert_int_equal(llvm_text(code.bytes, code.count, text), 5);
            assert_int_equal(llvm_text(older.bytes, older.count, other), 5);
            const size_t length = strcspn(text, " ");
            if (strlen(row->name) != length || strncmp(text, row->name, length) != 0)
                fail_msg("LLVM decodes %s as %s", row->name, text);
            const char *operands = strchr(other[0] == '{' ? strchr(other, ' ') + 1 : other, ' ');
            assert_string_equal(text + length, operands);
        }
}

/* Both decoders name conditions, and the stack of the x87, differently. */
static const char *usual_name(const char *name) {
    static const char *const OTHERS[][2] = {{"jne", "jnz"}, {"je", "jz"}, {"movabs", "mov"}};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (strcmp(OTHERS[i][0], name) == 0)
            return OTHERS[i][1];
    return name;
}

static void check_instruction(const struct kernel *kernel, const uint8_t *code, size_t length, const char *text) {
    char other[TEXT_BYTES], name[TEXT_BYTES];
    const size_t own = strcspn(text, " ");
    if (llvm_text(code, CODE_BYTES, other) != length)
        fail_msg("%s %s: %s has %zu bytes, not as LLVM's %s", kernel->name, kernel->variant, text, length, other);
    const char *instruction = other[0] == '{' ? strchr(other, ' ') + 1 : other; /* {vex} */
    snprintf(name, sizeof name, "%.*s", (int)strcspn(instruction, " "), instruction);
    const char *usual = usual_name(name);
    const bool registers = strpbrk(text, "[(") == NULL && strstr(text, "0x") == NULL && strstr(text, "st") == NULL &&
                           strcmp(usual, "clzero") != 0; /* whose rax LLVM leaves out */
    if (strlen(usual) != own || strncmp(text, usual, own) != 0 || (registers && strcmp(text, instruction) != 0))
        fail_msg("%s %s: %s is LLVM's %s", kernel->name, kernel->variant, text, other);
}

/* Compares each instruction of the loop, from its line "%6x | vpdpbssd ymm0, ymm14, ymm15". */
static size_t check_kernel(const struct kernel *kernel) {
    char *listing = NULL, *rest;
    size_t size = 0, checked = 0;
    unsigned offset = 0, next;
    struct error err;
    FILE *out = open_memstream(&listing, &size);
    assert_non_null(out);
    if (!decode_print(kernel, out, &err))
        fail_msg("%s", err.text);
    fclose(out);
    const uint8_t *code = (const uint8_t *)(uintptr_t)kernel->entry;
    const char *text = NULL;
    strtok_r(listing, "\n", &rest);
    for (const char *line = strtok_r(NULL, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        next = (unsigned)strtoul(line, NULL, 16);
        if (text)
            check_instruction(kernel, code + offset, next - offset, text);
        text = line[7] == '|' ? line + 9 : NULL;
        checked += text != NULL;
        offset = next;
    }
    free(listing);
    return checked;
}

static void llvm_decodes_every_kernel_alike(void **state) {
    (void)state;
    size_t checked = 0;
    need_llvm();
    for (size_t i = 0; i < kernel_count; i++)
        checked += check_kernel(kernel_table[i]);
    print_message("%zu instructions of %zu kernels\n", checked, kernel_count);
    assert_true(checked > 10000);
}

static int start(void **state) {
    (void)state;
    return ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ? 0 : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_bytes_have_known_costs),    cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(programs_have_them_too),          cmocka_unit_test(llvm_knows_every_row),
        cmocka_unit_test(llvm_decodes_every_kernel_alike),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
