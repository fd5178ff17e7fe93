/* SPDX-License-Identifier: BSD-3-Clause */
#include "decode.h"

#include "asm/x86/newer.h"
#include "marks.h"

static ZydisDecoder decoder;

void decode_prepare(void) {
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

bool decode_instruction(uint64_t address, uint64_t most, struct instruction *out) {
    out->address = address;
    out->bytes = (const uint8_t *)address;
    out->common = false;
    if (most > ZYDIS_MAX_INSTRUCTION_LENGTH)
        most = ZYDIS_MAX_INSTRUCTION_LENGTH;
    if (!newer_decode(&decoder, out->bytes, most, &out->decoded, out->operands))
        return false;
    effect_find(&out->decoded, out->operands, &out->effect);
    return true;
}

bool decode_is_branch(const struct instruction *instruction) {
    switch (instruction->decoded.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
        return true;
    default:
        return instruction->decoded.mnemonic == ZYDIS_MNEMONIC_SYSCALL;
    }
}

bool decode_traps(const struct instruction *instruction) {
    return instruction->decoded.mnemonic == ZYDIS_MNEMONIC_INT3 || instruction->decoded.mnemonic == ZYDIS_MNEMONIC_INT1;
}

bool decode_is_conditional_jump(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    bool by_rcx = decoded->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && decoded->opcode >= 0xe0 && decoded->opcode <= 0xe3;
    return decoded->meta.category == ZYDIS_CATEGORY_COND_BR && !by_rcx;
}

bool decode_is_relative(const struct instruction *instruction) {
    return instruction->decoded.raw.imm[0].is_relative || newer_is_absolute_jump(&instruction->decoded);
}

uint64_t decode_branch_target(const struct instruction *instruction) {
    const uint64_t constant = instruction->decoded.raw.imm[0].value.u;
    return newer_is_absolute_jump(&instruction->decoded)
               ? constant
               : instruction->address + instruction->decoded.length + constant;
}

bool decode_is_rip_relative(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    return (decoded->attributes & ZYDIS_ATTRIB_HAS_MODRM) && decoded->raw.modrm.mod == 0 && decoded->raw.modrm.rm == 5;
}

uint64_t decode_rip_target(const struct instruction *instruction) {
    const uint64_t place =
        instruction->address + instruction->decoded.length + (uint64_t)instruction->decoded.raw.disp.value;
    return instruction->decoded.address_width == 32 ? (uint32_t)place : place;
}

bool decode_is_unknown(const struct instruction *instruction) {
    return !instruction->common && newer_is_unknown(&instruction->decoded);
}

bool decode_uses_segment(const struct instruction *instruction, uint8_t prefix) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    for (unsigned i = 0; i < decoded->raw.prefix_count; i++)
        if (decoded->raw.prefixes[i].value == prefix && decoded->raw.prefixes[i].type == ZYDIS_PREFIX_TYPE_EFFECTIVE)
            return true;
    return false;
}

/* The instruction with its operands. */
static const struct instruction *whole(const struct instruction *instruction) {
    static struct instruction again;
    if (!instruction->common)
        return instruction;
    decode_instruction(instruction->address, instruction->decoded.length, &again);
    return &again;
}

bool decode_stores(const struct instruction *common) {
    const struct instruction *instruction = whole(common);
    for (unsigned i = 0; i < instruction->decoded.operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            return true;
    }
    return decode_is_unknown(instruction);
}

static int general_register(ZydisRegister reg) {
    ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    if (class < ZYDIS_REGCLASS_GPR8 || class > ZYDIS_REGCLASS_GPR64)
        return -1;
    return ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
}

/* Whether all operands are general registers, constants and flags, or, with `or_memory`, memory that is only read. */
static bool is_in_registers(const struct instruction *instruction, bool or_memory) {
    if (instruction->common)
        return or_memory || !instruction->in_memory; /* an instruction with a decode_comparison() only reads memory */
    for (unsigned i = 0; i < instruction->decoded.operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        const bool reads = operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->actions == ZYDIS_OPERAND_ACTION_READ;
        if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE || (or_memory && reads))
            continue;
        if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER ||
            (operand->reg.value != ZYDIS_REGISTER_RFLAGS && general_register(operand->reg.value) < 0))
            return false;
    }
    return true;
}

