/* SPDX-License-Identifier: BSD-3-Clause
 * The cost of a kernel's loop from its instruction words, and the proof against its descriptor. Knows the instructions
 * of kernels alone, and refuses others. Encodings: Arm Architecture Reference Manual, DDI 0487. A row is a class
 * of words with its cost, where one of forms_table.c is the exact text of an instruction to write. */
#include "asm/decode.h"

#include <string.h>

#include "asm/element.h"
#include "asm/proof.h"
#include "probe/error.h"

/* Where the width of an instruction's data and elements is. */
enum word_form {
    FORM_NONE,      /* neither computes nor accesses memory */
    FORM_SCALAR,    /* one element of f64, f32 or f16, by bits 23 and 22 */
    FORM_GENERAL,   /* a general register, by bit 31 */
    FORM_FLOATS,    /* 128 bits of f32 or f64, by bit 22 */
    FORM_HALVES,    /* 128 bits of f16 */
    FORM_INTEGERS,  /* 128 bits, of elements by bits 23 and 22 */
    FORM_SHIFTED,   /* 128 bits, of elements by the highest bit set of 22 to 19 */
    FORM_PRODUCTS,  /* 128 bits of the row's type */
    FORM_SVE,       /* a vector of floats, by bits 23 and 22 */
    FORM_SVE_WHOLE, /* of integers, by bits 23 and 22 */
    FORM_SVE_SHIFT, /* of integers, by the highest bit set of 23, 22, 20 and 19 */
    FORM_SVE_TYPED, /* of the row's type */
    FORM_OUTER,     /* of the row's type, into a tile: each element by each of another vector */
    FORM_ACCESS,    /* of one register, at an unsigned offset */
    FORM_NEAR,      /* at a signed offset in bytes */
    FORM_PAIR,
    FORM_SVE_ACCESS, /* a whole vector, at an offset of 9 bits in vectors */
    FORM_SVE_MASKED, /* at an offset of 4 bits */
    FORM_ZEROS,      /* a line of 64 bytes */
};

struct word_row {
    uint32_t mask, bits;
    const char *name;
    enum word_form form;
    enum sort sort;
    enum element_type type; /* if the form does not tell it */
    cpu_features needs;     /* beside those of the kernel's ISA */
};

/* In the names of products of matrices. */
#define MATRICES "mmla"

enum { NEON_BYTES = 16, PRODUCT_FLOP = 2, MATRIX_FLOP = 4 };

