/* SPDX-License-Identifier: BSD-3-Clause
 * The encodings of newer instructions (Intel SDM volume 2, chapter 2; Intel APX specification 355828). */
#include "newer.h"
#include "dots.h"

#include <stdint.h>

enum { LONGEST = ZYDIS_MAX_INSTRUCTION_LENGTH };

/* Kinds of encodings. */
enum { LEGACY = 1, VEX = 2, EVEX = 4 };

/* What an instruction does in memory, and to how many bytes. */
enum newer_access {
    UNKNOWN, /* most likely it loads a vector */
    READS,
    WRITES,
    UPDATES,  /* reads and writes; only reads, if it has a new destination */
    COMPUTES, /* arithmetic: bit 1 of the opcode is its direction */
    BY_GROUP, /* unary arithmetic by ModRM's middle bits: only not and neg write */
    PUSHES,   /* two registers */
    POPS      /* likewise */
};
enum size {
    OF_VECTOR, /* its length, or a broadcast element */
    OF_HALF,   /* an element of 16 bits */
    OF_OPCODE, /* a byte if the opcode's bit 0 is 0, otherwise the operand's width */
    OF_WIDTH,  /* 2, 4 or 8 bytes by prefixes */
    OF_W       /* 4 or 8 bytes */
};
enum { BY_WIDTH = 0xf0, REFUSED = 0xff }; /* instead of a constant's bytes: 2 or 4 by prefixes; no such instruction */

/* What is known of an instruction besides: none has flop. */
enum {
    NO_MORE = ZYDIS_CATEGORY_INVALID, /* not even that */
    ARITHMETIC = ZYDIS_CATEGORY_BINARY,
    CONVERTS = ZYDIS_CATEGORY_CONVERT,
    MIXES = ZYDIS_CATEGORY_SHA,
};

