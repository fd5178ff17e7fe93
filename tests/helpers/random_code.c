/* SPDX-License-Identifier: BSD-3-Clause
 * random_code FILE FIRST COUNT [near]: writes COUNT random programs (tests/apps/counted/random_code.h) and prints what
 * they cover. A form of an instruction is one that Zydis tells apart by mnemonic, kinds and sizes of operands, and that
 * this CPU has: each is tried once. A program has functions of straight code, loops, branches, calls and jumps of all
 * kinds, faults and system calls; it ends, whatever registers and memory hold. Left out are instructions that tell
 * something else in each run (time, random numbers, segments, the place of x87 code), that store or load the whole
 * state of a unit, or that belong to the system. `far`: code and memory lie beyond 4 GiB. `steps`: without int3, whose
 * signal is that of single steps. */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

#include "tests/apps/counted/random_code.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, GENERAL = 16, NO_REGISTER = -1 };
enum encoding { LEGACY, VEX, EVEX };
enum kind { INTEGER, X87, SSE, WIDE_VEX, WIDE_EVEX, KINDS };

/* The bytes of an instruction without its registers, address and constant. */
struct form {
    enum encoding encoding;
    uint8_t map, prefix, wide, length, opcode, digit, b;
    bool memory, has_modrm, free_reg, free_vvvv, vsib, locks, anywhere; /* its operand needs no alignment */
    ZydisMnemonic mnemonic;
    uint64_t key;
    unsigned used;
};
struct fields {
    unsigned reg, rm, vvvv, base, index, scale, mask, zero, narrow; /* address of 32 bits */
    enum { BY_BASE, BY_INDEX, ABSOLUTE, BY_RIP } way;
    int32_t distance;
};

enum { MOST_FORMS = 1 << 15 };
static struct form forms[KINDS][MOST_FORMS];
static unsigned form_count[KINDS];
static ZydisDecoder decoder;
static uint64_t random_state, code_at = 0x10000000, memory_at = 0x20000000, stack_at = 0x28000000;
static bool can_trap;
static uint8_t *code, *at; /* where code_at lies here, and the next byte */
static const char *const prefixes[] = {"", "\x66", "\xf3", "\xf2"};

/* How blocks end, for the table of what was covered. */
#define ENDS(X)                                                                                                        \
    X(JCC_SHORT)                                                                                                       \
    X(JCC_NEAR)                                                                                                        \
    X(FALL)                                                                                                            \
    X(JMP_SHORT)                                                                                                       \
    X(JMP_NEAR) X(JMP_REGISTER) X(JMP_MEMORY) X(JMP_RIP) X(CALL) X(CALL_REGISTER) X(CALL_MEMORY) X(CALL_RIP)           \
        X(CALL_POP) X(PUSH_RET) X(RET) X(RET_BYTES) X(POP_JMP) X(LOOP) X(LOOPE) X(LOOPNE) X(JRCXZ) X(JECXZ) X(DEC_JNZ) \
            X(SUB_JNZ) X(ADD_JNZ) X(INTO_LOOP) X(INT3) X(UD2) X(NULL_FAULT) X(SYSCALL) X(RED_ZONE) X(PUSH_POP)         \
                X(PUSHF_POPF) X(ENTER_LEAVE) X(LONG_BLOCK)
#define AS_NAME(name) name,
#define AS_TEXT(name) #name,
enum end { ENDS(AS_NAME) END_KINDS };
static const char *const end_names[] = {ENDS(AS_TEXT)};
static unsigned ends[END_KINDS];

static uint32_t chance(uint32_t most) { /* below `most` */
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state * 0x2545f4914f6cdd1d) >> 33) % most;
}

static void byte(unsigned value) {
    *at++ = (uint8_t)value;
}
static void bytes(const void *from, size_t count) {
    memcpy(at, from, count);
    at += count;
}
static void number(uint64_t value, size_t count) {
    bytes(&value, count);
}
static uint64_t address(const uint8_t *place) {
    return code_at + (uint64_t)(place - code);
}

/* ModRM and what follows it, without a constant. */
static uint8_t *put_operand(uint8_t *to, const struct form *form, const struct fields *f) {
    const unsigned reg = form->free_reg ? f->reg : form->digit;
    if (!form->has_modrm)
        return to;
    if (!form->memory) {
        *to++ = (uint8_t)(0xc0 | (reg & 7) << 3 | (f->rm & 7));
        return to;
    }
    if (form->vsib || f->way == BY_INDEX || f->way == ABSOLUTE || (f->way == BY_BASE && (f->base & 7) == RSP)) {
        const unsigned index = form->vsib || f->way == BY_INDEX ? f->index & 7 : RSP;
        *to++ = (uint8_t)((f->way == ABSOLUTE ? 0 : 0x80) | (reg & 7) << 3 | 4);
        *to++ = (uint8_t)(f->scale << 6 | index << 3 | (f->way == ABSOLUTE ? 5 : f->base & 7));
    } else {
        *to++ = (uint8_t)((f->way == BY_RIP ? 5 : 0x80 | (f->base & 7)) | (reg & 7) << 3);
    }
    memcpy(to, &f->distance, sizeof f->distance);
    return to + sizeof f->distance;
}

