/* SPDX-License-Identifier: BSD-3-Clause
 * Lines of x86-64 assembly → machine code by Zydis's encoder, and the extensions that the code needs. The syntax is
 * Intel's: "xor edx, edx; div rsi". Memory has its bytes in front (a gather's of an element), "8[rdi+r9*8-16]"; a
 * branch has the distance from its end, "jmp 14". "lock" and "rep" go before the mnemonic. */
#include "asm/assemble_line.h"

#include <cpuid.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>

#include "probe/isa.h"

enum { WORD_BYTES = 32 };

static ZydisRegister register_named(const char *name) {
    for (int i = ZYDIS_REGISTER_NONE + 1; i <= ZYDIS_REGISTER_MAX_VALUE; i++) {
        const char *known = ZydisRegisterGetString((ZydisRegister)i);
        if (known && known[0] == name[0] && strcmp(known, name) == 0)
            return (ZydisRegister)i;
    }
    return ZYDIS_REGISTER_NONE;
}

static ZydisMnemonic mnemonic_named(const char *name) {
    for (int i = ZYDIS_MNEMONIC_INVALID + 1; i <= ZYDIS_MNEMONIC_MAX_VALUE; i++) {
        const char *known = ZydisMnemonicGetString((ZydisMnemonic)i);
        if (known[0] == name[0] && strcmp(known, name) == 0)
            return (ZydisMnemonic)i;
    }
    return ZYDIS_MNEMONIC_INVALID;
}

/* The next word up to one of `ends`, without spaces around it. Returns the rest. */
static const char *word(const char *at, const char *ends, char out[WORD_BYTES]) {
    at += strspn(at, " ");
    const size_t bytes = strcspn(at, ends);
    size_t used = bytes < WORD_BYTES - 1 ? bytes : WORD_BYTES - 1;
    memcpy(out, at, used);
    while (used > 0 && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
    return at + bytes;
}

/* "8[rdi+r9*8-16]" */
static bool read_memory(const char *text, ZydisEncoderOperand *out) {
    char part[WORD_BYTES];
    const char *at = strchr(text, '[') + 1;
    *out = (ZydisEncoderOperand){.type = ZYDIS_OPERAND_TYPE_MEMORY, .mem.size = (ZyanU16)atoi(text)};
    while (*at && *at != ']') {
        const bool minus = *at == '-';
        at += *at == '+' || minus;
        at = word(at, "+-]", part);
        char *times = strchr(part, '*');
        if (times)
            *times = '\0';
        const ZydisRegister named = register_named(part);
        if (named == ZYDIS_REGISTER_NONE)
            out->mem.displacement += (minus ? -1 : 1) * strtoll(part, NULL, 0);
        else if (out->mem.base == ZYDIS_REGISTER_NONE && !times)
            out->mem.base = named;
        else {
            out->mem.index = named;
            out->mem.scale = (ZyanU8)(times ? atoi(times + 1) : 1);
        }
    }
    return out->mem.base != ZYDIS_REGISTER_NONE;
}

static bool read_operand(const char *text, ZydisEncoderOperand *out) {
    if (strchr(text, '['))
        return read_memory(text, out);
    const ZydisRegister named = register_named(text);
    char *end;
    *out = (ZydisEncoderOperand){.type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = named};
    if (named != ZYDIS_REGISTER_NONE)
        return true;
    *out = (ZydisEncoderOperand){.type = ZYDIS_OPERAND_TYPE_IMMEDIATE, .imm.s = strtoll(text, &end, 0)};
    return end > text && *end == '\0';
}

/* An instruction with EVEX encoding names its mask behind the first operand: k0 means none. */
static bool encode(ZydisEncoderRequest *request, uint8_t *out, ZyanUSize *bytes) {
    const ZyanUSize room = *bytes;
    if (ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(request, out, bytes)))
        return true;
    if (request->operand_count == 0 || request->operand_count == ZYDIS_ENCODER_MAX_OPERANDS)
        return false;
    memmove(&request->operands[2], &request->operands[1], (request->operand_count - 1u) * sizeof *request->operands);
    request->operands[1] = (ZydisEncoderOperand){.type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = ZYDIS_REGISTER_K0};
    request->operand_count++;
    *bytes = room;
    return ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(request, out, bytes));
}

