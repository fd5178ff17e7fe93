/* SPDX-License-Identifier: BSD-3-Clause
 * Common instructions (see sequence.h): operands of 64 or 32 bits, or of 16 with the prefix 0x66; no segment prefix, no
 * address-size prefix, no lock. */
#include "sequence.h"

/* Properties of an opcode. With MODRM, some opcodes stand for several instructions, which ModRM's middle bits
 * distinguish. */
enum {
    IS = 1,         /* a common instruction */
    MODRM = 2,      /* operands by ModRM */
    BYTE = 4,       /* an 8-bit constant */
    WORD = 8,       /* a 32-bit constant; 16-bit with the prefix */
    SHORT = 16,     /* the prefix 0x66 is allowed */
    FLAGS = 32,     /* replaces the flags (decode_overwritten_flags()) */
    TO_REG = 64,    /* writes the register in ModRM's middle bits and only reads the other operand */
    FROM_BYTE = 128 /* the other operand has 8 bits */
};
#define REGS_8(...)                                                                                                    \
    __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define REGS_16(...) REGS_8(__VA_ARGS__), REGS_8(__VA_ARGS__)
#define BINARY(first)                                                                                                  \
    [first] = IS | MODRM | FLAGS, [first + 1] = IS | MODRM | SHORT | FLAGS, [first + 2] = IS | MODRM | FLAGS,          \
    [first + 3] = IS | MODRM | SHORT | FLAGS, [first + 4] = IS | BYTE | FLAGS, [first + 5] = IS | WORD | SHORT | FLAGS

static const uint8_t one_byte[256] = {
    BINARY(0x00),
    BINARY(0x08),
    BINARY(0x10),
    BINARY(0x18), /* add, or, adc, sbb */
    BINARY(0x20),
    BINARY(0x28),
    BINARY(0x30),
    BINARY(0x38),                 /* and, sub, xor, cmp */
    [0x50] = REGS_16(IS),         /* push, pop */
    [0x63] = IS | MODRM | TO_REG, /* movsxd */
    [0x68] = IS | WORD,
    [0x6a] = IS | BYTE, /* push */
    [0x69] = IS | MODRM | WORD | SHORT,
    [0x6b] = IS | MODRM | BYTE | SHORT, /* imul */
    [0x70] = REGS_16(IS | BYTE),        /* jcc */
    [0x80] = IS | MODRM | BYTE | FLAGS,
    [0x81] = IS | MODRM | WORD | SHORT | FLAGS,
    [0x83] = IS | MODRM | BYTE | SHORT | FLAGS, /* add to cmp */
    [0x84] = IS | MODRM | FLAGS,
    [0x85] = IS | MODRM | SHORT | FLAGS, /* test */
    [0x88] = IS | MODRM,
    [0x89] = IS | MODRM | SHORT,
    [0x8a] = IS | MODRM,
    [0x8b] = IS | MODRM | SHORT | TO_REG, /* mov */
    [0x8d] = IS | MODRM | TO_REG,         /* lea */
    [0x98] = IS,
    [0x99] = IS, /* cdqe, cqo */
    [0xa8] = IS | BYTE | FLAGS,
    [0xa9] = IS | WORD | SHORT | FLAGS, /* test */
    [0xb0] = REGS_8(IS | BYTE),
    [0xb8] = REGS_8(IS | WORD), /* mov */
    [0xc0] = IS | MODRM | BYTE,
    [0xc1] = IS | MODRM | BYTE | SHORT, /* shifts */
    [0xc3] = IS,                        /* ret */
    [0xc6] = IS | MODRM | BYTE,
    [0xc7] = IS | MODRM | WORD | SHORT, /* mov */
    [0xc9] = IS,                        /* leave */
    [0xd0] = IS | MODRM,
    [0xd1] = IS | MODRM | SHORT,
    [0xd2] = IS | MODRM,
    [0xd3] = IS | MODRM | SHORT, /* shifts */
    [0xe8] = IS | WORD,
    [0xe9] = IS | WORD,
    [0xeb] = IS | BYTE, /* call, jmp */
    [0xf6] = IS | MODRM,
    [0xf7] = IS | MODRM | SHORT, /* test, not, neg, mul, div */
    [0xfe] = IS | MODRM,
    [0xff] = IS | MODRM, /* inc, dec, call, jmp, push */
};