/* A range of opcodes of a map. All have ModRM. The first fitting row counts. */
struct form {
    uint8_t kinds, map, first, last, constant_bytes, access, size, category;
};
static const struct form forms[] = {
    {VEX | EVEX, 1, 0x70, 0x73, 1, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 1, 0x77, 0x77, REFUSED, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 1, 0x80, 0x8f, REFUSED, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 1, 0xc2, 0xc2, 1, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 1, 0xc4, 0xc6, 1, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 1, 0x00, 0xff, 0, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 2, 0xe0, 0xef, 0, UPDATES, OF_W, ARITHMETIC}, /* CMPccXADD */
    {LEGACY, 2, 0x8a, 0x8b, 0, READS, OF_OPCODE, ARITHMETIC},  /* MOVRS */
    {LEGACY, 2, 0xfc, 0xfc, 0, UPDATES, OF_W, ARITHMETIC},     /* AADD, AAND, AOR, AXOR */
    {VEX, 2, 0x72, 0x72, 0, READS, OF_VECTOR, CONVERTS},       /* AVX-NE-CONVERT */
    {VEX, 2, 0xb0, 0xb0, 0, READS, OF_VECTOR, CONVERTS},
    {VEX, 2, 0xb1, 0xb1, 0, READS, OF_HALF, CONVERTS},
    {VEX, 2, 0xcb, 0xcd, 0, READS, OF_VECTOR, MIXES}, /* SHA512 */
    {VEX, 2, 0xda, 0xda, 0, READS, OF_VECTOR, MIXES}, /* SM3, SM4 */
    {VEX, 3, 0xde, 0xde, 1, READS, OF_VECTOR, MIXES}, /* SM3 */
    {LEGACY | VEX | EVEX, 2, 0x00, 0xff, 0, UNKNOWN, OF_VECTOR, NO_MORE},
    {LEGACY | VEX | EVEX, 3, 0x00, 0xff, 1, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 5, 0x00, 0xff, 0, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 6, 0x00, 0xff, 0, UNKNOWN, OF_VECTOR, NO_MORE},
    {VEX | EVEX, 7, 0xf6, 0xf6, 4, UNKNOWN, OF_VECTOR, ARITHMETIC}, /* RDMSR, WRMSRNS of a constant */
    {VEX | EVEX, 7, 0xf8, 0xf8, 4, UNKNOWN, OF_VECTOR, ARITHMETIC}, /* URDMSR, UWRMSR of a constant */

    /* APX: instructions of the legacy maps with a new destination, without flags, under a condition. */
    {EVEX, 4, 0x24, 0x24, 1, UPDATES, OF_WIDTH, ARITHMETIC}, /* SHLD */
    {EVEX, 4, 0x2c, 0x2c, 1, UPDATES, OF_WIDTH, ARITHMETIC}, /* SHRD */
    {EVEX, 4, 0x38, 0x3b, 0, READS, OF_OPCODE, ARITHMETIC},  /* CCMP */
    {EVEX, 4, 0x00, 0x33, 0, COMPUTES, OF_OPCODE, ARITHMETIC},
    {EVEX, 4, 0x40, 0x4f, 0, UNKNOWN, OF_WIDTH, ARITHMETIC}, /* CMOV, CFCMOV, SETcc: see conditional() */
    {EVEX, 4, 0x60, 0x60, 0, READS, OF_WIDTH, ARITHMETIC},   /* MOVBE */
    {EVEX, 4, 0x61, 0x61, 0, WRITES, OF_WIDTH, ARITHMETIC},
    {EVEX, 4, 0x65, 0x65, 0, WRITES, OF_W, ARITHMETIC}, /* WRUSS */
    {EVEX, 4, 0x66, 0x66, 0, READS, OF_W, ARITHMETIC},  /* ADCX, ADOX; WRSS, which writes */
    {EVEX, 4, 0x69, 0x69, BY_WIDTH, READS, OF_WIDTH, ARITHMETIC},
    {EVEX, 4, 0x6b, 0x6b, 1, READS, OF_WIDTH, ARITHMETIC},
    {EVEX, 4, 0x81, 0x81, BY_WIDTH, UPDATES, OF_WIDTH, ARITHMETIC},
    {EVEX, 4, 0x80, 0x83, 1, UPDATES, OF_OPCODE, ARITHMETIC},
    {EVEX, 4, 0x84, 0x85, 0, READS, OF_OPCODE, ARITHMETIC}, /* CTEST */
    {EVEX, 4, 0x88, 0x88, 0, READS, OF_WIDTH, ARITHMETIC},  /* POPCNT */
    {EVEX, 4, 0x8a, 0x8b, 0, READS, OF_OPCODE, ARITHMETIC}, /* MOVRS */
    {EVEX, 4, 0x8f, 0x8f, 0, POPS, OF_WIDTH, ARITHMETIC},
    {EVEX, 4, 0xa5, 0xad, 0, UPDATES, OF_WIDTH, ARITHMETIC}, /* SHLD, SHRD */
    {EVEX, 4, 0xaf, 0xaf, 0, READS, OF_WIDTH, ARITHMETIC},
    {EVEX, 4, 0xc0, 0xc1, 1, UPDATES, OF_OPCODE, ARITHMETIC},
    {EVEX, 4, 0xd0, 0xd3, 0, UPDATES, OF_OPCODE, ARITHMETIC},
    {EVEX, 4, 0xf0, 0xf1, 0, READS, OF_OPCODE, ARITHMETIC}, /* CRC32; INVEPT, INVVPID */
    {EVEX, 4, 0xf2, 0xf2, 0, UNKNOWN, OF_VECTOR, NO_MORE},  /* INVPCID */
    {EVEX, 4, 0xf4, 0xf5, 0, READS, OF_WIDTH, ARITHMETIC},  /* TZCNT, LZCNT */
    {EVEX, 4, 0xf6, 0xf7, 0, BY_GROUP, OF_OPCODE, ARITHMETIC},
    {EVEX, 4, 0xf8, 0xf8, 0, UNKNOWN, OF_VECTOR, NO_MORE}, /* MOVDIR64B, ENQCMD, URDMSR */
    {EVEX, 4, 0xf9, 0xf9, 0, WRITES, OF_W, ARITHMETIC},    /* MOVDIRI */
    {EVEX, 4, 0xfc, 0xfc, 0, UPDATES, OF_W, ARITHMETIC},
    {EVEX, 4, 0xfe, 0xff, 0, UPDATES, OF_OPCODE, ARITHMETIC}, /* INC, DEC; PUSH2 */
};