static const char *read_prefix(const char *at, char part[WORD_BYTES], ZydisInstructionAttributes *out) {
    at = word(at, " ;", part);
    *out = strcmp(part, "lock") == 0 ? ZYDIS_ATTRIB_HAS_LOCK : strcmp(part, "rep") == 0 ? ZYDIS_ATTRIB_HAS_REP : 0;
    return *out ? word(at, " ;", part) : at;
}

/* One instruction. Returns its length; 0: unknown. */
static size_t assemble_one(const char *text, uint8_t *out, size_t size) {
    char part[WORD_BYTES];
    ZydisEncoderRequest request = {.machine_mode = ZYDIS_MACHINE_MODE_LONG_64};
    ZyanUSize bytes = size;
    text = read_prefix(text, part, &request.prefixes);
    request.mnemonic = mnemonic_named(part);
    while (request.mnemonic != ZYDIS_MNEMONIC_INVALID) {
        text = word(text, ",;", part);
        if (part[0] == '\0')
            break;
        if (request.operand_count == ZYDIS_ENCODER_MAX_OPERANDS ||
            !read_operand(part, &request.operands[request.operand_count++]))
            return 0;
        text += *text == ',';
    }
    const bool masked =
        request.operand_count > 1 && ZydisRegisterGetClass(request.operands[1].reg.value) == ZYDIS_REGCLASS_MASK;
    if (request.operand_count == 4 && !masked && request.operands[3].type == ZYDIS_OPERAND_TYPE_REGISTER)
        request.operands[3].reg.is4 = ZYAN_TRUE; /* the selector of a blend, in the immediate byte */
    return request.mnemonic != ZYDIS_MNEMONIC_INVALID && encode(&request, out, &bytes) ? bytes : 0;
}

size_t assemble_lines(const char *text, uint8_t *out, size_t size) {
    size_t used = 0;
    while (*text) {
        const size_t bytes = assemble_one(text, out + used, size - used);
        if (bytes == 0)
            return 0;
        used += bytes;
        text += strcspn(text, ";");
        text += *text == ';';
    }
    return used;
}

/* Extensions by Zydis's names, the features that imply the system's consent, and the bit of CPUID (Intel SDM, volume
 * 2A, CPUID; AMD APM, volume 3, appendix E). Leaf 0: every x86-64 CPU has it. */