static const uint8_t two_bytes[256] = {
    [0x10] = IS | MODRM | SHORT,
    [0x11] = IS | MODRM | SHORT,
    [0x28] = IS | MODRM | SHORT,
    [0x29] = IS | MODRM | SHORT,          /* movups, movaps */
    [0x1f] = IS | MODRM | SHORT,          /* nop */
    [0x40] = REGS_16(IS | MODRM | SHORT), /* cmov */
    [0x80] = REGS_16(IS | WORD),          /* jcc */
    [0x90] = REGS_16(IS | MODRM),         /* set */
    [0xa3] = IS | MODRM | SHORT,          /* bt */
    [0xaf] = IS | MODRM | SHORT,          /* imul */
    [0xb6] = IS | MODRM | SHORT | TO_REG | FROM_BYTE,
    [0xb7] = IS | MODRM | TO_REG, /* movzx */
    [0xba] = IS | MODRM | BYTE | SHORT,
    [0xbe] = IS | MODRM | SHORT | TO_REG | FROM_BYTE,
    [0xbf] = IS | MODRM | TO_REG, /* movsx */
    [0xc8] = REGS_8(IS),          /* bswap */
};

/* The instructions of a group that are not common: one bit per value of ModRM's middle bits. 0: no group, or all are
 * common. */
static uint8_t left_out(bool two, uint8_t opcode) {
    switch (two ? 0x0f00 | opcode : opcode) {
    case 0xc0:
    case 0xc1:
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return 1 << 6; /* another encoding of sal */
    case 0xf6:
    case 0xf7:
        return 1 << 1; /* another encoding of test */
    case 0xfe:
        return 0xfc;
    case 0xff:
        return 1 << 3 | 1 << 5 | 1 << 7; /* far call, far jmp, undefined */
    case 0xc6:
    case 0xc7:
    case 0x0f1f:
        return 0xfe;
    case 0x0fba:
        return 0x0f;
    default:
        return two && (opcode & 0xf0) == 0x90 ? 0xfe : 0;
    }
}

struct encoding {
    const uint8_t *bytes;
    unsigned at, rex;
    bool two, prefix; /* opcode after 0x0f; prefix 0x66 */
    uint8_t opcode, modrm, has;
    int base, index; /* registers of a memory operand; -1: none */
};

static bool common_is_wide(const struct encoding *r) {
    return r->rex & 8;
}
static unsigned middle(const struct encoding *r) {
    return r->modrm >> 3 & 7;
}
static bool in_memory(const struct encoding *r) {
    return (r->has & MODRM) && r->modrm < 0xc0;
}

static int64_t signed_at(const uint8_t *bytes, unsigned size) {
    int8_t byte;
    int16_t word;
    int32_t twice;
    int64_t all;
    switch (size) {
    case 1:
        __builtin_memcpy(&byte, bytes, sizeof byte);
        return byte;
    case 2:
        __builtin_memcpy(&word, bytes, sizeof word);
        return word;
    case 4:
        __builtin_memcpy(&twice, bytes, sizeof twice);
        return twice;
    default:
        __builtin_memcpy(&all, bytes, sizeof all);
        return all;
    }
}

/* ModRM and the rest of the operand. */
static void common_read_operand(struct encoding *r, ZydisDecodedInstruction *out) {
    enum { NO_INDEX = 4, HAS_SIB = 4, NO_BASE = 5 };
    out->raw.modrm.offset = (uint8_t)r->at;
    r->modrm = r->bytes[r->at++];
    const unsigned mod = r->modrm >> 6, rm = r->modrm & 7;
    unsigned distance = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    out->raw.modrm.mod = mod & 3;
    out->raw.modrm.rm = rm & 7;
    r->base = r->index = -1;
    if (mod == 3)
        return;
    if (rm == HAS_SIB) {
        const uint8_t sib = r->bytes[r->at++];
        const unsigned index = (sib >> 3 & 7) | (r->rex & 2) << 2;
        r->index = index == NO_INDEX ? -1 : (int)index;
        if ((sib & 7) == NO_BASE && mod == 0)
            distance = 4;
        else
            r->base = (int)((sib & 7) | (r->rex & 1) << 3);
    } else if (mod == 0 && rm == NO_BASE) {
        distance = 4;
    } else {
        r->base = (int)(rm | (r->rex & 1) << 3);
    }
    out->raw.disp.offset = (uint8_t)r->at;
    out->raw.disp.value = distance ? signed_at(r->bytes + r->at, distance) : 0;
    r->at += distance;
}

