/* SPDX-License-Identifier: BSD-3-Clause
 * What an instruction of x86-64 asks of a core (see asm/incore/demand.h), from Zydis's decoding. */
#include "asm/incore/demand.h"

#include <stdio.h>
#include <string.h>

#include "asm/x86/effect.h"

/* Register numbers of a demand. LOCK is none: each atomic instruction waits for the one before it. */
enum { GENERAL = 1, VECTOR = GENERAL + 16, MASK = VECTOR + 32, CARRY = MASK + 8, FLAGS, LOCK };
_Static_assert((int)LOCK < DEMAND_STACK, "each has a number of its own");

struct decoded {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    struct effect effect;
};

/* 0: a register that carries no data of a program's loop. */
static unsigned register_number(ZydisRegister reg) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    const bool is_whole = class == ZYDIS_REGCLASS_MASK || class == ZYDIS_REGCLASS_X87; /* Zydis names none for these */
    const ZydisRegister whole = is_whole ? reg : ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
    const unsigned id = (unsigned)ZydisRegisterGetId(whole);
    switch (ZydisRegisterGetClass(whole)) {
    case ZYDIS_REGCLASS_GPR64:
        return GENERAL + id;
    case ZYDIS_REGCLASS_XMM:
    case ZYDIS_REGCLASS_YMM:
    case ZYDIS_REGCLASS_ZMM:
        return VECTOR + id;
    case ZYDIS_REGCLASS_MASK:
        return MASK + id;
    case ZYDIS_REGCLASS_X87:
        return DEMAND_STACK + id;
    default:
        return 0;
    }
}

bool demand_kept_by_calls(unsigned number) {
    static const ZydisRegister kept[] = {ZYDIS_REGISTER_RBX, ZYDIS_REGISTER_RSP, ZYDIS_REGISTER_RBP, ZYDIS_REGISTER_R12,
                                         ZYDIS_REGISTER_R13, ZYDIS_REGISTER_R14, ZYDIS_REGISTER_R15};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (register_number(kept[i]) == number)
            return true;
    return number == 0 || number == LOCK;
}

static void add_register(struct demand_registers *to, unsigned number) {
    for (unsigned i = 0; i < to->count; i++)
        if (to->of[i] == number)
            return;
    if (number > 0 && to->count < DEMAND_REGISTERS_MOST)
        to->of[to->count++] = (uint8_t)number;
}

static bool is_x87(const struct decoded *in) {
    return in->instruction.meta.isa_ext == ZYDIS_ISA_EXT_X87;
}

/* An exchange with memory is atomic without the prefix, too. */
static bool is_atomic(const struct decoded *in) {
    return (in->instruction.attributes & ZYDIS_ATTRIB_HAS_LOCK) != 0 ||
           (in->instruction.mnemonic == ZYDIS_MNEMONIC_XCHG && in->effect.store_bytes > 0);
}

static bool is_shift_count(const struct decoded *in, const ZydisDecodedOperand *operand) {
    return operand->reg.value == ZYDIS_REGISTER_CL && operand != in->operands;
}

static char register_letter(const struct decoded *in, const ZydisDecodedOperand *operand) {
    static const struct {
        ZydisRegisterClass class;
        char letter;
    } letters[] = {{ZYDIS_REGCLASS_GPR8, 'b'},  {ZYDIS_REGCLASS_GPR16, 'w'}, {ZYDIS_REGCLASS_GPR32, 'd'},
                   {ZYDIS_REGCLASS_GPR64, 'q'}, {ZYDIS_REGCLASS_XMM, 'x'},   {ZYDIS_REGCLASS_YMM, 'y'},
                   {ZYDIS_REGCLASS_ZMM, 'z'},   {ZYDIS_REGCLASS_MASK, 'k'}};
    if (is_shift_count(in, operand))
        return 'c';
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i].class == ZydisRegisterGetClass(operand->reg.value))
            return letters[i].letter;
    return 'f';
}

static char memory_letter(const ZydisDecodedOperand *operand) {
    const ZydisDecodedOperandMem *mem = &operand->mem;
    if (mem->type != ZYDIS_MEMOP_TYPE_AGEN)
        return 'm';
    const bool three = mem->base != ZYDIS_REGISTER_NONE && mem->index != ZYDIS_REGISTER_NONE && mem->disp.value != 0;
    const bool scaled = mem->index != ZYDIS_REGISTER_NONE && mem->scale > 1;
    return scaled ? (three ? 'S' : 's') : three ? 'A' : 'a';
}