struct newer_code {
    const uint8_t *code;
    unsigned bytes, at; /* how many may be read; the next one */
    uint8_t kind, map, opcode, modrm;
    uint8_t pp; /* 0: none, 1: 66, 2: f3, 3: f2 */
    uint8_t vector_bytes;
    uint8_t base_bits, index_bits; /* of the registers' numbers: from the prefixes */
    bool wide, has_67, broadcast;
    bool renews; /* APX: a new destination */
    bool quiet;  /* APX: no flags */
    ZydisRegister segment;
};

static bool newer_take(struct newer_code *e, uint8_t *out) {
    if (e->at == e->bytes)
        return false;
    *out = e->code[e->at++];
    return true;
}

/* Skips the legacy prefixes, but notes the effective ones. */
static uint8_t take_prefixes(struct newer_code *e) {
    uint8_t byte = 0;
    while (newer_take(e, &byte)) {
        switch (byte) {
        case 0x64:
        case 0x65:
            e->segment = byte == 0x64 ? ZYDIS_REGISTER_FS : ZYDIS_REGISTER_GS;
            break;
        case 0x67:
            e->has_67 = true;
            break;
        case 0x66:
            e->pp = e->pp ? e->pp : 1;
            break;
        case 0xf2:
        case 0xf3:
            e->pp = byte == 0xf3 ? 2 : 3;
            break;
        case 0x26:
        case 0x2e:
        case 0x36:
        case 0x3e:
            break;
        default:
            return byte;
        }
    }
    return 0;
}

static bool take_legacy(struct newer_code *e, uint8_t byte) {
    uint8_t map;
    e->kind = LEGACY;
    if ((byte & 0xf0) == 0x40) {
        e->wide = byte & 8;
        e->base_bits = (uint8_t)((byte & 1) << 3);
        e->index_bits = (uint8_t)((byte & 2) << 2);
        if (!newer_take(e, &byte))
            return false;
    }
    if (byte != 0x0f || !newer_take(e, &map) || (map != 0x38 && map != 0x3a))
        return false;
    e->map = map == 0x38 ? 2 : 3;
    return true;
}

static bool take_vex(struct newer_code *e, uint8_t byte) {
    uint8_t first = 0xe1, last;
    e->kind = VEX;
    if (e->pp || (byte == 0xc4 && !newer_take(e, &first)) || !newer_take(e, &last))
        return false;
    e->map = first & 0x1f;
    e->base_bits = (~first & 0x20) >> 2;
    e->index_bits = (~first & 0x40) >> 3;
    e->wide = byte == 0xc4 && last & 0x80;
    e->vector_bytes = last & 4 ? 32 : 16;
    e->pp = last & 3;
    return true;
}

static bool take_evex(struct newer_code *e) {
    uint8_t first, middle, last;
    e->kind = EVEX;
    if (e->pp || !newer_take(e, &first) || !newer_take(e, &middle) || !newer_take(e, &last))
        return false;
    e->map = first & 7;
    e->base_bits = (uint8_t)((~first & 0x20) >> 2 | (first & 8) << 1);
    e->index_bits = (uint8_t)((~first & 0x40) >> 3 | (~middle & 4) << 2);
    e->wide = middle & 0x80;
    e->pp = middle & 3;
    e->vector_bytes = (last & 0x60) == 0x60 ? 0 : (uint8_t)(16 << (last >> 5 & 3));
    e->broadcast = e->renews = last & 0x10;
    e->quiet = last & 4;
    return true;
}

static const struct form *find_form(const struct newer_code *e) {
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].kinds & e->kind && forms[i].map == e->map && e->opcode >= forms[i].first &&
            e->opcode <= forms[i].last)
            return &forms[i];
    return NULL;
}

static unsigned middle_bits(const struct newer_code *e) {
    return e->modrm >> 3 & 7;
}
static bool is_in_memory(const struct newer_code *e) {
    return e->modrm >> 6 != 3;
}