enum { RET_ROW }; /* the first */
static const struct word_row rows[] = {
    /* clang-format off */
    {0xfffffc1f, 0xd65f0000, "ret", FORM_NONE, SORT_FREE, 0, 0},
    {0xff000010, 0x54000000, "b.cond", FORM_NONE, SORT_FREE, 0, 0},
    {0xffffffff, 0xd503201f, "nop", FORM_NONE, SORT_FREE, 0, 0},
    {0xffe0fc00, 0x9bc07c00, "umulh", FORM_NONE, SORT_FREE, 0, 0},
    {0x7f20001f, 0x6b00001f, "cmp", FORM_GENERAL, SORT_COMPARE, 0, 0},
    {0x7f200000, 0x0b000000, "add", FORM_GENERAL, SORT_ADD, 0, 0},
    {0x7f200000, 0x4b000000, "sub", FORM_GENERAL, SORT_ADD, 0, 0},
    {0x1f800000, 0x11000000, "add #", FORM_NONE, SORT_FREE, 0, 0},
    {0x7fe0fc00, 0x1b007c00, "mul", FORM_GENERAL, SORT_MUL, 0, 0},
    {0x7fe08000, 0x1b000000, "madd", FORM_NONE, SORT_FREE, 0, 0},
    {0x7f800000, 0x53000000, "lsl/lsr #", FORM_GENERAL, SORT_SHIFT, 0, 0},
    {0x3b000000, 0x39000000, "ldr/str", FORM_ACCESS, SORT_FREE, 0, 0},
    {0x3b200c00, 0x38000000, "ldur/stur", FORM_NEAR, SORT_FREE, 0, 0},
    {0x3a000000, 0x28000000, "ldp/stp", FORM_PAIR, SORT_FREE, 0, 0},
    {0xffffffe0, 0xd50b7420, "dc zva", FORM_ZEROS, SORT_FREE, 0, CPU_DC_ZVA},

    {0xff20fc00, 0x1e202800, "fadd", FORM_SCALAR, SORT_ADD, 0, 0},
    {0xff20fc00, 0x1e203800, "fsub", FORM_SCALAR, SORT_ADD, 0, 0},
    {0xff20fc00, 0x1e200800, "fmul", FORM_SCALAR, SORT_MUL, 0, 0},
    {0xff20fc00, 0x1e201800, "fdiv", FORM_SCALAR, SORT_DIV, 0, 0},
    {0xff3ffc00, 0x1e21c000, "fsqrt", FORM_SCALAR, SORT_SQRT, 0, 0},
    {0xff000000, 0x1f000000, "fmadd", FORM_SCALAR, SORT_FMA, 0, 0},

    {0xffa0fc00, 0x4e20d400, "fadd", FORM_FLOATS, SORT_ADD, 0, 0},
    {0xffa0fc00, 0x4ea0d400, "fsub", FORM_FLOATS, SORT_ADD, 0, 0},
    {0xffa0fc00, 0x6e20dc00, "fmul", FORM_FLOATS, SORT_MUL, 0, 0},
    {0xffa0fc00, 0x6e20fc00, "fdiv", FORM_FLOATS, SORT_DIV, 0, 0},
    {0xffbffc00, 0x6ea1f800, "fsqrt", FORM_FLOATS, SORT_SQRT, 0, 0},
    {0xffa0fc00, 0x4e20cc00, "fmla", FORM_FLOATS, SORT_FMA, 0, 0},
    {0xffa0fc00, 0x4ea0cc00, "fmls", FORM_FLOATS, SORT_FMA, 0, 0},
    {0xffe0fc00, 0x4e401400, "fadd", FORM_HALVES, SORT_ADD, 0, CPU_ASIMD_HP},
    {0xffe0fc00, 0x4ec01400, "fsub", FORM_HALVES, SORT_ADD, 0, CPU_ASIMD_HP},
    {0xffe0fc00, 0x6e401c00, "fmul", FORM_HALVES, SORT_MUL, 0, CPU_ASIMD_HP},
    {0xffe0fc00, 0x6e403c00, "fdiv", FORM_HALVES, SORT_DIV, 0, CPU_ASIMD_HP},
    {0xfffffc00, 0x6ef9f800, "fsqrt", FORM_HALVES, SORT_SQRT, 0, CPU_ASIMD_HP},
    {0xffe0fc00, 0x4e400c00, "fmla", FORM_HALVES, SORT_FMA, 0, CPU_ASIMD_HP},
    {0xffe0fc00, 0x4ec00c00, "fmls", FORM_HALVES, SORT_FMA, 0, CPU_ASIMD_HP},
    {0xff20fc00, 0x4e208400, "add", FORM_INTEGERS, SORT_ADD, 0, 0},
    {0xff20fc00, 0x6e208400, "sub", FORM_INTEGERS, SORT_ADD, 0, 0},
    {0xff20fc00, 0x4e209c00, "mul", FORM_INTEGERS, SORT_MUL, 0, 0},
    {0xff20fc00, 0x6e208c00, "cmeq", FORM_INTEGERS, SORT_EQUAL, 0, 0},
    {0xff20fc00, 0x4e203400, "cmgt", FORM_INTEGERS, SORT_GREATER, 0, 0},
    {0xff80fc00, 0x4f005400, "shl", FORM_SHIFTED, SORT_SHIFT, 0, 0},
    {0xff80fc00, 0x6f000400, "ushr", FORM_SHIFTED, SORT_SHIFT, 0, 0},
    {0xffe0fc00, 0x4e809400, "sdot", FORM_PRODUCTS, SORT_DOT, TYPE_I8, CPU_ASIMD_DP},
    {0xffe0fc00, 0x6e809400, "udot", FORM_PRODUCTS, SORT_DOT, TYPE_I8, CPU_ASIMD_DP},
    {0xffe0fc00, 0x4e809c00, "usdot", FORM_PRODUCTS, SORT_DOT, TYPE_I8, CPU_I8MM},
    {0xffe0fc00, 0x4e80a400, "smmla", FORM_PRODUCTS, SORT_DOT, TYPE_I8, CPU_I8MM},
    {0xffe0fc00, 0x6e40fc00, "bfdot", FORM_PRODUCTS, SORT_DOT, TYPE_BF16, CPU_BF16},
    {0xffe0fc00, 0x6e40ec00, "bfmmla", FORM_PRODUCTS, SORT_DOT, TYPE_BF16, CPU_BF16},

    {0xff20fc00, 0x65000000, "fadd z", FORM_SVE, SORT_ADD, 0, 0},
    {0xff20fc00, 0x65000400, "fsub z", FORM_SVE, SORT_ADD, 0, 0},
    {0xff20fc00, 0x65000800, "fmul z", FORM_SVE, SORT_MUL, 0, 0},
    {0xff3fe000, 0x650d8000, "fdiv z", FORM_SVE, SORT_DIV, 0, 0},
    {0xff3fe000, 0x650da000, "fsqrt z", FORM_SVE, SORT_SQRT, 0, 0},
    {0xff20e000, 0x65200000, "fmla z", FORM_SVE, SORT_FMA, 0, 0},
    {0xff20e000, 0x65202000, "fmls z", FORM_SVE, SORT_FMA, 0, 0},
    {0xff20fc00, 0x04200000, "add z", FORM_SVE_WHOLE, SORT_ADD, 0, 0},
    {0xff20fc00, 0x04200400, "sub z", FORM_SVE_WHOLE, SORT_ADD, 0, 0},
    {0xff3fe000, 0x04100000, "mul z", FORM_SVE_WHOLE, SORT_MUL, 0, 0},
    {0xff20e010, 0x2400a000, "cmpeq z", FORM_SVE_WHOLE, SORT_EQUAL, 0, 0},
    {0xff20e010, 0x24008010, "cmpgt z", FORM_SVE_WHOLE, SORT_GREATER, 0, 0},
    {0xff20fc00, 0x04209c00, "lsl z", FORM_SVE_SHIFT, SORT_SHIFT, 0, 0},
    {0xff20fc00, 0x04209400, "lsr z", FORM_SVE_SHIFT, SORT_SHIFT, 0, 0},
    {0xffe0fc00, 0x44800000, "sdot z", FORM_SVE_TYPED, SORT_DOT, TYPE_I8, 0},
    {0xffe0fc00, 0x44800400, "udot z", FORM_SVE_TYPED, SORT_DOT, TYPE_I8, 0},
    {0xffe0fc00, 0x44c00000, "sdot z", FORM_SVE_TYPED, SORT_DOT, TYPE_I16, 0},
    {0xffe0fc00, 0x44c00400, "udot z", FORM_SVE_TYPED, SORT_DOT, TYPE_I16, 0},
    {0xffe0fc00, 0x44807800, "usdot z", FORM_SVE_TYPED, SORT_DOT, TYPE_I8, CPU_SVE_I8MM},
    {0xffe0fc00, 0x45009800, "smmla z", FORM_SVE_TYPED, SORT_DOT, TYPE_I8, CPU_SVE_I8MM},
    {0xffe0fc00, 0x64608000, "bfdot z", FORM_SVE_TYPED, SORT_DOT, TYPE_BF16, CPU_SVE_BF16},
    {0xffe0fc00, 0x6460e400, "bfmmla z", FORM_SVE_TYPED, SORT_DOT, TYPE_BF16, CPU_SVE_BF16},
    {0xffe0fc18, 0x80c00000, "fmopa", FORM_OUTER, SORT_DOT, TYPE_F64, CPU_SME_F64F64},
    {0xffe0fc1c, 0x80800000, "fmopa", FORM_OUTER, SORT_DOT, TYPE_F32, CPU_SME_F32F32},
    {0xffe0fc1c, 0x81a00000, "fmopa", FORM_OUTER, SORT_DOT, TYPE_F16, CPU_SME_F16F32},
    {0xffe0fc1c, 0x81800000, "bfmopa", FORM_OUTER, SORT_DOT, TYPE_BF16, CPU_SME_B16F32},
    {0xffe0fc1c, 0xa0800000, "smopa", FORM_OUTER, SORT_DOT, TYPE_I8, CPU_SME_I8I32},
    {0xffe0fc1c, 0xa1a00000, "umopa", FORM_OUTER, SORT_DOT, TYPE_I8, CPU_SME_I8I32},
    {0xffe0fc18, 0xa0c00000, "smopa", FORM_OUTER, SORT_DOT, TYPE_I16, CPU_SME_I16I64},
    {0xffe0fc18, 0xa1e00000, "umopa", FORM_OUTER, SORT_DOT, TYPE_I16, CPU_SME_I16I64},
    {0xffc0e000, 0x85804000, "ldr z", FORM_SVE_ACCESS, SORT_FREE, 0, 0},
    {0xffc0e000, 0xe5804000, "str z", FORM_SVE_ACCESS, SORT_FREE, 0, 0},
    {0xfff0e000, 0xa400a000, "ld1b z", FORM_SVE_MASKED, SORT_FREE, 0, 0},
    {0xfff0e000, 0xe590e000, "stnt1d z", FORM_SVE_MASKED, SORT_FREE, 0, 0},
    /* clang-format on */
};