static void set_form(const struct decoded *in, struct instruction_demand *out) {
    char letters[ZYDIS_MAX_OPERAND_COUNT + 1] = "";
    size_t count = 0;
    for (unsigned i = 0; i < in->instruction.operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &in->operands[i];
        if (operand->encoding == ZYDIS_OPERAND_ENCODING_MASK)
            continue;
        if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER)
            letters[count++] = register_letter(in, operand);
        else if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
            letters[count++] = memory_letter(operand);
        else if (operand->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !operand->imm.is_relative)
            letters[count++] = 'i';
    }
    letters[count] = '\0';
    const ZydisInstructionAttributes attributes = in->instruction.attributes,
                                     repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    snprintf(out->form, sizeof out->form, "%s%s%s%s",
             is_atomic(in)          ? "lock-"
             : attributes & repeats ? "rep-"
                                    : "",
             ZydisMnemonicGetString(in->instruction.mnemonic), count ? " " : "", letters);
    char data = 'q';
    for (size_t i = count; i-- > 0;)
        if (letters[i] >= 'x')
            data = letters[i];
    const unsigned bytes =
        in->effect.load_bytes > in->effect.store_bytes ? in->effect.load_bytes : in->effect.store_bytes;
    out->data = is_x87(in) ? 'f' : data == 'q' ? 'q' : bytes > 32 ? 'z' : bytes > 16 ? 'y' : bytes > 0 ? 'x' : data;
}

static bool is_stack_pointer(const ZydisDecodedOperand *operand) {
    return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           register_number(operand->reg.value) == register_number(ZYDIS_REGISTER_RSP);
}

static bool demand_is_one_of(ZydisMnemonic mnemonic, const ZydisMnemonic *of, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (of[i] == mnemonic)
            return true;
    return false;
}

/* Scalar instructions without VEX keep the upper part of their destination (bit scans: all, if they find no bit), and
 * a core waits for it. */
static bool merges_upper(const struct decoded *in) {
    static const ZydisMnemonic merging[] = {
        ZYDIS_MNEMONIC_CVTSI2SD, ZYDIS_MNEMONIC_CVTSI2SS, ZYDIS_MNEMONIC_CVTSD2SS, ZYDIS_MNEMONIC_CVTSS2SD,
        ZYDIS_MNEMONIC_SQRTSD,   ZYDIS_MNEMONIC_SQRTSS,   ZYDIS_MNEMONIC_ROUNDSD,  ZYDIS_MNEMONIC_ROUNDSS,
        ZYDIS_MNEMONIC_RCPSS,    ZYDIS_MNEMONIC_RSQRTSS,  ZYDIS_MNEMONIC_MOVLPD,   ZYDIS_MNEMONIC_MOVHPD,
        ZYDIS_MNEMONIC_MOVLPS,   ZYDIS_MNEMONIC_MOVHPS,   ZYDIS_MNEMONIC_BSF,      ZYDIS_MNEMONIC_BSR};
    if (in->instruction.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return false;
    if (demand_is_one_of(in->instruction.mnemonic, merging, sizeof merging / sizeof *merging))
        return true;
    return (in->instruction.mnemonic == ZYDIS_MNEMONIC_MOVSD || in->instruction.mnemonic == ZYDIS_MNEMONIC_MOVSS) &&
           in->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
}

static void set_address(const struct decoded *in, const ZydisDecodedOperand *operand, uint64_t address,
                        struct instruction_demand *out) {
    const ZydisDecodedOperandMem *mem = &operand->mem;
    const bool of_code = mem->base == ZYDIS_REGISTER_RIP;
    out->address =
        (struct demand_address){(uint8_t)register_number(mem->base), (uint8_t)register_number(mem->index), mem->scale,
                                mem->disp.value + (of_code ? (int64_t)(address + in->instruction.length) : 0)};
    out->computes_address = mem->type == ZYDIS_MEMOP_TYPE_AGEN;
    out->addressed = mem->type == ZYDIS_MEMOP_TYPE_MEM;
    out->based = out->address.base && !out->address.index;
}

static void set_registers(const struct decoded *in, uint64_t address, struct instruction_demand *out) {
    for (unsigned i = 0; i < in->instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &in->operands[i];
        if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN)
            set_address(in, operand, address, out);
        if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER || is_stack_pointer(operand))
            continue;
        const unsigned number = register_number(operand->reg.value);
        const bool part = operand->size < 32 && operand->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
                          ZydisRegisterGetClass(operand->reg.value) != ZYDIS_REGCLASS_MASK;
        const bool writes = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
        const bool gathered = i == 0 && in->effect.class == CLASS_GATHER; /* its old value is no delay */
        if (!gathered && ((operand->actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE)) != 0 ||
                          (writes && (part || (i == 0 && merges_upper(in))))))
            add_register(&out->reads, number);
        if (writes)
            add_register(&out->writes, number);
        if (operand->encoding == ZYDIS_OPERAND_ENCODING_MASK && operand->reg.value != ZYDIS_REGISTER_K0)
            out->mask = (uint8_t)number;
    }
    if (is_atomic(in)) { /* wherever it writes */
        out->addressed = false;
        add_register(&out->reads, LOCK);
        add_register(&out->writes, LOCK);
    }
}