static uint32_t overwritten_flags(const struct instruction *instruction) {
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    if (instruction->common)
        return instruction->overwritten_flags;
    const ZydisAccessedFlags *flags = decoded->cpu_flags;
    /* A shift by zero keeps the flags, a multiplication its undefined flags; a division may fault. */
    if ((decoded->meta.category != ZYDIS_CATEGORY_BINARY && decoded->meta.category != ZYDIS_CATEGORY_LOGICAL) ||
        decoded->mnemonic == ZYDIS_MNEMONIC_DIV || decoded->mnemonic == ZYDIS_MNEMONIC_IDIV || !flags)
        return 0;
    const uint32_t replaced =
        flags->modified | flags->set_0 | flags->set_1 | (flags->undefined & ZYDIS_CPUFLAG_AF); /* AF becomes 0 */
    const uint32_t overwritten = replaced & ~flags->tested & FLAGS_OF_ARITHMETIC;
    return (overwritten & FLAGS_BUT_CARRY) == FLAGS_BUT_CARRY ? overwritten : 0;
}

uint32_t decode_overwritten_flags(const struct instruction *instruction) {
    return is_in_registers(instruction, false) ? overwritten_flags(instruction) : 0;
}

uint32_t decode_flags_overwritten_by_memory(const struct instruction *instruction) {
    unsigned index;
    const bool reads = is_in_registers(instruction, true) && !decode_is_rip_relative(instruction) &&
                       decode_comparison(instruction, &index);
    return reads ? overwritten_flags(instruction) : 0;
}

/* Instructions with two operands, the first a register, have the same bits apart from the operation's. */
uint8_t decode_comparison(const struct instruction *instruction, unsigned *index) {
    enum { COMPARE = 0x38, OPERATION_BITS = 0x38, TWO_OPERANDS = 0x40, FROM_MEMORY = 2, FORM_BITS = 6 };
    const ZydisDecodedInstruction *decoded = &instruction->decoded;
    if (decoded->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY || decoded->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT ||
        !(decoded->attributes & ZYDIS_ATTRIB_HAS_MODRM))
        return 0;
    *index = decoded->raw.modrm.offset - 1u;
    if (decoded->mnemonic == ZYDIS_MNEMONIC_CMP || decoded->mnemonic == ZYDIS_MNEMONIC_TEST)
        return decoded->opcode;
    const bool fits = decoded->opcode < TWO_OPERANDS && (decoded->opcode & FORM_BITS) == FROM_MEMORY;
    return fits ? (uint8_t)((decoded->opcode & ~OPERATION_BITS) | COMPARE) : 0;
}

int decode_overwritten_register(const struct instruction *instruction) {
    static const ZydisMnemonic movers[] = {ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_MOVZX, ZYDIS_MNEMONIC_MOVSX,
                                           ZYDIS_MNEMONIC_MOVSXD, ZYDIS_MNEMONIC_LEA};
    enum { WHOLE_BITS = 32, RSP = 4 }; /* the upper half becomes 0 */
    const ZydisDecodedOperand *written = &instruction->operands[0], *read = &instruction->operands[1];
    unsigned i = 0;
    if (instruction->common)
        return instruction->overwrites;
    while (i < sizeof movers / sizeof *movers && movers[i] != instruction->decoded.mnemonic)
        i++;
    if (i == sizeof movers / sizeof *movers || written->type != ZYDIS_OPERAND_TYPE_REGISTER ||
        written->size < WHOLE_BITS || decode_is_rip_relative(instruction))
        return -1;
    const int reg = general_register(written->reg.value);
    const bool reads = read->type == ZYDIS_OPERAND_TYPE_REGISTER ? general_register(read->reg.value) == reg
                       : read->type == ZYDIS_OPERAND_TYPE_MEMORY
                           ? general_register(read->mem.base) == reg || general_register(read->mem.index) == reg
                           : false;
    return reads || reg % 8 == RSP ? -1 : reg;
}

int decode_free_register(const struct instruction *common) {
    const struct instruction *instruction = whole(common);
    static const uint8_t candidates[] = {0, 1, 2, 3, 6, 7};
    uint32_t used = newer_is_by_table(&instruction->decoded) ? ~0u : 0;
    for (unsigned i = 0; i < instruction->decoded.operand_count; i++) {
        const ZydisDecodedOperand *operand = &instruction->operands[i];
        bool memory = operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
        int registers[] = {operand->type == ZYDIS_OPERAND_TYPE_REGISTER ? general_register(operand->reg.value) : -1,
                           memory ? general_register(operand->mem.base) : -1,
                           memory ? general_register(operand->mem.index) : -1};
        for (unsigned j = 0; j < 3; j++)
            used |= registers[j] >= 0 ? 1u << registers[j] : 0;
    }
    for (unsigned i = 0; i < sizeof candidates; i++)
        if (!(used >> candidates[i] & 1))
            return candidates[i];
    return -1;
}

uint32_t decode_mark(const uint8_t *bytes, uint64_t most) {
    if (most < MARK_BYTES || bytes[0] != 0xbb || bytes[5] != 0x64 || bytes[6] != 0x67 || bytes[7] != 0x90)
        return 0;
    uint32_t number;
    __builtin_memcpy(&number, bytes + 1, sizeof number);
    return marks_know(number) ? number : 0;
}