static void read_constant(struct encoding *r, ZydisDecodedInstruction *out) {
    const bool test = !r->two && (r->opcode == 0xf6 || r->opcode == 0xf7) && middle(r) == 0,
               whole = !r->two && (r->opcode & 0xf8) == 0xb8 && common_is_wide(r);
    const bool byte = (r->has & BYTE) || (test && r->opcode == 0xf6), word = (r->has & WORD) || (test && !byte);
    const unsigned size = byte ? 1 : !word ? 0 : whole ? 8 : r->prefix && !common_is_wide(r) ? 2 : 4;
    out->raw.imm[0].size = (uint8_t)(8 * size);
    out->raw.imm[0].is_relative = false;
    out->raw.imm[0].value.s = size ? signed_at(r->bytes + r->at, size) : 0;
    r->at += size;
}

static void branch(const struct encoding *r, struct instruction *out) {
    ZydisDecodedInstruction *decoded = &out->decoded;
    const bool jumps = r->two ? (r->opcode & 0xf0) == 0x80 : (r->opcode & 0xf0) == 0x70;
    const bool indirect = !r->two && r->opcode == 0xff;
    decoded->meta.category = ZYDIS_CATEGORY_INVALID;
    if (jumps)
        decoded->meta.category = ZYDIS_CATEGORY_COND_BR;
    else if (r->two)
        return;
    else if (r->opcode == 0xc3)
        decoded->meta.category = ZYDIS_CATEGORY_RET;
    else if (r->opcode == 0xe8 || (indirect && middle(r) == 2))
        decoded->meta.category = ZYDIS_CATEGORY_CALL;
    else if (r->opcode == 0xe9 || r->opcode == 0xeb || (indirect && middle(r) == 4))
        decoded->meta.category = ZYDIS_CATEGORY_UNCOND_BR;
    else
        return;
    decoded->raw.imm[0].is_relative = decoded->raw.imm[0].size != 0;
}

static uint16_t common_overwritten_flags(const struct encoding *r) {
    const bool binary = !r->two && (r->opcode < 0x40 || r->opcode == 0x80 || r->opcode == 0x81 || r->opcode == 0x83);
    const unsigned operation = r->opcode < 0x40 ? r->opcode >> 3 : middle(r);
    const bool reads_carry = binary && (operation == 2 || operation == 3);                    /* adc, sbb */
    const bool counts = !r->two && (r->opcode == 0xfe || r->opcode == 0xff) && middle(r) < 2, /* inc, dec */
        tests =
            !r->two && (r->opcode == 0xf6 || r->opcode == 0xf7) && (middle(r) == 0 || middle(r) == 3); /* neg as well */
    if (counts || reads_carry)
        return FLAGS_BUT_CARRY;
    return (r->has & FLAGS) || tests ? FLAGS_OF_ARITHMETIC : 0;
}

/* See decode_overwritten_register(). */
static int overwritten_register(const struct encoding *r) {
    enum { RSP = 4 };
    const unsigned from = (r->modrm & 7) | (r->rex & 1) << 3, reg = middle(r) | (r->rex & 4) << 1;
    const bool high_byte = (r->has & FROM_BYTE) && !r->rex && from >= 4; /* ah to bh */
    const int read = in_memory(r) ? -1 : (int)(high_byte ? from - 4 : from);
    int written = -1;
    if ((r->prefix && !common_is_wide(r)) || (r->modrm >> 6 == 0 && (r->modrm & 7) == 5 && (r->has & MODRM)))
        return -1;
    if (!r->two && (r->opcode & 0xf8) == 0xb8)
        written = (int)((r->opcode & 7u) | (r->rex & 1) << 3);
    else if (!r->two && r->opcode == 0xc7 && !in_memory(r))
        written = (int)from;
    else if (!r->two && r->opcode == 0x89 && !in_memory(r))
        written = reg == from ? -1 : (int)from;
    else if ((r->has & TO_REG) && read != (int)reg && r->base != (int)reg && r->index != (int)reg)
        written = (int)reg;
    return written % 8 == RSP ? -1 : written;
}