static unsigned bit(unsigned value, unsigned place) {
    return value >> place & 1;
}
static unsigned not_bit(unsigned value, unsigned place) { /* as VEX and EVEX hold it */
    return bit(value, place) ^ 1;
}

/* Returns the end; constants are left to the caller. */
static uint8_t *encode(uint8_t *to, const struct form *form, const struct fields *f) {
    static const uint8_t escapes[][2] = {{0}, {0x0f}, {0x0f, 0x38}, {0x0f, 0x3a}};
    const unsigned reg = !form->has_modrm ? 0
                         : form->free_reg ? f->reg
                                          : form->digit,
                   vvvv = form->free_vvvv ? f->vvvv : 0, in_opcode = form->free_reg ? f->reg : 0,
                   base = !form->has_modrm ? in_opcode
                          : form->memory   ? (f->way == ABSOLUTE || f->way == BY_RIP ? 0 : f->base)
                                           : f->rm,
                   index = !form->has_modrm                   ? 0
                           : !form->memory                    ? bit(f->rm, 4) << 3
                           : form->vsib || f->way == BY_INDEX ? f->index
                                                              : 0;
    if (f->narrow)
        *to++ = 0x67;
    if (form->encoding == LEGACY) {
        if (form->locks && f->zero)
            *to++ = 0xf0;
        if (form->prefix)
            *to++ = (uint8_t)prefixes[form->prefix][0];
        const unsigned rex =
            (unsigned)form->wide << 3 | bit(reg, 3) << 2 | bit(form->memory ? index : 0, 3) << 1 | bit(base, 3);
        if (rex || f->mask == 1)
            *to++ = (uint8_t)(0x40 | rex);
        for (unsigned i = 0; i < (form->map == 0 ? 0u : form->map == 1 ? 1u : 2u); i++)
            *to++ = escapes[form->map][i];
    } else if (form->encoding == VEX) {
        *to++ = 0xc4;
        *to++ = (uint8_t)(not_bit(reg, 3) << 7 | not_bit(form->memory ? index : 0, 3) << 6 | not_bit(base, 3) << 5 |
                          form->map);
        *to++ = (uint8_t)((unsigned)form->wide << 7 | (~vvvv & 15) << 3 | (unsigned)form->length << 2 | form->prefix);
    } else {
        const unsigned high = form->vsib ? f->index : vvvv;
        *to++ = 0x62;
        *to++ = (uint8_t)(not_bit(reg, 3) << 7 | not_bit(index, 3) << 6 | not_bit(base, 3) << 5 | not_bit(reg, 4) << 4 |
                          form->map);
        *to++ = (uint8_t)((unsigned)form->wide << 7 | (~vvvv & 15) << 3 | 4 | form->prefix);
        *to++ = (uint8_t)((unsigned)f->zero << 7 | (unsigned)form->length << 5 | (unsigned)form->b << 4 |
                          not_bit(high, 4) << 3 | f->mask);
    }
    *to++ = (uint8_t)(form->has_modrm ? form->opcode : form->opcode | (in_opcode & 7));
    return put_operand(to, form, f);
}

struct decoded {
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};
static bool decode(const uint8_t *from, struct decoded *out) {
    return ZYAN_SUCCESS(
        ZydisDecoderDecodeFull(&decoder, from, ZYDIS_MAX_INSTRUCTION_LENGTH, &out->instruction, out->operands));
}

static int general(ZydisRegister reg) {
    const ZydisRegisterClass class = ZydisRegisterGetClass(reg);
    if (class < ZYDIS_REGCLASS_GPR8 || class > ZYDIS_REGCLASS_GPR64)
        return NO_REGISTER;
    return ZydisRegisterGetId(ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg));
}

/* Instructions by the begin of their names. */
static bool begins(ZydisMnemonic mnemonic, const char *const *names) {
    const char *name = ZydisMnemonicGetString(mnemonic);
    for (; *names; names++)
        if (strncmp(name, *names, strlen(*names)) == 0)
            return true;
    return false;
}