static const struct word_row *row_of_word(uint32_t word) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((word & rows[i].mask) == rows[i].bits)
            return &rows[i];
    return NULL;
}

static unsigned word_bits(uint32_t word, unsigned first, unsigned bits) {
    return word >> first & ((1u << bits) - 1);
}

static int word_signed(uint32_t word, unsigned first, unsigned bits) {
    const int value = (int)word_bits(word, first, bits), half = 1 << (bits - 1);
    return value < half ? value : value - 2 * half;
}

/* What an instruction does. */
struct word_effect {
    const struct word_row *row;
    struct proof_step step;
    unsigned element_bytes;
    int offset_bytes; /* of an access, from its base */
};

static unsigned highest_bit(unsigned bits) {
    unsigned value = 1;
    while (bits >>= 1)
        value <<= 1;
    return value;
}

static unsigned element_bytes_of(const struct word_row *row, uint32_t word) {
    static const unsigned SCALARS[] = {4, 8, 0, 2};
    const unsigned tsz = word_bits(word, 22, 2) << 2 | word_bits(word, 19, 2);
    switch (row->form) {
    case FORM_SCALAR:
        return SCALARS[word_bits(word, 22, 2)];
    case FORM_GENERAL:
        return word_bits(word, 31, 1) ? 8 : 4;
    case FORM_FLOATS:
        return word_bits(word, 22, 1) ? 8 : 4;
    case FORM_HALVES:
        return 2;
    case FORM_INTEGERS:
    case FORM_SVE:
    case FORM_SVE_WHOLE:
        return 1u << word_bits(word, 22, 2);
    case FORM_SHIFTED:
        return highest_bit(word_bits(word, 19, 4));
    case FORM_SVE_SHIFT:
        return highest_bit(tsz);
    default:
        return element_table[row->type].bytes;
    }
}