static unsigned width(const struct newer_code *e) {
    return e->wide ? 8 : e->pp == 1 ? 2 : 4;
}

static unsigned newer_memory_bytes(const struct newer_code *e, const struct form *form) {
    switch (form->size) {
    case OF_HALF:
        return 2;
    case OF_OPCODE:
        return e->opcode & 1 ? width(e) : 1;
    case OF_WIDTH:
        return width(e);
    case OF_W:
        return e->wide ? 8 : 4;
    default:
        break;
    }
    if (e->kind == LEGACY || e->map == 4)
        return width(e);
    return !e->broadcast ? e->vector_bytes : e->wide ? 8 : e->map >= 5 ? 2 : 4;
}

static unsigned constant_bytes(const struct newer_code *e, const struct form *form) {
    const unsigned by_width = width(e) == 2 ? 2 : 4;
    if (form->access == BY_GROUP && middle_bits(e) < 2) /* TEST */
        return e->opcode & 1 ? by_width : 1;
    return form->constant_bytes == BY_WIDTH ? by_width : form->constant_bytes;
}

/* CMOVcc, CFCMOVcc, SETcc. */
static ZydisOperandActions conditional(const struct newer_code *e) {
    const bool sets = e->pp == 3, stores = !e->renews && e->quiet;
    return sets || stores ? ZYDIS_OPERAND_ACTION_WRITE : ZYDIS_OPERAND_ACTION_READ;
}

static ZydisOperandActions actions(const struct newer_code *e, const struct form *form) {
    const bool compares = e->opcode >= 0x80 && e->opcode <= 0x83 && middle_bits(e) == 7; /* CCMP */
    bool writes = form->access == UPDATES && !compares;
    if (e->map == 4 && e->opcode >> 4 == 4)
        return conditional(e);
    if (form->access == WRITES || (e->map == 4 && e->opcode == 0x66 && e->pp == 0))
        return ZYDIS_OPERAND_ACTION_WRITE;
    if (form->access == COMPUTES)
        writes = !(e->opcode & 2);
    if (form->access == BY_GROUP)
        writes = middle_bits(e) == 2 || middle_bits(e) == 3;
    return writes && !(e->map == 4 && e->renews) ? ZYDIS_OPERAND_ACTION_READWRITE : ZYDIS_OPERAND_ACTION_READ;
}

static ZydisRegister newer_general(const struct newer_code *e, unsigned number) {
    return number > 15 ? NEWER_REGISTER
                       : ZydisRegisterEncode(e->has_67 ? ZYDIS_REGCLASS_GPR32 : ZYDIS_REGCLASS_GPR64, (ZyanU8)number);
}

/* SIB and displacement of an operand in memory. */
static bool take_address(struct newer_code *e, ZydisDecodedInstruction *out, ZydisDecodedOperandMem *mem) {
    enum { SIB = 4, NO_BASE = 5, NO_INDEX = 4 };
    const unsigned mod = e->modrm >> 6, rm = e->modrm & 7;
    unsigned bytes = mod == 1 ? 1 : mod == 2 ? 4 : 0;
    uint8_t sib = (uint8_t)rm;
    if (rm == SIB && !newer_take(e, &sib))
        return false;
    const unsigned index = (sib >> 3 & 7u) | e->index_bits;
    if (rm == SIB && index != NO_INDEX) {
        mem->index = newer_general(e, index);
        mem->scale = (ZyanU8)(1 << (sib >> 6));
    }
    if (mod == 0 && (sib & 7) == NO_BASE)
        bytes = 4;
    else
        mem->base = newer_general(e, (sib & 7u) | e->base_bits);
    if (mod == 0 && rm == NO_BASE)
        mem->base = e->has_67 ? ZYDIS_REGISTER_EIP : ZYDIS_REGISTER_RIP;
    out->raw.disp.offset = (ZyanU8)e->at;
    out->raw.disp.size = (ZyanU8)(8 * bytes);
    for (unsigned i = 0; i < bytes; i++) {
        uint8_t byte;
        if (!newer_take(e, &byte))
            return false;
        out->raw.disp.value |= (ZyanI64)byte << 8 * i;
    }
    const unsigned unused = 64 - 8 * bytes;
    if (bytes)
        out->raw.disp.value = (ZyanI64)((ZyanU64)out->raw.disp.value << unused) >> unused;
    return true;
}