static bool is_left_out(const ZydisDecodedInstruction *instruction) {
    static const char *const names[] = {
        "rd",      "wr",        "cpuid",      "xget",      "xset",     "xsav",     "xrst",      "fxsave",  "fxrst",
        "fnsave",  "frstor",    "fldenv",     "fnstenv",   "fldcw",    "ldmxcsr",  "vldmxcsr",  "sgdt",    "sidt",
        "sldt",    "str",       "smsw",       "lar",       "lsl",      "ver",      "in",        "out",     "hlt",
        "monitor", "mwait",     "umwait",     "umonitor",  "tpause",   "enqcmd",   "movdir64b", "clzero",  "xbegin",
        "xend",    "xtest",     "xabort",     "ud",        "sys",      "pop",      "push",      "enter",   "leave",
        "clui",    "stui",      "testui",     "uiret",     "sendui",   "tile",     "ldtile",    "sttile",  "td",
        "skinit",  "stgi",      "clgi",       "llwp",      "slwp",     "lwp",      "jmp",       "call",    "ret",
        "iret",    "cli",       "sti",        "lds",       "les",      "lss",      "lfs",       "lgs",     "swapgs",
        "wbinvd",  "ptwrite",   "saveprev",   "setssbsy",  "clrssbsy", "rstorssp", "incssp",    "vm",      "arpl",
        "bnd",     "vgatherpf", "vscatterpf", "getsec",    "encls",    "enclu",    "enclv",     "pconfig", "montmul",
        "xstore",  "xcrypt",    "xsha",       "pvalidate", "psmash",   "rmp",      "tlbsync",   "hreset",  "invlpg",
        "clac",    "stac",      "serialize",  NULL};
    static const char *const kept[] = {"inc",  "insert", "popcnt", "vmov",   "vmul",
                                       "vmin", "vmax",   "vmask",  "vmpsad", NULL};
    const ZydisInstructionCategory category = instruction->meta.category;
    if (category == ZYDIS_CATEGORY_COND_BR || category == ZYDIS_CATEGORY_INTERRUPT ||
        category == ZYDIS_CATEGORY_SYSTEM || category == ZYDIS_CATEGORY_IO || category == ZYDIS_CATEGORY_IOSTRINGOP)
        return true;
    return begins(instruction->mnemonic, names) && !begins(instruction->mnemonic, kept);
}

/* Instructions with memory at rsi, rdi or rbx. */
static bool is_string(const ZydisDecodedInstruction *instruction) {
    static const char *const names[] = {"maskmov", "vmaskmovdqu", "xlat", NULL};
    return instruction->meta.category == ZYDIS_CATEGORY_STRINGOP || begins(instruction->mnemonic, names);
}

static bool is_allowed(const struct decoded *d, uint32_t keep) {
    for (unsigned i = 0; i < d->instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &d->operands[i];
        if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            if (operand->encoding != ZYDIS_OPERAND_ENCODING_MODRM_RM && !is_string(&d->instruction))
                return false;
            if (operand->mem.segment == ZYDIS_REGISTER_GS || operand->mem.segment == ZYDIS_REGISTER_FS)
                return false;
        }
        if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER)
            continue;
        const ZydisRegisterClass class = ZydisRegisterGetClass(operand->reg.value);
        const int reg = general(operand->reg.value);
        const bool writes = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
        if (class == ZYDIS_REGCLASS_SEGMENT || class == ZYDIS_REGCLASS_CONTROL || class == ZYDIS_REGCLASS_DEBUG ||
            class == ZYDIS_REGCLASS_TEST || class == ZYDIS_REGCLASS_BOUND || class == ZYDIS_REGCLASS_TMM)
            return false;
        if (writes && reg >= 0 && ((keep | 1u << RSP) >> reg & 1))
            return false;
    }
    return true;
}

static uint64_t key_of(const struct decoded *d) {
    uint64_t key = d->instruction.mnemonic * 0x9e3779b97f4a7c15;
    const uint64_t also[] = {d->instruction.encoding,
                             d->instruction.operand_width,
                             d->instruction.attributes &
                                 (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE),
                             d->instruction.avx.broadcast.mode,
                             d->instruction.avx.has_sae,
                             d->instruction.avx.rounding.mode != 0};
    for (unsigned i = 0; i < sizeof also / sizeof *also; i++)
        key = (key ^ also[i]) * 0xff51afd7ed558ccd, key ^= key >> 31;
    for (unsigned i = 0; i < d->instruction.operand_count_visible; i++) {
        const ZydisDecodedOperand *operand = &d->operands[i];
        const uint64_t what =
            (unsigned)operand->type | (unsigned)operand->size << 4 | (unsigned)operand->element_type << 16 |
            (unsigned)operand->actions << 24 |
            (operand->type == ZYDIS_OPERAND_TYPE_REGISTER ? (uint64_t)ZydisRegisterGetClass(operand->reg.value) << 32
                                                          : 0);
        key = (key ^ what) * 0xc4ceb9fe1a85ec53, key ^= key >> 29;
    }
    return key | 1;
}

static enum kind kind_of(const struct form *form, const struct decoded *d) {
    if (form->encoding != LEGACY)
        return form->encoding == VEX ? WIDE_VEX : WIDE_EVEX;
    for (unsigned i = 0; i < d->instruction.operand_count; i++) {
        const ZydisRegisterClass class = d->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER
                                             ? ZydisRegisterGetClass(d->operands[i].reg.value)
                                             : ZYDIS_REGCLASS_INVALID;
        if (class == ZYDIS_REGCLASS_X87)
            return X87;
        if (class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_MMX)
            return SSE;
    }
    return d->instruction.meta.isa_ext == ZYDIS_ISA_EXT_X87 ? X87 : INTEGER;
}

static const struct fields plain = {.reg = 1, .rm = 2, .vvvv = 3, .base = RSI, .index = 5, .way = BY_BASE};