/* Loads push, and so do instructions with two results. Those whose name ends with a p pop, and a few others do. */
static void set_stack(const struct decoded *in, struct instruction_demand *out) {
    static const ZydisMnemonic pushing[] = {ZYDIS_MNEMONIC_FLD,     ZYDIS_MNEMONIC_FILD,   ZYDIS_MNEMONIC_FBLD,
                                            ZYDIS_MNEMONIC_FLD1,    ZYDIS_MNEMONIC_FLDZ,   ZYDIS_MNEMONIC_FLDPI,
                                            ZYDIS_MNEMONIC_FLDL2E,  ZYDIS_MNEMONIC_FLDL2T, ZYDIS_MNEMONIC_FLDLG2,
                                            ZYDIS_MNEMONIC_FLDLN2,  ZYDIS_MNEMONIC_FPTAN,  ZYDIS_MNEMONIC_FSINCOS,
                                            ZYDIS_MNEMONIC_FXTRACT, ZYDIS_MNEMONIC_FDECSTP};
    static const ZydisMnemonic popping[] = {ZYDIS_MNEMONIC_FYL2X, ZYDIS_MNEMONIC_FYL2XP1, ZYDIS_MNEMONIC_FPATAN,
                                            ZYDIS_MNEMONIC_FINCSTP, ZYDIS_MNEMONIC_FISTTP};
    const ZydisMnemonic mnemonic = in->instruction.mnemonic;
    const char *name = ZydisMnemonicGetString(mnemonic);
    if (!is_x87(in))
        return;
    out->pushes = demand_is_one_of(mnemonic, pushing, sizeof pushing / sizeof *pushing);
    out->pops =
        mnemonic == ZYDIS_MNEMONIC_FCOMPP || mnemonic == ZYDIS_MNEMONIC_FUCOMPP ? 2
        : mnemonic == ZYDIS_MNEMONIC_FINCSTP || mnemonic == ZYDIS_MNEMONIC_FDECSTP
            ? mnemonic == ZYDIS_MNEMONIC_FINCSTP
            : name[strlen(name) - 1] == 'p' || demand_is_one_of(mnemonic, popping, sizeof popping / sizeof *popping);
    out->exchanges = mnemonic == ZYDIS_MNEMONIC_FXCH;
}

/* The carry is renamed apart from the other flags. */
static void set_flags(const struct decoded *in, struct instruction_demand *out) {
    if (in->instruction.cpu_flags == NULL)
        return;
    const ZydisAccessedFlagsMask carry = ZYDIS_CPUFLAG_CF,
                                 others = ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF | ZYDIS_CPUFLAG_PF;
    const ZydisAccessedFlags *flags = in->instruction.cpu_flags;
    const ZydisAccessedFlagsMask set = flags->modified | flags->set_0 | flags->set_1;
    for (unsigned i = 0; i < 2; i++) {
        const ZydisAccessedFlagsMask which = i ? others : carry;
        if (flags->tested & which)
            add_register(&out->reads, i ? FLAGS : CARRY);
        if (set & which)
            add_register(&out->writes, i ? FLAGS : CARRY);
    }
}

static bool demand_same_registers(const struct decoded *in) {
    const unsigned last = in->instruction.operand_count_visible;
    if (last < 2 || in->operands[last - 1].type != ZYDIS_OPERAND_TYPE_REGISTER ||
        in->operands[last - 2].type != ZYDIS_OPERAND_TYPE_REGISTER)
        return false;
    return in->operands[last - 1].reg.value == in->operands[last - 2].reg.value && in->operands[0].size >= 32;
}