#define AVX512_LENGTHS(name, leaf, subleaf, reg, bit)                                                                  \
    {ZYDIS_ISA_SET_##name##_128, CPU_AVX512, leaf, subleaf, reg, bit},                                                 \
        {ZYDIS_ISA_SET_##name##_256, CPU_AVX512, leaf, subleaf, reg, bit}, {                                           \
        ZYDIS_ISA_SET_##name##_512, CPU_AVX512, leaf, subleaf, reg, bit                                                \
    }
enum cpuid_register { EAX, EBX, ECX, EDX };
static const struct extension_row {
    ZydisISASet set;
    cpu_features needs; /* enum cpu_feature */
    uint32_t leaf, subleaf;
    enum cpuid_register in;
    unsigned bit;
} EXTENSIONS[] = {
    {ZYDIS_ISA_SET_I86, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_I186, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_I386, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_I486REAL, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_LONGMODE, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_X87, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_FAT_NOP, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_CMOV, 0, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_SSE, CPU_SSE2, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_SSE2, CPU_SSE2, 0, 0, EAX, 0},
    {ZYDIS_ISA_SET_SSE3, CPU_SSE2, 1, 0, ECX, 0},
    {ZYDIS_ISA_SET_PCLMULQDQ, CPU_SSE2, 1, 0, ECX, 1},
    {ZYDIS_ISA_SET_SSSE3, CPU_SSE2, 1, 0, ECX, 9},
    {ZYDIS_ISA_SET_SSE4, CPU_SSE4_1, 1, 0, ECX, 19},
    {ZYDIS_ISA_SET_SSE42, CPU_SSE4_2, 1, 0, ECX, 20},
    {ZYDIS_ISA_SET_POPCNT, 0, 1, 0, ECX, 23},
    {ZYDIS_ISA_SET_AES, CPU_SSE2, 1, 0, ECX, 25},
    {ZYDIS_ISA_SET_AVX, CPU_AVX, 1, 0, ECX, 28},
    {ZYDIS_ISA_SET_F16C, CPU_AVX, 1, 0, ECX, 29},
    {ZYDIS_ISA_SET_FMA, CPU_FMA3, 1, 0, ECX, 12},
    {ZYDIS_ISA_SET_BMI1, 0, 7, 0, EBX, 3},
    {ZYDIS_ISA_SET_AVX2, CPU_AVX2, 7, 0, EBX, 5},
    {ZYDIS_ISA_SET_AVX2GATHER, CPU_AVX2, 7, 0, EBX, 5},
    {ZYDIS_ISA_SET_BMI2, 0, 7, 0, EBX, 8},
    {ZYDIS_ISA_SET_ADOX_ADCX, 0, 7, 0, EBX, 19},
    {ZYDIS_ISA_SET_SHA, CPU_SSE2, 7, 0, EBX, 29},
    {ZYDIS_ISA_SET_AVX_VNNI, CPU_AVX_VNNI, 7, 1, EAX, 4},
    {ZYDIS_ISA_SET_LZCNT, 0, 0x80000001, 0, ECX, 5},
    {ZYDIS_ISA_SET_AVX512F_128N, CPU_AVX512, 7, 0, EBX, 16},
    {ZYDIS_ISA_SET_AVX512F_KOP, CPU_AVX512, 7, 0, EBX, 16},
    {ZYDIS_ISA_SET_AVX512F_SCALAR, CPU_AVX512, 7, 0, EBX, 16},
    {ZYDIS_ISA_SET_AVX512DQ_KOP, CPU_AVX512, 7, 0, EBX, 17},
    {ZYDIS_ISA_SET_AVX512DQ_SCALAR, CPU_AVX512, 7, 0, EBX, 17},
    {ZYDIS_ISA_SET_AVX512BW_KOP, CPU_AVX512, 7, 0, EBX, 30},
    AVX512_LENGTHS(AVX512F, 7, 0, EBX, 16),
    AVX512_LENGTHS(AVX512DQ, 7, 0, EBX, 17),
    AVX512_LENGTHS(AVX512_IFMA, 7, 0, EBX, 21),
    AVX512_LENGTHS(AVX512CD, 7, 0, EBX, 28),
    AVX512_LENGTHS(AVX512BW, 7, 0, EBX, 30),
    AVX512_LENGTHS(AVX512_VBMI, 7, 0, ECX, 1),
    AVX512_LENGTHS(AVX512_VBMI2, 7, 0, ECX, 6),
    AVX512_LENGTHS(AVX512_VNNI, 7, 0, ECX, 11),
    AVX512_LENGTHS(AVX512_BITALG, 7, 0, ECX, 12),
    AVX512_LENGTHS(AVX512_VPOPCNTDQ, 7, 0, ECX, 14),
    AVX512_LENGTHS(AVX512_BF16, 7, 1, EAX, 5),
};

static const struct extension_row *extension_of(ZydisISASet set) {
    for (size_t i = 0; i < sizeof EXTENSIONS / sizeof *EXTENSIONS; i++)
        if (EXTENSIONS[i].set == set)
            return &EXTENSIONS[i];
    return NULL;
}

static bool has_extension(const struct extension_row *row) {
    uint32_t of[4] = {0};
    return row->leaf == 0 || (__get_cpuid_count(row->leaf, row->subleaf, &of[EAX], &of[EBX], &of[ECX], &of[EDX]) &&
                              (of[row->in] >> row->bit & 1) != 0);
}

/* The next instruction's extension; NULL: it is none, or of no known extension. */
static const struct extension_row *next_extension(const uint8_t *code, size_t bytes, size_t *at) {
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code + *at, bytes - *at, &instruction)))
        return NULL;
    *at += instruction.length;
    return extension_of(instruction.meta.isa_set);
}

bool assemble_runs_here(const uint8_t *code, size_t bytes, cpu_features features) {
    for (size_t at = 0; at < bytes;) {
        const struct extension_row *row = next_extension(code, bytes, &at);
        if (!row || (row->needs & ~features) != 0 || !has_extension(row))
            return false;
    }
    return true;
}

cpu_features assemble_needs(const uint8_t *code, size_t bytes) {
    cpu_features needs = 0;
    for (size_t at = 0; at < bytes;) {
        const struct extension_row *row = next_extension(code, bytes, &at);
        if (!row)
            return needs;
        needs |= row->needs;
    }
    return needs;
}