/* Completes what decoding tells; false: there is no such instruction, or it is left out. */
static bool know(struct form *form, struct decoded *d) {
    uint8_t tried[32] = {0};
    struct fields fields = plain;
    form->has_modrm = true;
    encode(tried, form, &fields);
    bool known = decode(tried, d);
    if (!known) { /* perhaps a gather, or one that needs a mask */
        form->vsib = form->memory;
        fields.mask = form->encoding == EVEX;
        encode(tried, form, &fields);
        known = decode(tried, d);
    }
    if (!known && form->encoding != LEGACY) { /* perhaps with three registers */
        form->free_vvvv = true;
        encode(tried, form, &fields);
        known = decode(tried, d);
    }
    if (!known || is_left_out(&d->instruction))
        return false;
    form->mnemonic = d->instruction.mnemonic;
    form->has_modrm = d->instruction.attributes & ZYDIS_ATTRIB_HAS_MODRM;
    form->locks = d->instruction.attributes & ZYDIS_ATTRIB_ACCEPTS_LOCK;
    form->vsib = false;
    form->free_reg = form->free_vvvv = false;
    for (unsigned i = 0; i < d->instruction.operand_count; i++) {
        const ZydisDecodedOperand *operand = &d->operands[i];
        form->free_reg = form->free_reg || operand->encoding == ZYDIS_OPERAND_ENCODING_MODRM_REG ||
                         operand->encoding == ZYDIS_OPERAND_ENCODING_OPCODE;
        form->free_vvvv = form->free_vvvv || operand->encoding == ZYDIS_OPERAND_ENCODING_NDSNDD;
        form->vsib =
            form->vsib || (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && operand->mem.type == ZYDIS_MEMOP_TYPE_VSIB);
    }
    if (!form->has_modrm && form->memory)
        return false;
    if (!form->has_modrm)
        form->opcode = form->free_reg ? form->opcode & 0xf8 : form->opcode;
    return is_allowed(d, 0);
}

static void add_constant(unsigned count) {
    for (unsigned i = 0; i < count; i++)
        byte(chance(256));
}

static void move(unsigned reg, uint64_t value) { /* keeps the flags */
    byte(0x48 | reg >> 3);
    byte(0xb8 | (reg & 7));
    number(value, 8);
}

/* A register that may be changed. */
static unsigned scratch(uint32_t keep) {
    unsigned reg;
    do
        reg = chance(GENERAL);
    while ((keep | 1u << RSP) >> reg & 1);
    return reg;
}

static uint64_t middle(void) {
    return memory_at + RANDOM_MEMORY_BYTES / 2;
}

/* Registers that the instruction needs to work as it mostly does in programs: small divisors would be rare, string
 * instructions need places, bits beyond memory do not exist. */
static bool prepare(const struct form *form, const struct decoded *d, struct fields *f, uint32_t keep) {
    static const char *const divides[] = {"div", "idiv", NULL}, *const tests_bits[] = {"bt", NULL};
    if (is_string(&d->instruction)) {
        if (keep & (1u << RSI | 1u << RDI | 1u << RBX | 1u << RCX | 1u << RAX))
            return false;
        move(RSI, middle() + chance(512));
        move(RDI, middle() + chance(512));
        move(RBX, middle());
        move(RCX, chance(20));
        return true;
    }
    if (begins(form->mnemonic, divides) && !(keep >> RDX & 1) && chance(8))
        move(RDX, chance(2));
    if (form->memory && begins(form->mnemonic, tests_bits) && form->free_reg) {
        f->reg = scratch(keep | 1u << f->base | 1u << f->index);
        move(f->reg, chance(2000));
    }
    return true;
}

/* Loads the index of a gather or scatter, and a place for its address. */
static void prepare_vector_index(const struct form *form, const struct fields *f) {
    const uint64_t place = memory_at + RANDOM_MEMORY_BYTES;
    move(f->base, place);
    if (form->encoding == VEX) { /* vmovdqu (base), ymm */
        byte(0xc4);
        byte(not_bit(f->index, 3) << 7 | 0x40 | not_bit(f->base, 3) << 5 | 1);
        byte(0x7e);
    } else { /* vmovdqu64 (base), zmm */
        byte(0x62);
        byte(not_bit(f->index, 3) << 7 | 0x40 | not_bit(f->base, 3) << 5 | not_bit(f->index, 4) << 4 | 1);
        byte(0xfe);
        byte(0x48);
    }
    byte(0x6f);
    byte(0x80 | (f->index & 7) << 3 | (f->base & 7));
    if ((f->base & 7) == RSP)
        byte(0x24);
    number(chance(8) * 8, 4);
}

static void choose_fields(const struct form *form, uint32_t keep, struct fields *f) {
    const unsigned most = form->encoding == EVEX ? 32 : 16;
    *f = (struct fields){.reg = chance(most), .rm = chance(most), .vvvv = chance(most), .scale = chance(4)};
    if (chance(2))
        f->reg &= 7, f->rm &= 7, f->vvvv &= 7;
    f->mask = form->encoding == EVEX ? (form->vsib ? 1 + chance(7) : chance(2) * chance(8)) : chance(4) == 0;
    f->zero = form->encoding == EVEX ? f->mask && !form->vsib && chance(2)
                                     : form->encoding == LEGACY && form->memory && chance(6) == 0;
    f->base = scratch(keep);
    if (form->vsib) {
        f->index = chance(most);
        f->reg = (f->index + 1 + chance(6)) % most;
        f->vvvv = (f->index + 7 + chance(6)) % most;
    } else {
        f->way = chance(8) == 0 && code_at >> 32 == 0 ? ABSOLUTE
                 : chance(5) == 0                     ? BY_RIP
                 : chance(3) == 0                     ? BY_INDEX
                                                      : BY_BASE;
        f->index = f->way == BY_INDEX ? scratch(keep | 1u << f->base) : 0;
    }
    f->narrow = form->memory && code_at >> 32 == 0 && chance(12) == 0;
}