static bool is_sve_form(enum word_form form) {
    return (form >= FORM_SVE && form <= FORM_SVE_TYPED) || form == FORM_SVE_ACCESS || form == FORM_SVE_MASKED;
}

/* Sums of a tile's row. */
static unsigned columns_of(uint32_t word, unsigned vector_bytes) {
    enum { OF_64_BITS = 1 << 22 };
    return vector_bytes / (word & OF_64_BITS ? 8 : 4);
}

static void arithmetic_of_word(uint32_t word, unsigned vector_bytes, struct word_effect *out) {
    const struct word_row *row = out->row;
    out->step.matrix = strstr(row->name, MATRICES) != NULL;
    out->element_bytes = element_bytes_of(row, word);
    out->step.outer = row->form == FORM_OUTER;
    out->step.data_bytes = row->form == FORM_SCALAR || row->form == FORM_GENERAL ? out->element_bytes
                           : is_sve_form(row->form) || out->step.outer           ? vector_bytes
                                                                                 : NEON_BYTES;
    const unsigned each = row->sort == SORT_FMA   ? 2
                          : row->sort != SORT_DOT ? 1
                          : out->step.matrix      ? MATRIX_FLOP
                                                  : PRODUCT_FLOP;
    out->step.flop = each * out->step.data_bytes / out->element_bytes;
    if (out->step.outer)
        out->step.flop *= columns_of(word, vector_bytes);
}