/* The mnemonics that restartable_look_for() and decode_comparison() need. */
static ZydisMnemonic mnemonic(const struct encoding *r) {
    const unsigned opcode = r->opcode;
    const bool moves = (opcode & 0xf8) == 0xb8 || opcode == 0xc7,
               compares = (opcode >= 0x38 && opcode <= 0x3d) ||
                          ((opcode == 0x80 || opcode == 0x81 || opcode == 0x83) && middle(r) == 7),
               tests = opcode == 0x84 || opcode == 0x85 || opcode == 0xa8 || opcode == 0xa9 ||
                       ((opcode == 0xf6 || opcode == 0xf7) && middle(r) == 0);
    return r->two           ? ZYDIS_MNEMONIC_INVALID
           : opcode == 0x8d ? ZYDIS_MNEMONIC_LEA
           : moves          ? ZYDIS_MNEMONIC_MOV
           : compares       ? ZYDIS_MNEMONIC_CMP
           : tests          ? ZYDIS_MNEMONIC_TEST
                            : ZYDIS_MNEMONIC_INVALID;
}

static bool read_opcode(struct encoding *r) {
    r->prefix = r->bytes[0] == 0x66;
    r->at = r->prefix;
    r->rex = (r->bytes[r->at] & 0xf0) == 0x40 ? r->bytes[r->at++] : 0;
    r->two = r->bytes[r->at] == 0x0f;
    r->at += r->two;
    r->opcode = r->bytes[r->at++];
    r->has = (r->two ? two_bytes : one_byte)[r->opcode];
    return (r->has & IS) && (!r->prefix || (r->has & SHORT));
}

bool common_decode(uint64_t address, uint64_t most, struct instruction *out) {
    ZydisDecodedInstruction *decoded = &out->decoded;
    struct encoding r = {.bytes = (const uint8_t *)address, .base = -1, .index = -1};
    if (most < ZYDIS_MAX_INSTRUCTION_LENGTH || !read_opcode(&r))
        return false;
    if (r.has & MODRM)
        common_read_operand(&r, decoded);
    if ((r.has & MODRM) &&
        ((left_out(r.two, r.opcode) >> middle(&r) & 1) || (r.opcode == 0x8d && !r.two && !in_memory(&r))))
        return false;
    read_constant(&r, decoded);
    out->address = address;
    out->bytes = r.bytes;
    decoded->length = (uint8_t)r.at;
    decoded->encoding = ZYDIS_INSTRUCTION_ENCODING_LEGACY;
    decoded->mnemonic = mnemonic(&r);
    decoded->opcode = r.opcode;
    decoded->opcode_map = r.two ? ZYDIS_OPCODE_MAP_0F : ZYDIS_OPCODE_MAP_DEFAULT;
    decoded->attributes = r.has & MODRM ? ZYDIS_ATTRIB_HAS_MODRM : 0;
    decoded->address_width = 64;
    decoded->operand_count = 0;
    decoded->raw.prefix_count = 0;
    decoded->raw.rex.offset = r.prefix;
    decoded->raw.rex.X = r.rex >> 1 & 1;
    decoded->raw.rex.B = r.rex & 1;
    decoded->meta.branch_type = ZYDIS_BRANCH_TYPE_NONE;
    branch(&r, out);
    out->effect.dynamic = DYNAMIC_NONE;
    out->common = true;
    out->overwritten_flags = common_overwritten_flags(&r);
    out->in_memory = in_memory(&r);
    out->overwrites = (int8_t)overwritten_register(&r);
    return true;
}