static void choose_distance(const struct form *form, struct fields *f, const uint8_t *end) {
    const int32_t distance = (int32_t)(form->anywhere && chance(2) ? chance(4096) : chance(64) * 64) - 2048;
    if (f->way == ABSOLUTE)
        f->distance = (int32_t)((int64_t)middle() + distance);
    else if (f->way == BY_RIP)
        f->distance = (int32_t)((int64_t)middle() + distance - (int64_t)address(end));
    else
        f->distance = distance;
}

/* Emits an instruction of this form with random operands that leaves the registers `keep` as they are. */
static bool emit_form(struct form *form, uint32_t keep) {
    uint8_t *const before = at;
    for (unsigned attempt = 0; attempt < 12; attempt++) {
        struct fields f;
        struct decoded d;
        uint8_t tried[32] = {0};
        choose_fields(form, keep, &f);
        encode(tried, form, &f);
        if (!decode(tried, &d) || d.instruction.mnemonic != form->mnemonic || !is_allowed(&d, keep) ||
            !prepare(form, &d, &f, keep)) {
            at = before;
            continue;
        }
        if (form->memory && form->vsib) {
            prepare_vector_index(form, &f);
            move(f.base, middle());
        } else if (form->memory && f.way <= BY_INDEX) {
            move(f.base, middle());
            if (f.way == BY_INDEX)
                move(f.index, 64 * chance(8));
        }
        const unsigned constant = (d.instruction.raw.imm[0].size + d.instruction.raw.imm[1].size) / 8u;
        uint8_t *const begin = at;
        choose_distance(form, &f, at + (encode(tried, form, &f) - tried) + constant);
        at = encode(at, form, &f);
        add_constant(constant);
        if (!decode(begin, &d) || d.instruction.length != at - begin || !is_allowed(&d, keep)) {
            at = before;
            continue;
        }
        form->used++;
        return true;
    }
    at = before;
    return false;
}

static sigjmp_buf fault;
static volatile int fault_number;
static void on_fault(int signal_number) {
    fault_number = signal_number;
    siglongjmp(fault, 1);
}

static void call_code(void) {
    void (*function)(void);
    memcpy(&function, &code, sizeof function);
    function();
}

/* Whether this CPU has the instruction: it is executed once, as a function. */
static bool runs_here(struct form *form) {
    fault_number = 0;
    at = code;
    bytes("\x9c\x53\x55\x41\x54\x41\x55\x41\x56\x41\x57", 11); /* pushfq; push %rbx, %rbp, %r12 to %r15 */
    if (!emit_form(form, 0))
        return false;
    bytes("\x41\x5f\x41\x5e\x41\x5d\x41\x5c\x5d\x5b\x9d\xc3", 12);
    if (sigsetjmp(fault, 1) == 0)
        call_code();
    __asm__ volatile("cld; fninit");
    return fault_number != SIGILL;
}

static void add_form(struct form form) {
    struct decoded d;
    if (!know(&form, &d))
        return;
    form.key = key_of(&d) ^ (form.memory ? 0x5555 : 0);
    const enum kind kind = kind_of(&form, &d);
    form.anywhere = kind == INTEGER || kind == X87;
    for (unsigned i = 0; i < form_count[kind]; i++)
        if (forms[kind][i].key == form.key)
            return;
    if (form_count[kind] < MOST_FORMS && runs_here(&form)) {
        form.used = 0;
        forms[kind][form_count[kind]++] = form;
    }
}

static void add_forms_of(struct form form) { /* of an opcode */
    struct decoded d;
    for (unsigned digit = 0; digit < 8; digit++) {
        form.digit = (uint8_t)digit;
        struct form first = form;
        const bool known = know(&first, &d);
        add_form(form);
        if (known && first.free_reg)
            return;
    }
}

static void find_forms(void) {
    static const struct {
        enum encoding encoding;
        uint8_t first_map, last_map, lengths, bs;
    } encodings[] = {{LEGACY, 0, 3, 1, 1}, {VEX, 1, 3, 2, 1}, {EVEX, 1, 6, 3, 2}};
    for (unsigned e = 0; e < 3; e++)
        for (unsigned map = encodings[e].first_map; map <= encodings[e].last_map; map++)
            for (unsigned i = 0; i < 256u * 4 * 2 * 2 * encodings[e].lengths * encodings[e].bs; i++) {
                const unsigned rest = i / 4096, opcode = i % 256;
                const bool is_prefix = map == 0 && encodings[e].encoding == LEGACY &&
                                       (opcode == 0x0f || (opcode & 0xe7) == 0x26 || (opcode & 0xf0) == 0x40 ||
                                        opcode == 0x62 || opcode == 0xc4 || opcode == 0xc5 || (opcode & 0xfc) == 0x64 ||
                                        opcode == 0xf0 || opcode == 0xf2 || opcode == 0xf3 || opcode == 0xd5);
                if (!is_prefix)
                    add_forms_of((struct form){.encoding = encodings[e].encoding,
                                               .map = (uint8_t)map,
                                               .opcode = (uint8_t)opcode,
                                               .prefix = i / 256 % 4,
                                               .wide = i / 1024 % 2,
                                               .memory = i / 2048 % 2,
                                               .length = (uint8_t)(rest % encodings[e].lengths),
                                               .b = (uint8_t)(rest / encodings[e].lengths)});
            }
}