/* Bytes of an access, and whether it loads. */
static void access_of_word(uint32_t word, const struct kernel *kernel, struct word_effect *out) {
    const bool vector = word_bits(word, 26, 1);
    const unsigned size = word_bits(word, 30, 2), vector_bytes = kernel->isa != NULL ? kernel->isa->vector_bytes : 0;
    unsigned bytes = vector ? 1u << (size | word_bits(word, 23, 1) << 2) : 1u << size;
    bool loads = word_bits(word, 22, 1);
    out->step.accesses = 1;
    switch (out->row->form) {
    case FORM_ACCESS:
        out->offset_bytes = (int)(word_bits(word, 10, 12) * bytes);
        break;
    case FORM_NEAR:
        out->offset_bytes = word_signed(word, 12, 9);
        break;
    case FORM_PAIR:
        bytes = vector ? 4u << size : size == 0 ? 4 : 8;
        out->offset_bytes = word_signed(word, 15, 7) * (int)bytes;
        out->step.accesses = 2;
        break;
    case FORM_SVE_ACCESS:
        bytes = vector_bytes;
        loads = out->row->bits >> 30 != 3;
        out->offset_bytes = (word_signed(word, 16, 6) * 8 + (int)word_bits(word, 10, 3)) * (int)bytes;
        break;
    case FORM_SVE_MASKED: /* of a random line: a longer vector loads no more */
        loads = out->row->bits >> 30 != 3;
        bytes = loads && vector_bytes > KERNEL_LINE_BYTES ? KERNEL_LINE_BYTES : vector_bytes;
        out->offset_bytes = word_signed(word, 16, 4) * (int)vector_bytes;
        break;
    default:
        bytes = KERNEL_LINE_BYTES;
        loads = false;
    }
    out->step.data_bytes = out->row->form == FORM_ZEROS ? 0 : bytes;
    *(loads ? &out->step.load_bytes : &out->step.store_bytes) = out->step.accesses * bytes;
}

static bool word_find(uint32_t word, const struct kernel *kernel, struct word_effect *out) {
    *out = (struct word_effect){.row = row_of_word(word)};
    if (out->row == NULL)
        return false;
    out->step.sort = out->row->sort;
    if (out->row->form >= FORM_ACCESS)
        access_of_word(word, kernel, out);
    else if (out->row->form != FORM_NONE)
        arithmetic_of_word(word, kernel->isa != NULL ? kernel->isa->vector_bytes : 0, out);
    return true;
}

/* The innermost loop, as indices of words. */
struct word_loop {
    const uint32_t *words;
    size_t count, first, last;
};

/* Conditional branches: b.cond, cbz and cbnz, tbz and tbnz. 0: none. Plain ones do not count: linkers put them in place
 * of loads behind adrp (Cortex-A53, erratum 843419). */