static void set_memory(const struct newer_code *e, const struct form *form, const ZydisDecodedInstruction *instruction,
                       ZydisDecodedOperand *out) {
    const unsigned bytes = newer_memory_bytes(e, form);
    const bool scaled = e->kind == EVEX && e->map != 4 && form->size == OF_VECTOR && instruction->raw.disp.size == 8;
    out->type = ZYDIS_OPERAND_TYPE_MEMORY;
    out->visibility = ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
    out->actions = actions(e, form);
    out->size = out->element_size = (ZyanU16)(8 * bytes);
    out->element_count = 1;
    out->mem.type = ZYDIS_MEMOP_TYPE_MEM;
    out->mem.segment = e->segment;
    out->mem.disp.value = instruction->raw.disp.value * (scaled ? (ZyanI64)bytes : 1);
}

/* PUSH2 and POP2: both registers on the stack, as Zydis shows those of PUSH and POP. */
static bool newer_set_stack(const struct newer_code *e, const struct form *form, ZydisDecodedInstruction *out,
                            ZydisDecodedOperand *operand) {
    const bool pushes = e->map == 4 && e->opcode == 0xff && middle_bits(e) == 6;
    if (!pushes && form->access != POPS)
        return false;
    *operand = (ZydisDecodedOperand){
        .type = ZYDIS_OPERAND_TYPE_MEMORY,
        .visibility = ZYDIS_OPERAND_VISIBILITY_HIDDEN,
        .actions = pushes ? ZYDIS_OPERAND_ACTION_WRITE : ZYDIS_OPERAND_ACTION_READ,
        .size = 128,
        .element_size = 128,
        .element_count = 1,
        .mem = {.type = ZYDIS_MEMOP_TYPE_MEM, .segment = ZYDIS_REGISTER_SS, .base = ZYDIS_REGISTER_RSP}};
    out->meta.category = pushes ? ZYDIS_CATEGORY_PUSH : ZYDIS_CATEGORY_POP;
    return true;
}

/* From ModRM on. */
static bool take_rest(struct newer_code *e, const struct form *form, ZydisDecodedInstruction *out,
                      ZydisDecodedOperand *operand) {
    out->raw.modrm.offset = (ZyanU8)(e->at - 1);
    out->raw.modrm.mod = e->modrm >> 6;
    out->raw.modrm.reg = (ZyanU8)middle_bits(e);
    out->raw.modrm.rm = e->modrm & 7;
    *operand = (ZydisDecodedOperand){.type = ZYDIS_OPERAND_TYPE_UNUSED};
    if (is_in_memory(e)) {
        if (!take_address(e, out, &operand->mem))
            return false;
        set_memory(e, form, out, operand);
    }
    out->operand_count = is_in_memory(e) || newer_set_stack(e, form, out, operand);
    out->operand_count_visible = is_in_memory(e);
    e->at += constant_bytes(e, form);
    out->length = (ZyanU8)e->at;
    return e->at <= e->bytes;
}

static bool decode_by_table(struct newer_code *e, ZydisDecodedInstruction *out, ZydisDecodedOperand *operands) {
    static const ZydisInstructionEncoding encodings[] = {[LEGACY] = ZYDIS_INSTRUCTION_ENCODING_LEGACY,
                                                         [VEX] = ZYDIS_INSTRUCTION_ENCODING_VEX,
                                                         [EVEX] = ZYDIS_INSTRUCTION_ENCODING_EVEX};
    const uint8_t byte = take_prefixes(e);
    const bool known = byte == 0x62                   ? take_evex(e)
                       : byte == 0xc4 || byte == 0xc5 ? take_vex(e, byte)
                                                      : take_legacy(e, byte);
    if (!known || !newer_take(e, &e->opcode) || !newer_take(e, &e->modrm))
        return false;
    const struct form *form = find_form(e);
    if (!form || form->constant_bytes == REFUSED || (is_in_memory(e) && newer_memory_bytes(e, form) == 0))
        return false;
    *out = (ZydisDecodedInstruction){.machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
                                     .encoding = encodings[e->kind],
                                     .opcode_map = (ZydisOpcodeMap)e->map,
                                     .opcode = e->opcode,
                                     .stack_width = 64,
                                     .operand_width = (ZyanU8)(8 * width(e)),
                                     .address_width = e->has_67 ? 32 : 64,
                                     .attributes = ZYDIS_ATTRIB_HAS_MODRM};
    out->meta.category = (ZydisInstructionCategory)form->category;
    return take_rest(e, form, out, operands);
}