/* Programs. A function calls only functions written before it; loops have a register that their body keeps. */
enum { MOST_FUNCTIONS = 5 };
static uint64_t functions[MOST_FUNCTIONS],
    slots[MOST_FUNCTIONS];              /* addresses of functions, and of words that hold them */
static bool takes_word[MOST_FUNCTIONS]; /* its end takes a word off the stack, which callers push */
static unsigned function_count;

static void one(uint32_t keep) {
    static const uint8_t kinds[] = {INTEGER, INTEGER, INTEGER, INTEGER,  INTEGER,   INTEGER,
                                    X87,     SSE,     SSE,     WIDE_VEX, WIDE_EVEX, WIDE_EVEX};
    const unsigned kind = kinds[chance(sizeof kinds)];
    if (form_count[kind] == 0 || !emit_form(&forms[kind][chance(form_count[kind])], keep))
        byte(0x90);
}

static void some(uint32_t keep, unsigned most) {
    for (unsigned left = chance(most + 1); left > 0; left--)
        one(keep);
}

static void patch_short(uint8_t *distance) {
    *distance = (uint8_t)(at - (distance + 1));
}
static void patch_near(uint8_t *distance) {
    const int32_t value = (int32_t)(at - (distance + 4));
    memcpy(distance, &value, sizeof value);
}
static void back_near(const uint8_t *to) {
    number((uint64_t)(to - (at + 4)), 4);
}

static void end(enum end kind) {
    ends[kind]++;
}

/* Over some instructions, or not. */
static void branch(uint32_t keep) {
    const unsigned condition = chance(16);
    uint8_t *distance;
    if (chance(2)) {
        byte(0x0f);
        byte(0x80 | condition);
        distance = at;
        number(0, 4);
        some(keep, 6);
        patch_near(distance);
        end(JCC_NEAR);
        return;
    }
    byte(0x70 | condition);
    distance = at++;
    byte(0x90);
    if (chance(2))
        one(keep);
    patch_short(distance);
    end(JCC_SHORT);
}

static void jump(uint32_t keep) {
    const enum end kinds[] = {JMP_SHORT, JMP_NEAR, JMP_REGISTER, JMP_MEMORY, JMP_RIP, PUSH_RET};
    const enum end kind = kinds[chance(6)];
    const unsigned reg = scratch(keep);
    uint8_t *place;
    end(kind);
    switch (kind) {
    case JMP_SHORT:
        byte(0xeb);
        byte(2);
        number(0x0b0f, 2);
        return;
    case JMP_NEAR:
        byte(0xe9);
        number(3, 4);
        number(0, 3);
        return;
    case JMP_REGISTER:
        move(reg, address(at + 10 + 3));
        byte(0x40 | reg >> 3);
        byte(0xff);
        byte(0xe0 | (reg & 7));
        return;
    case PUSH_RET: /* push of a constant cannot hold far addresses */
        move(reg, address(at + 10 + 2 + 1));
        byte(0x40 | reg >> 3);
        byte(0x50 | (reg & 7));
        byte(0xc3);
        return;
    case JMP_RIP:
        bytes("\xff\x25\0\0\0", 5);
        byte(0);
        number(address(at + 8), 8);
        return;
    default:
        move(reg, 0);
        place = at - 8;
        byte(0x40 | reg >> 3);
        byte(0xff);
        byte(0xa0 | (reg & 7));
        if ((reg & 7) == RSP)
            byte(0x24);
        number(0, 4);
        memcpy(place, &(uint64_t){address(at)}, 8);
        number(address(at + 8), 8);
    }
}

/* Calls a function, which may change all registers. */
static void call(void) {
    const enum end kinds[] = {CALL, CALL_REGISTER, CALL_MEMORY, CALL_RIP, CALL_POP};
    const enum end kind = kinds[chance(5)];
    const unsigned reg = scratch(0), callee = function_count ? chance(function_count) : 0;
    if (function_count == 0 && kind != CALL_POP)
        return;
    end(kind);
    if (kind != CALL_POP && takes_word[callee]) {
        byte(0x40 | reg >> 3);
        byte(0x50 | (reg & 7));
    }
    switch (kind) {
    case CALL:
        byte(0xe8);
        number(functions[callee] - address(at + 4), 4);
        return;
    case CALL_REGISTER:
        move(reg, functions[callee]);
        byte(0x40 | reg >> 3);
        byte(0xff);
        byte(0xd0 | (reg & 7));
        return;
    case CALL_RIP:
        bytes("\xff\x15", 2);
        number(slots[callee] - address(at + 4), 4);
        return;
    case CALL_MEMORY:
        move(reg, slots[callee] - 16);
        byte(0x40 | reg >> 3);
        byte(0xff);
        byte(0x50 | (reg & 7));
        if ((reg & 7) == RSP)
            byte(0x24);
        byte(16);
        return;
    default: /* where am I? */
        bytes("\xe8\0\0\0\0", 5);
        byte(0x40 | reg >> 3);
        byte(0x58 | (reg & 7));
    }
}