static int64_t branch_words(uint32_t word) {
    if ((word & 0xff000010) == 0x54000000 || (word & 0x7e000000) == 0x34000000)
        return word_signed(word, 5, 19);
    return (word & 0x7e000000) == 0x36000000 ? word_signed(word, 5, 14) : 0;
}

/* Up to the first return that no branch passes; the shortest way back is the innermost loop's. */
static bool loop_find(const struct kernel *kernel, struct word_loop *out, struct error *err) {
    enum { WORDS_MOST = 1 << 16 };
    *out = (struct word_loop){.words = (const uint32_t *)(uintptr_t)kernel->entry};
    size_t farthest = 0, shortest = SIZE_MAX;
    for (size_t i = 0; i < WORDS_MOST; i++) {
        const int64_t words = branch_words(out->words[i]);
        if (words > 0 && i + (size_t)words > farthest)
            farthest = i + (size_t)words;
        if (words < 0 && (size_t)-words < shortest) {
            shortest = (size_t)-words;
            out->last = i;
            out->first = i - shortest;
        }
        if ((out->words[i] & rows[RET_ROW].mask) == rows[RET_ROW].bits && i >= farthest) {
            out->count = i + 1;
            return shortest != SIZE_MAX || error_set(err, "it has no loop");
        }
    }
    return error_set(err, "it has no end");
}

/* Where each general register points, from where another one pointed when the loop began. */
struct word_walk {
    struct {
        int root; /* -1: unknown */
        int64_t bytes;
    } registers[32];
    int base; /* the root of all accesses; -1: none yet, -2: several */
    int64_t low_bytes, high_bytes;
};

static void walk_word(struct word_walk *walk, uint32_t word, const struct word_effect *effect) {
    const unsigned to = word_bits(word, 0, 5), from = word_bits(word, 5, 5);
    if (effect->step.load_bytes + effect->step.store_bytes > 0) {
        const unsigned pointer = effect->row->form == FORM_ZEROS ? to : from;
        const int root = walk->registers[pointer].root;
        const int64_t low = walk->registers[pointer].bytes + effect->offset_bytes,
                      high = low + effect->step.load_bytes + effect->step.store_bytes;
        walk->base = root >= 0 && (walk->base == -1 || walk->base == root) ? root : -2;
        walk->low_bytes = low < walk->low_bytes ? low : walk->low_bytes;
        walk->high_bytes = high > walk->high_bytes ? high : walk->high_bytes;
        if (effect->step.load_bytes > 0 && !word_bits(word, 26, 1) && !is_sve_form(effect->row->form))
            walk->registers[to].root = -1;
    } else if ((word & 0xff800000) == 0x91000000) { /* add of an immediate, 64 bits */
        walk->registers[to] = walk->registers[from];
        walk->registers[to].bytes += (int64_t)word_bits(word, 10, 12) << (word_bits(word, 22, 1) ? 12 : 0);
    } else if (effect->row->form == FORM_GENERAL || (effect->row->form == FORM_NONE && word_bits(word, 26, 3) != 5))
        walk->registers[to].root = -1;
}

static struct proof_walk walk_result(const struct word_walk *walk) {
    const bool irregular = walk->base < 0 || walk->registers[walk->base].root != walk->base;
    return (struct proof_walk){.step_bytes = irregular ? 0 : walk->registers[walk->base].bytes,
                               .low_bytes = walk->low_bytes,
                               .high_bytes = walk->high_bytes,
                               .irregular = irregular};
}

/* The type of arithmetic that an instruction does on a kernel's elements. */
static bool has_type_of(const struct kernel *kernel, const struct word_effect *effect) {
    const struct element *type = &element_table[kernel->type];
    const enum word_form form = effect->row->form;
    const bool floats = form == FORM_SCALAR || form == FORM_FLOATS || form == FORM_HALVES || form == FORM_SVE;
    if (effect->row->sort == SORT_DOT)
        return effect->row->type == kernel->type;
    return effect->element_bytes == type->bytes && floats == !type->integer && kernel->type != TYPE_BF16;
}