/* Zydis's decoding of an instruction in other bytes: `longer` says by how many bytes the code itself is longer. */
struct asked {
    const ZydisDecoder *decoder;
    uint8_t bytes[LONGEST + 1];
    unsigned count, longer;
};

static void ask_copy(struct asked *ask, unsigned at, const uint8_t *from, unsigned count) {
    for (unsigned i = 0; i < count && at + i < sizeof ask->bytes; i++)
        ask->bytes[at + i] = from[i];
    ask->count = at + count;
}

static bool ask_zydis(const struct asked *ask, ZydisDecodedInstruction *out, ZydisDecodedOperand *operands) {
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(ask->decoder, ask->bytes, ask->count, out, operands)))
        return false;
    ZyanU8 *const places[] = {&out->length,          &out->raw.modrm.offset,  &out->raw.sib.offset,
                              &out->raw.disp.offset, &out->raw.imm[0].offset, &out->raw.imm[1].offset};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        if (*places[i])
            *places[i] = (ZyanU8)(*places[i] + ask->longer);
    return out->length <= LONGEST;
}

/* Which registers' numbers are above 15. */
struct high {
    bool reg, base, index, vvvv;
};

static bool is_general(ZydisRegister reg) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    return class >= ZYDIS_REGCLASS_GPR8 && class <= ZYDIS_REGCLASS_GPR64;
}

static void raise_register(ZydisRegister *reg, bool high) {
    if (high && is_general(*reg))
        *reg = NEWER_REGISTER;
}

static void raise_operand(ZydisDecodedOperand *operand, const ZydisDecodedInstruction *instruction, struct high high) {
    enum { SIB = 4 };
    if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM) {
        raise_register(&operand->mem.base, high.base);
        raise_register(&operand->mem.index, high.index);
        if (high.index && instruction->raw.modrm.rm == SIB && operand->mem.index == ZYDIS_REGISTER_NONE) /* r20 */
            operand->mem.index = NEWER_REGISTER;
    }
    if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        const bool by_base =
            operand->encoding == ZYDIS_OPERAND_ENCODING_MODRM_RM || operand->encoding == ZYDIS_OPERAND_ENCODING_OPCODE;
        raise_register(&operand->reg.value, (by_base && high.base) ||
                                                (operand->encoding == ZYDIS_OPERAND_ENCODING_MODRM_REG && high.reg) ||
                                                (operand->encoding == ZYDIS_OPERAND_ENCODING_NDSNDD && high.vvvv));
    }
}

static void raise(ZydisDecodedInstruction *instruction, ZydisDecodedOperand *operands, struct high high) {
    for (unsigned i = 0; i < instruction->operand_count; i++)
        raise_operand(&operands[i], instruction, high);
}

/* REX2: 4 bits more than REX, and one for the map 0F. Without them Zydis knows the instruction. */

static bool rex2_allows(uint8_t payload, uint8_t opcode) {
    const unsigned row = opcode >> 4;
    if (payload & 0x80)
        return row != 3 && row != 8;
    switch (opcode) {
    case 0x0f:
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x62:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xc4:
    case 0xc5:
    case 0xd5:
    case 0xf0:
    case 0xf2:
    case 0xf3:
        return false;
    default:
        return row != 4 && row != 7 && row != 0xa && row != 0xe;
    }
}