/* The flags of the last pass are those of the body, of the counting, or both. */
static void loop(uint32_t keep) {
    const enum end kinds[] = {LOOP, LOOPE, LOOPNE, JRCXZ, JECXZ, DEC_JNZ, SUB_JNZ, ADD_JNZ};
    const enum end kind = kinds[chance(8)];
    const bool by_rcx = kind <= JECXZ;
    const unsigned counter = by_rcx ? RCX : scratch(keep);
    if (by_rcx && (keep >> RCX & 1))
        return;
    end(kind);
    move(counter, 1 + chance(40));
    uint8_t *into = NULL;
    if (!by_rcx && chance(4) == 0) {
        byte(0xe9);
        into = at;
        number(0, 4);
        end(INTO_LOOP);
    }
    const uint8_t *again = at;
    keep |= 1u << counter;
    some(keep, by_rcx && kind != JRCXZ && kind != JECXZ ? 2 : 6);
    if (into) {
        patch_near(into);
        some(keep, 3);
    }
    if (kind == JRCXZ || kind == JECXZ) {
        bytes("\x48\x8d\x49\xff", 4); /* lea -1(%rcx), %rcx */
        if (kind == JECXZ)
            byte(0x67);
        bytes("\xe3\x05\xe9", 3);
        back_near(again);
    } else if (by_rcx && at - again < 120) {
        byte(kind == LOOP ? 0xe2 : kind == LOOPE ? 0xe1 : 0xe0);
        byte((unsigned)(again - (at + 1)));
    } else if (!by_rcx) {
        byte(0x48 | counter >> 3);
        byte(kind == DEC_JNZ ? 0xff : 0x83);
        byte((kind == DEC_JNZ ? 0xc8 : kind == SUB_JNZ ? 0xe8 : 0xc0) | (counter & 7));
        if (kind != DEC_JNZ)
            byte(kind == SUB_JNZ ? 1 : 0xff);
        byte(0x0f);
        byte(0x85);
        back_near(again);
    }
}

static void stack(uint32_t keep) {
    const unsigned reg = scratch(0), to = scratch(keep);
    switch (chance(4)) {
    case 0:
        byte(0x9c);
        some(keep, 4);
        byte(0x9d);
        end(PUSHF_POPF);
        return;
    case 1:
        if (keep >> RBP & 1)
            return;
        bytes("\xc8\x40\0\0", 4); /* enter $64, $0 */
        some(keep | 1u << RBP, 6);
        byte(0xc9);
        end(ENTER_LEAVE);
        return;
    case 2: /* a leaf function's variable below the stack */
        byte(0x48 | (reg >> 3) << 2);
        byte(0x89);
        byte(0x44 | (reg & 7) << 3);
        byte(0x24);
        byte(0xb0);
        some(keep, 6);
        byte(0x48 | (to >> 3) << 2);
        byte(0x8b);
        byte(0x44 | (to & 7) << 3);
        byte(0x24);
        byte(0xb0);
        end(RED_ZONE);
        return;
    default:
        byte(0x40 | reg >> 3);
        byte(0x50 | (reg & 7));
        some(keep, 6);
        byte(0x40 | to >> 3);
        byte(0x58 | (to & 7));
        end(PUSH_POP);
    }
}

static void interrupt(uint32_t keep) {
    static const uint16_t calls[] = {24, 0x3fff, 0x2000}; /* sched_yield, and two that no kernel has */
    const unsigned reg = scratch(keep);
    switch (chance(8)) {
    case 0:
        byte(can_trap ? 0xcc : 0x90);
        end(INT3);
        return;
    case 1:
        number(0x0b0f, 2);
        end(UD2);
        return;
    case 2:
        if (chance(6))
            return;
        move(reg, 0); /* add (reg), reg */
        byte(0x48 | (reg >> 3) << 2 | reg >> 3);
        byte(0x03);
        byte(0x80 | (reg & 7) << 3 | (reg & 7));
        if ((reg & 7) == RSP)
            byte(0x24);
        number(0, 4);
        end(NULL_FAULT);
        return;
    default:
        if (keep & (1u << RAX | 1u << RCX | 1u << 11))
            return;
        move(RAX, calls[chance(3)]);
        bytes("\x0f\x05", 2);
        if (!can_trap)
            move(11, 0); /* the flags, and that of single steps */
        end(SYSCALL);
    }
}

static void segment(void) {
    switch (chance(9)) {
    case 0:
    case 1:
        branch(0);
        break;
    case 2:
        jump(0);
        break;
    case 3:
        call();
        break;
    case 4:
    case 5:
        loop(0);
        break;
    case 6:
        stack(0);
        break;
    case 7:
        interrupt(0);
        break;
    default:
        end(FALL);
    }
    if (chance(200) == 0) {
        for (unsigned i = 0; i < 300; i++)
            one(0);
        end(LONG_BLOCK);
    }
    some(0, 6);
}