/* "v" before a mnemonic does not matter, nor the size behind it. */
static bool demand_begins(const char *mnemonic, const char *const *names) {
    mnemonic += mnemonic[0] == 'v';
    for (; *names; names++)
        if (strncmp(mnemonic, *names, strlen(*names)) == 0)
            return true;
    return false;
}

static void set_kind(const struct decoded *in, struct instruction_demand *out) {
    static const char *const zeroing[] = {"xor", "pxor", "sub", "psub", "pandn", NULL},
                             *const alike[] = {"pcmpeq", "pcmpgt", NULL},
                             *const moving[] = {"movap", "movup", "movdq", NULL}, *const setting[] = {"cmp", "test",
                                                                                                      "add", "sub",
                                                                                                      "and", "inc",
                                                                                                      "dec", NULL};
    const char *name = ZydisMnemonicGetString(in->instruction.mnemonic);
    const bool arithmetic = in->instruction.mnemonic != ZYDIS_MNEMONIC_SUBPD &&
                            in->instruction.mnemonic != ZYDIS_MNEMONIC_SUBSD && in->effect.sort == SORT_FREE;
    const bool general = out->form[strlen(out->form) - 1] <= 'q' && strpbrk(out->form, " ") != NULL;
    out->zeroes = demand_same_registers(in) && arithmetic && demand_begins(name, zeroing);
    out->independent = out->zeroes || (demand_same_registers(in) && demand_begins(name, alike));
    const bool registers = in->instruction.operand_count_visible == 2 && in->operands[0].type == in->operands[1].type &&
                           in->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
    out->moves = registers && in->operands[0].size >= 32 && out->reads.count == 1 &&
                 out->reads.of[0] != out->writes.of[0] &&
                 (in->instruction.mnemonic == ZYDIS_MNEMONIC_MOV || demand_begins(name, moving));
    out->sets_flags = general && name[0] != 'v' && demand_begins(name, setting) && in->effect.sort == SORT_FREE;
    out->branches_on_flags = in->instruction.meta.category == ZYDIS_CATEGORY_COND_BR && out->reads.count > 0;
}

/* Additions of constants move addresses in a way that can be followed. */
static void set_step(const struct decoded *in, struct instruction_demand *out) {
    const ZydisMnemonic mnemonic = in->instruction.mnemonic;
    const bool constant = in->operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    const bool counts = mnemonic == ZYDIS_MNEMONIC_INC || mnemonic == ZYDIS_MNEMONIC_DEC;
    const bool adds = (mnemonic == ZYDIS_MNEMONIC_ADD || mnemonic == ZYDIS_MNEMONIC_SUB) && constant;
    if (in->operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || in->operands[0].size < 64 || !(adds || counts))
        return;
    const int64_t amount = counts ? 1 : in->operands[1].imm.value.s;
    out->steps = true;
    out->step = mnemonic == ZYDIS_MNEMONIC_SUB || mnemonic == ZYDIS_MNEMONIC_DEC ? -amount : amount;
}

static unsigned demand_accesses(unsigned bytes, unsigned element_bytes) {
    return element_bytes > 0 ? bytes / element_bytes : bytes > 0;
}

bool demand_find(const void *code, size_t code_bytes, uint64_t address, struct instruction_demand *out) {
    ZydisDecoder decoder;
    struct decoded in;
    *out = (struct instruction_demand){0};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, code_bytes, &in.instruction, in.operands)))
        return false;
    effect_find(&in.instruction, in.operands, &in.effect);
    out->length_bytes = in.instruction.length;
    set_form(&in, out);
    set_registers(&in, address, out);
    set_stack(&in, out);
    set_flags(&in, out);
    set_kind(&in, out);
    set_step(&in, out);
    const ZydisDecodedOperand *memory = effect_memory(&in.instruction, in.operands);
    const unsigned element_bytes = in.effect.class == CLASS_GATHER && memory ? memory->element_size / 8u : 0;
    out->loads = demand_accesses(in.effect.load_bytes + in.effect.stack_load_bytes, element_bytes);
    out->stores = demand_accesses(in.effect.store_bytes + in.effect.stack_store_bytes, element_bytes);
    return true;
}