/* jmp to a constant of 64 bits. */
static bool decode_absolute_jump(struct newer_code *e, ZydisDecodedInstruction *out) {
    enum { TARGET_BYTES = 8 };
    if (e->bytes - e->at < TARGET_BYTES || e->pp || e->has_67)
        return false;
    *out = (ZydisDecodedInstruction){
        .machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
        .length = (ZyanU8)(e->at + TARGET_BYTES),
        .opcode = 0xa1,
        .stack_width = 64,
        .operand_width = 64,
        .address_width = 64,
        .meta = {.category = ZYDIS_CATEGORY_UNCOND_BR, .branch_type = ZYDIS_BRANCH_TYPE_NEAR}};
    out->raw.imm[0].size = 8 * TARGET_BYTES;
    out->raw.imm[0].offset = (ZyanU8)e->at;
    __builtin_memcpy(&out->raw.imm[0].value.u, e->code + e->at, TARGET_BYTES);
    return true;
}

static bool decode_rex2(const ZydisDecoder *decoder, struct newer_code *e, ZydisDecodedInstruction *out,
                        ZydisDecodedOperand *operands) {
    struct asked ask = {.decoder = decoder};
    uint8_t payload, opcode;
    const unsigned at = e->at - 1;
    if (!newer_take(e, &payload) || !newer_take(e, &opcode))
        return false;
    const bool two = payload & 0x80;
    if (!two && opcode == 0xa1)
        return decode_absolute_jump(e, out);
    if (!rex2_allows(payload, opcode))
        return false;
    ask_copy(&ask, 0, e->code, at);
    ask_copy(&ask, at, (const uint8_t[]){0x40 | (payload & 0x0f), 0x0f}, 1u + two);
    ask.longer = !two;
    ask_copy(&ask, ask.count, e->code + at + 2, e->bytes - at - 2);
    if (!ask_zydis(&ask, out, operands))
        return false;
    raise(out, operands, (struct high){.reg = payload & 0x40, .base = payload & 0x10, .index = payload & 0x20});
    return true;
}

/* EVEX with the numbers of APX's registers. Without them Zydis knows the instruction, or its VEX form. */