static void function_end(void) {
    const unsigned reg = scratch(0);
    takes_word[function_count] = false;
    switch (chance(3)) {
    case 0:
        byte(0xc3);
        end(RET);
        return;
    case 1: /* takes a word of the caller's along */
        bytes("\xc2\x08\0", 3);
        end(RET_BYTES);
        takes_word[function_count] = true;
        return;
    default:
        byte(0x40 | reg >> 3);
        byte(0x58 | (reg & 7));
        byte(0x40 | reg >> 3);
        byte(0xff);
        byte(0xe0 | (reg & 7));
        end(POP_JMP);
    }
}

/* Returns the address of its entry. */
static uint64_t write_program(uint64_t seed) {
    random_state = (seed + 1) * 0xd1342543de82ef95 | 1;
    for (unsigned i = 0; i < 8; i++)
        chance(2);
    function_count = 0;
    for (unsigned count = chance(MOST_FUNCTIONS); function_count < count;) {
        const uint64_t begin = address(at);
        some(0, 4);
        for (unsigned left = 1 + chance(3); left > 0; left--)
            segment();
        function_end();
        while ((uint64_t)at % 8)
            byte(0xcc);
        slots[function_count] = address(at);
        number(begin, 8);
        functions[function_count++] = begin;
    }
    const uint64_t entry = address(at);
    for (unsigned left = 2 + chance(6); left > 0; left--)
        segment();
    bytes("\xff\x25", 2); /* jmp *memory */
    number(memory_at + RANDOM_EXIT_AT - address(at + 4), 4);
    number(0x0b0f, 2);
    return entry;
}

static void print_coverage(void) {
    static const char *const names[] = {"integer", "x87", "mmx and sse", "vex", "evex"};
    static bool met[ZYDIS_MNEMONIC_MAX_VALUE + 1], covered[ZYDIS_MNEMONIC_MAX_VALUE + 1];
    unsigned all = 0, used = 0, mnemonics = 0, mnemonics_used = 0;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        unsigned used_here = 0;
        for (unsigned i = 0; i < form_count[kind]; i++) {
            const struct form *form = &forms[kind][i];
            used_here += form->used > 0;
            mnemonics += !met[form->mnemonic];
            met[form->mnemonic] = true;
            mnemonics_used += form->used && !covered[form->mnemonic];
            covered[form->mnemonic] = covered[form->mnemonic] || form->used;
        }
        printf("%s: %u of %u forms\n", names[kind], used_here, form_count[kind]);
        all += form_count[kind];
        used += used_here;
    }
    printf("%u of %u forms, %u of %u mnemonics; blocks:", used, all, mnemonics_used, mnemonics);
    for (unsigned i = 0; i < END_KINDS; i++)
        printf(" %s %u", end_names[i], ends[i]);
    putchar('\n');
}

int main(int argc, char **argv) {
    enum { MOST_BYTES = 64 << 20 };
    if (argc < 4) {
        fprintf(stderr, "usage: random_code FILE FIRST COUNT [far | steps]\n");
        return 2;
    }
    const uint64_t first = strtoull(argv[2], NULL, 10), count = strtoull(argv[3], NULL, 10);
    can_trap = argc < 5 || strcmp(argv[4], "steps") != 0;
    if (argc > 4 && can_trap) {
        const uint64_t away = 0x5a0000000000;
        code_at += away, memory_at += away, stack_at += away;
    }
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    code = mmap((void *)code_at, MOST_BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    void *memory = mmap((void *)memory_at, RANDOM_MEMORY_BYTES + RANDOM_PAGE_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (code == MAP_FAILED || memory == MAP_FAILED) {
        fprintf(stderr, "random_code: the addresses of the code are taken\n");
        return 77;
    }
    static const int faults[] = {SIGILL, SIGSEGV, SIGBUS, SIGFPE, SIGTRAP};
    for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], on_fault);
    random_state = 1;
    find_forms();
    at = code;
    uint64_t *entries = calloc(count, sizeof *entries);
    FILE *file = fopen(argv[1], "wb");
    if (!file || !entries)
        return 2;
    for (uint64_t i = 0; i < count; i++) {
        if (strcmp(argv[1], "/dev/null") == 0)
            at = code;
        entries[i] = write_program(first + i);
    }
    const uint64_t code_begin = (sizeof(struct random_header) + count * sizeof *entries + RANDOM_PAGE_BYTES - 1) /
                                RANDOM_PAGE_BYTES * RANDOM_PAGE_BYTES;
    const struct random_header header = {first, count, code_at, code_begin, (uint64_t)(at - code), memory_at, stack_at};
    fwrite(&header, sizeof header, 1, file);
    fwrite(entries, sizeof *entries, count, file);
    fseek(file, (long)code_begin, SEEK_SET);
    fwrite(code, 1, (size_t)(at - code), file);
    print_coverage();
    return fclose(file) ? 2 : 0;
}