/* The instruction is of the kernel's ISA, width, type and features. Additions beside the data move pointers. */
static bool word_verify(const struct kernel *kernel, const struct word_effect *effect, size_t index,
                        struct error *err) {
    const bool vectors = kernel->isa != NULL && kernel->isa->vector_bytes > 8, random = kernel->kind == KERNEL_RANDOM;
    const unsigned vector_bytes = vectors ? kernel->isa->vector_bytes : element_table[kernel->type].bytes;
    const unsigned data_bytes = random && vector_bytes > KERNEL_LINE_BYTES ? KERNEL_LINE_BYTES : vector_bytes;
    const char *name = effect->row->name;
    if (effect->step.data_bytes != 0 && effect->step.data_bytes != data_bytes)
        return error_set(err, "the %s at word %zu works on %u bytes, the kernel on %u", name, index,
                         effect->step.data_bytes, data_bytes);
    if (effect->row->sort != SORT_FREE && !has_type_of(kernel, effect))
        return error_set(err, "the %s at word %zu is not of the kernel's type", name, index);
    if (effect->row->needs & ~kernel->needs || (is_sve_form(effect->row->form) && !(kernel->needs & CPU_SVE)))
        return error_set(err, "the %s at word %zu needs %s, which the kernel does not declare", name, index,
                         effect->row->needs ? cpu_feature_name(effect->row->needs) : "sve");
    return true;
}

/* General registers hold addresses and counters, too: only kernels of integers in them compute there. */
static void ignore_pointers(const struct kernel *kernel, struct word_effect *effect) {
    const bool computes = kernel->kind == KERNEL_COMPUTE && element_table[kernel->type].integer &&
                          kernel->isa != NULL && kernel->isa->operands == ISA_SINGLE;
    static const struct word_row ADDRESS = {.name = "address", .form = FORM_NONE, .sort = SORT_FREE};
    if (effect->row->form == FORM_GENERAL && !computes)
        *effect = (struct word_effect){.row = &ADDRESS};
}

static bool loop_proven(const struct kernel *kernel, const struct word_loop *loop, struct error *err) {
    struct word_walk walk = {.base = -1};
    struct cost executed = {0};
    for (int i = 0; i < 32; i++)
        walk.registers[i].root = i;
    for (size_t i = loop->first; i <= loop->last; i++) {
        struct word_effect effect;
        if (!word_find(loop->words[i], kernel, &effect))
            return error_set(err, "the instruction %08x at word %zu is not known", loop->words[i], i);
        ignore_pointers(kernel, &effect);
        if (!word_verify(kernel, &effect, i, err))
            return false;
        walk_word(&walk, loop->words[i], &effect);
        proof_add(&executed, &effect.step);
    }
    const struct proof_walk walked = walk_result(&walk);
    return proof_of_cost(&kernel->cost, &executed, err) && proof_of_walk(kernel, &walked, err);
}

bool decode_readable(struct error *err) {
    (void)err;
    return true;
}

bool decode_verify(const struct kernel *kernel, struct error *err) {
    struct word_loop loop;
    struct error why;
    return (loop_find(kernel, &loop, &why) && loop_proven(kernel, &loop, &why)) ||
           error_set(err, "%s %s: %s", kernel->name, kernel->variant, why.text);
}

/* Prints each word, for a disassembler, and its name if the table has it. */
bool decode_print(const struct kernel *kernel, FILE *out, struct error *err) {
    struct word_loop loop;
    if (!loop_find(kernel, &loop, err))
        return false;
    fprintf(out, "%s %s:\n", kernel->name, kernel->variant);
    for (size_t i = 0; i < loop.count; i++) {
        const struct word_row *row = row_of_word(loop.words[i]);
        fprintf(out, "%6zx %c .inst 0x%08x%s%s\n", 4 * i, i >= loop.first && i <= loop.last ? '|' : ' ', loop.words[i],
                row ? " // " : "", row ? row->name : "");
    }
    return true;
}