/* Instructions on general, mask and tile registers, which had no EVEX form before APX. */
static bool is_also_vex(unsigned map, uint8_t opcode) {
    static const struct {
        uint8_t map, first, last;
    } rows[] = {{1, 0x90, 0x93}, {2, 0x49, 0x49}, {2, 0x4b, 0x4b}, {2, 0xf2, 0xf7}, {3, 0xf0, 0xf0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (map == rows[i].map && opcode >= rows[i].first && opcode <= rows[i].last)
            return true;
    return false;
}

static bool decode_as_vex(struct asked *ask, const struct newer_code *e, struct high high, ZydisDecodedInstruction *out,
                          ZydisDecodedOperand *operands) {
    enum { PREFIX_BYTES = 4 };
    const unsigned at = e->at - 1;
    const uint8_t *prefix = e->code + at;
    ask->bytes[at] = 0xc4;
    ask->bytes[at + 1] = (uint8_t)((prefix[1] & 0xe0) | (prefix[1] & 7));
    ask->bytes[at + 2] = (uint8_t)((prefix[2] & ~4) | (prefix[3] & 0x20) >> 3);
    ask_copy(ask, at + 3, prefix + PREFIX_BYTES, e->bytes - at - PREFIX_BYTES);
    ask->longer = 1;
    if (!ask_zydis(ask, out, operands))
        return false;
    out->cpu_flags = NULL; /* they may be kept */
    raise(out, operands, high);
    return true;
}

static bool decode_evex(const ZydisDecoder *decoder, const struct newer_code *e, ZydisDecodedInstruction *out,
                        ZydisDecodedOperand *operands) {
    enum { PREFIX_BYTES = 4, LEAST = PREFIX_BYTES + 2, NO_R4 = 0x10, B4 = 8, NO_X4 = 4 };
    struct asked ask = {.decoder = decoder};
    const unsigned at = e->at - 1;
    if (e->bytes - at < LEAST || e->pp)
        return false;
    const uint8_t first = e->code[at + 1], middle = e->code[at + 2], last = e->code[at + 3];
    const bool memory = e->code[at + LEAST - 1] < 0xc0;
    struct high high = {!(first & NO_R4), first & B4, memory && !(middle & NO_X4), !(last & 8)};
    ask_copy(&ask, 0, e->code, e->bytes);
    if (is_also_vex(first & 7, e->code[at + PREFIX_BYTES]))
        return decode_as_vex(&ask, e, high, out, operands);
    if ((first & 7) == 4 || (!memory && !(middle & NO_X4)))
        return false;
    ask.bytes[at + 1] = (uint8_t)(first & ~B4);
    ask.bytes[at + 2] = middle | NO_X4;
    high.vvvv = false;
    if ((high.base || high.index) && ask_zydis(&ask, out, operands)) { /* bit 4 of a vector's number is Zydis's */
        raise(out, operands, high);
        return true;
    }
    ask.bytes[at + 1] |= NO_R4;
    if (!high.reg || !ask_zydis(&ask, out, operands))
        return false;
    const bool is_reg = operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && is_general(operands[0].reg.value);
    raise(out, operands, high);
    return is_reg && operands[0].reg.value == NEWER_REGISTER;
}

/* Dot products (dots.h): VEX of three bytes in map 0F38 with W = 0 ends in vvvv, L and pp, and the opcode follows. One
 * looks like the older one that it resembles, but has its own prefix and opcode, and so its own effect. */
static bool decode_dot(const ZydisDecoder *decoder, const struct newer_code *e, ZydisDecodedInstruction *out,
                       ZydisDecodedOperand *operands) {
    enum { MAP = 0x1f, MAP_0F38 = 2, W = 0x80, PP = 3, SHORTEST = 5 };
    struct asked ask = {.decoder = decoder};
    const unsigned at = e->at - 1;
    if (e->bytes - at < SHORTEST || e->pp || (e->code[at + 1] & MAP) != MAP_0F38 || e->code[at + 2] & W)
        return false;
    const struct dot *dot = dot_find(e->code[at + 2] & PP, e->code[at + 3]);
    if (!dot)
        return false;
    ask_copy(&ask, 0, e->code, e->bytes);
    ask.bytes[at + 2] = (uint8_t)((ask.bytes[at + 2] & ~PP) | dot->older_prefix);
    ask.bytes[at + 3] = dot->older_opcode;
    if (!ask_zydis(&ask, out, operands))
        return false;
    out->raw.vex.pp = dot->prefix;
    out->opcode = dot->opcode;
    return true;
}

/* Where APX has a bit of a register's number, Zydis sees the vectors of Knights Corner (MVEX), which is no such CPU. */
bool newer_by_zydis(const ZydisDecoder *decoder, const void *code, size_t code_bytes, ZydisDecodedInstruction *out,
                    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    return ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder, code, code_bytes, out, operands)) &&
           (out->meta.isa_ext < ZYDIS_ISA_EXT_KNC || out->meta.isa_ext > ZYDIS_ISA_EXT_KNCV);
}

bool newer_decode_alone(const ZydisDecoder *decoder, const void *code, size_t code_bytes, ZydisDecodedInstruction *out,
                        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    const struct newer_code start = {
        .code = code, .bytes = code_bytes < LONGEST ? (unsigned)code_bytes : LONGEST, .segment = ZYDIS_REGISTER_DS};
    struct newer_code e = start;
    const uint8_t byte = take_prefixes(&e);
    if (byte == 0xd5)
        return decode_rex2(decoder, &e, out, operands);
    if (byte == 0xc4 && decode_dot(decoder, &e, out, operands))
        return true;
    if (byte == 0x62 && decode_evex(decoder, &e, out, operands))
        return true;
    e = start;
    return decode_by_table(&e, out, operands);
}

bool newer_decode(const ZydisDecoder *decoder, const void *code, size_t code_bytes, ZydisDecodedInstruction *out,
                  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT]) {
    return newer_by_zydis(decoder, code, code_bytes, out, operands) ||
           newer_decode_alone(decoder, code, code_bytes, out, operands);
}
