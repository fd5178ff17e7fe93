/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions of x86-64 in AT&T syntax. rax is the cursor in the buffer, rcx counts blocks. Vectors of AVX and
 * later are written with VEX names, which have an operand more; the assembler chooses EVEX. */
#include "asm/generate/generate.h"

#include <string.h>

#include "asm/x86/dots.h"

/* The general registers that kernels use: r8 to r15. */
enum { FIRST_GENERAL = 8, GENERAL_COUNT = 8, X87_CONSTANTS = 1 };
#define GENERAL_CLOBBERS ", \"r8\", \"r9\", \"r10\", \"r11\", \"r12\", \"r13\", \"r14\", \"r15\""
#define MASK_CLOBBERS    ", \"k1\", \"k2\", \"k3\", \"k4\", \"k5\", \"k6\", \"k7\""

static bool is_vex(const struct emitter *e) {
    return e->dialect->keeps_sources;
}

static bool is_evex(const struct emitter *e) {
    return e->isa->vector_bytes == LINE_BYTES;
}

struct operand_text write_clobber(const struct isa *isa, unsigned index) {
    struct operand_text text;
    snprintf(text.text, sizeof text.text, isa->operands != ISA_STACK ? "xmm%u" : index > 0 ? "st(%u)" : "st", index);
    return text;
}

/* "%ymm3" */
static struct operand_text register_text(const struct emitter *e, unsigned index) {
    static const char *const SUFFIXES[] = {[1] = "b", [2] = "w", [4] = "d", [8] = ""};
    struct operand_text text;
    if (emit_is_general(e))
        snprintf(text.text, sizeof text.text, "%%r%u%s", FIRST_GENERAL + index,
                 SUFFIXES[element_table[e->kernel.type].bytes]);
    else
        snprintf(text.text, sizeof text.text, emit_is(e, ISA_STACK) ? "%%%s(%u)" : "%%%s%u", e->dialect->registers,
                 index);
    return text;
}

/* "vaddpd" of "add" */
static struct operand_text mnemonic_text(const struct emitter *e, const char *base) {
    struct operand_text text;
    snprintf(text.text, sizeof text.text, "%s%s%c%c", is_vex(e) ? "v" : "", base, e->dialect->packed ? 'p' : 's',
             e->kernel.type == TYPE_F16   ? 'h'
             : e->kernel.type == TYPE_F32 ? 's'
                                          : 'd');
    return text;
}

static const char *move_name(const struct emitter *e) {
    if (emit_is_general(e))
        return "mov";
    bool vex = is_vex(e);
    if (e->dialect->packed && element_table[e->kernel.type].integer)
        return is_evex(e) ? "vmovdqa64" : vex ? "vmovdqa" : "movdqa";
    if (e->dialect->packed)
        return vex ? "vmovaps" : "movaps";
    if (e->kernel.type == TYPE_F32)
        return vex ? "vmovss" : "movss";
    return vex ? "vmovsd" : "movsd";
}

/* A root is taken on top of the stack, from a copy. */
unsigned write_register_count(const struct emitter *e, const struct arithmetic_order *order) {
    if (emit_is_general(e))
        return GENERAL_COUNT;
    if (emit_is(e, ISA_STACK))
        return e->dialect->register_count - X87_CONSTANTS - (strchr(order->parts, 's') != NULL);
    return e->dialect->register_count;
}

/* x87 uses one constant, -1 on top of the stack: adding it counts down by one for 2^64 steps before the sum stops
 * moving; multiplying by it flips the sign; x = -1 / x returns to x every second time.
 * The square of pi is inexact and sets that sticky flag. Until the flag is set, a loop with all eight registers runs at
 * half its rate on Redwood Cove: 0.98 instead of 2.00 operations per cycle. */
static void x87_constant(struct emitter *e) {
    emit(e, EFFECT_NONE, "fldpi");
    emit(e, EFFECT_NONE, "fmul %%st, %%st");
    emit(e, EFFECT_NONE, "fstp %%st(0)");
    emit(e, EFFECT_NONE, "fld1");
    emit(e, EFFECT_NONE, "fchs");
}

void write_loop_begin(struct emitter *e) {
    if (emit_is(e, ISA_STACK) && e->kernel.kind != KERNEL_MEMORY)
        x87_constant(e);
    emit(e, EFFECT_NONE, "1:");
    if (e->kernel.kind != KERNEL_CHASE)
        emit(e, EFFECT_NONE, "mov %%[buffer], %%rax");
    emit(e, EFFECT_NONE, "mov %%[blocks], %%rcx");
    emit(e, EFFECT_NONE, ".p2align 6");
    emit(e, EFFECT_NONE, "2:");
    emit_loop_begin(e);
}

void write_loop_end(struct emitter *e, unsigned step_bytes) {
    if (step_bytes != 0)
        emit(e, EFFECT_NONE, "add $%u, %%rax", step_bytes);
    emit(e, EFFECT_NONE, "dec %%rcx");
    emit(e, EFFECT_NONE, "jnz 2b");
    emit_loop_end(e, step_bytes);
    emit(e, EFFECT_NONE, "dec %%[passes]");
    emit(e, EFFECT_NONE, "jnz 1b");
}

/* An x87 kernel leaves its accumulators and a constant on the stack. */
void write_end(struct emitter *e) {
    for (unsigned i = 0; emit_is(e, ISA_STACK) && i < e->kernel.accumulators + X87_CONSTANTS; i++)
        emit(e, EFFECT_NONE, "fstp %%st(0)");
    if (emit_is(e, ISA_TILES))
        emit(e, EFFECT_NONE, "tilerelease");
    if (is_vex(e))
        emit(e, EFFECT_NONE, "vzeroupper");
    if (emit_is_general(e))
        e->clobbers = GENERAL_CLOBBERS;
    emit_end(e, "\"+&a\"", "\"rcx\"");
}

void write_arithmetic_begin(struct emitter *e) {
    if (!emit_is(e, ISA_TILES))
        return;
    e->clobbers = ", \"rdx\"";
    emit(e, EFFECT_NONE, "ldtilecfg %u(%%[operands])", operands_offset_bytes(ROW_TILES));
    emit(e, EFFECT_NONE, "xor %%edx, %%edx");
}

/* All rows of a tile are the same row of the table: rdx, the stride between rows, is zero. */
void write_operand(struct emitter *e, unsigned row, unsigned index) {
    const unsigned offset = operands_offset_bytes(row);
    if (emit_is(e, ISA_STACK))
        emit(e, EFFECT_NONE, "fldl %u(%%[operands])", offset);
    else if (emit_is(e, ISA_TILES))
        emit(e, EFFECT_NONE, "tileloadd %u(%%[operands],%%rdx), %s", offset, register_text(e, index).text);
    else
        emit(e, EFFECT_NONE, "%s %u(%%[operands]), %s", move_name(e), offset, register_text(e, index).text);
}

/* An integer operation as one instruction: on even and on odd visits of an accumulator. */
struct integer_instruction {
    char letter;
    enum element_type type;
    const char *names[2];      /* "padd", "psub"; VEX adds a v in front */
    cpu_features legacy_needs; /* for the SSE form, in addition to the ISA's own */
    bool evex;                 /* only AVX-512 has it */
};

/* Integer instructions of each element size; operations without a row exist on no CPU. Vectors have no product and no
 * shift of 8-bit elements. Plain AVX computes with integers of 128 bits, like SSE. Products return the low half. */
static const struct integer_instruction vector_table[] = {
    {'a', TYPE_I8, {"paddb", "psubb"}, 0, false},      {'a', TYPE_I16, {"paddw", "psubw"}, 0, false},
    {'a', TYPE_I32, {"paddd", "psubd"}, 0, false},     {'a', TYPE_I64, {"paddq", "psubq"}, 0, false},
    {'m', TYPE_I16, {"pmullw", "pmullw"}, 0, false},   {'m', TYPE_I32, {"pmulld", "pmulld"}, CPU_SSE4_1, false},
    {'m', TYPE_I64, {"pmullq", "pmullq"}, 0, true},    {'l', TYPE_I16, {"psllw", "psrlw"}, 0, false},
    {'l', TYPE_I32, {"pslld", "psrld"}, 0, false},     {'l', TYPE_I64, {"psllq", "psrlq"}, 0, false},
    {'e', TYPE_I8, {"pcmpeqb", "pcmpeqb"}, 0, false},  {'e', TYPE_I16, {"pcmpeqw", "pcmpeqw"}, 0, false},
    {'e', TYPE_I32, {"pcmpeqd", "pcmpeqd"}, 0, false}, {'e', TYPE_I64, {"pcmpeqq", "pcmpeqq"}, CPU_SSE4_1, false},
    {'g', TYPE_I8, {"pcmpgtb", "pcmpgtb"}, 0, false},  {'g', TYPE_I16, {"pcmpgtw", "pcmpgtw"}, 0, false},
    {'g', TYPE_I32, {"pcmpgtd", "pcmpgtd"}, 0, false}, {'g', TYPE_I64, {"pcmpgtq", "pcmpgtq"}, CPU_SSE4_2, false},
};

/* One name for all sizes; an 8-bit product works only through al. */
static const struct integer_instruction general_table[] = {
    /* the type is the smallest one that it supports */
    {'a', TYPE_I8, {"add", "sub"}, 0, false},
    {'m', TYPE_I16, {"imul", "imul"}, 0, false},
    {'l', TYPE_I8, {"shl", "shr"}, 0, false},
    {'c', TYPE_I8, {"cmp", "cmp"}, 0, false},
};

static const struct integer_instruction *find_general(enum element_type type, char letter) {
    for (size_t i = 0; i < sizeof general_table / sizeof *general_table; i++)
        if (general_table[i].letter == letter && type >= general_table[i].type)
            return &general_table[i];
    return NULL;
}

/* On general registers or vectors; NULL: the ISA has no such instruction for that element size. */
static const struct integer_instruction *integer_find(const struct emitter *e, enum element_type type, char letter) {
    if (emit_is_general(e))
        return find_general(type, letter);
    for (size_t i = 0; i < sizeof vector_table / sizeof *vector_table && e->dialect->integers; i++)
        if (vector_table[i].letter == letter && vector_table[i].type == type && (is_evex(e) || !vector_table[i].evex))
            return &vector_table[i];
    return NULL;
}

bool write_has_integers(const struct emitter *e, enum element_type type, char letter) {
    return integer_find(e, type, letter) != NULL;
}

cpu_features write_integer_needs(const struct emitter *e, enum element_type type, char letter) {
    return is_vex(e) ? 0 : integer_find(e, type, letter)->legacy_needs;
}

/* Shifts have an immediate count; AVX-512 compares write mask registers in turn. */
static void write_integer(struct emitter *e, const struct operation *o) {
    enum { SHIFT_BITS = 3, MASKS = 7 };
    const char *name = integer_find(e, e->kernel.type, o->letter)->names[o->visit];
    const struct operand_text own = register_text(e, o->to), constant = register_text(e, o->constant);
    const char *x = own.text;
    const bool vex = is_vex(e), compares = o->letter == 'e' || o->letter == 'g';
    if (o->letter == 'l' && vex)
        emit(e, o->effect, "v%s $%d, %s, %s", name, SHIFT_BITS, x, x);
    else if (o->letter == 'l')
        emit(e, o->effect, "%s $%d, %s", name, SHIFT_BITS, x);
    else if (compares && is_evex(e))
        emit(e, o->effect, "v%s %s, %s, %%k%u", name, constant.text, x, 1 + o->to % MASKS);
    else if (vex)
        emit(e, o->effect, "v%s %s, %s, %s", name, constant.text, x, x);
    else
        emit(e, o->effect, "%s %s, %s", name, constant.text, x);
    if (compares && is_evex(e))
        e->clobbers = MASK_CLOBBERS;
}

/* VEX of three bytes in map 0F38, and three registers. Of vectors the first factor is in vvvv, of tiles the second. */
static void write_encoded(struct emitter *e, const struct dot *dot, unsigned sum, unsigned first, unsigned second) {
    const bool tiles = emit_is(e, ISA_TILES);
    const unsigned vvvv = tiles ? second : first, rm = tiles ? first : second;
    const unsigned vex[] = {(sum < 8 ? 0x80 : 0) | 0x40 | (rm < 8 ? 0x20 : 0) | 2,
                            (~vvvv & 15) << 3 | (tiles ? 0 : 4) | dot->prefix};
    emit(e, EFFECT_DOT, ".byte 0xc4, %#x, %#x, %#x, %#x # %s %s, %s, %s", vex[0], vex[1], dot->opcode,
         0xc0 | (sum & 7) << 3 | (rm & 7), dot->name, register_text(e, second).text, register_text(e, first).text,
         register_text(e, sum).text);
}

/* The dot product's first factor is `step`: for i8 it is unsigned, and the second one is signed. */
static void write_dot(struct emitter *e, const struct operation *o) {
    for (size_t i = 0; i < dot_count; i++)
        if (strcmp(dot_table[i].name, o->dot) == 0) {
            write_encoded(e, &dot_table[i], o->to, o->step, o->constant);
            return;
        }
    emit(e, EFFECT_DOT, "%s %s, %s, %s", o->dot, register_text(e, o->constant).text, register_text(e, o->step).text,
         register_text(e, o->to).text);
}

/* A root is taken on top of the stack: the operand is copied there, and the result is dropped. */
static void write_x87(struct emitter *e, const struct operation *o, const char *name) {
    const struct operand_text x = register_text(e, o->to + X87_CONSTANTS);
    if (o->effect != EFFECT_SQRT) {
        emit(e, o->effect, "f%s %%st, %s", name, x.text);
        return;
    }
    emit(e, EFFECT_NONE, "fld %s", x.text);
    emit(e, EFFECT_SQRT, "fsqrt");
    emit(e, EFFECT_NONE, "fstp %%st(0)");
}

static void write_floating(struct emitter *e, const struct operation *o, const char *name) {
    const struct operand_text mnemonic = mnemonic_text(e, name), constant = register_text(e, o->constant),
                              from = register_text(e, o->from), to = register_text(e, o->to);
    if (!is_vex(e) && o->from != o->to)
        emit(e, EFFECT_NONE, "movaps %s, %s", from.text, to.text);
    if (o->effect == EFFECT_FMA)
        emit(e, o->effect, "%s %s, %s, %s", mnemonic.text, register_text(e, o->step).text, constant.text, to.text);
    else if (is_vex(e) && !(o->effect == EFFECT_SQRT && e->dialect->packed))
        emit(e, o->effect, "%s %s, %s, %s", mnemonic.text, constant.text, from.text, to.text);
    else
        emit(e, o->effect, "%s %s, %s", mnemonic.text, constant.text, to.text);
}

void write_operation(struct emitter *e, const struct operation *o) {
    static const struct {
        char letter;
        const char *names[2];
    } names[] = {{'a', {"add", "sub"}},           {'m', {"mul", "mul"}},
                 {'f', {"fmadd213", "fmsub213"}}, {'t', {"fmadd231", "fnmadd231"}},
                 {'d', {"div", "div"}},           {'s', {"sqrt", "sqrt"}}};
    if (o->dot != NULL) {
        write_dot(e, o);
        return;
    }
    if (element_table[e->kernel.type].integer) {
        write_integer(e, o);
        return;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].letter == o->letter && emit_is(e, ISA_STACK))
            write_x87(e, o, names[i].names[0]);
        else if (names[i].letter == o->letter)
            write_floating(e, o, names[i].names[o->visit]);
}

/* Of a scalar nontemporal store the source is rdx. */
static bool uses_movnti(const struct emitter *e, bool nontemporal) {
    return nontemporal && !e->dialect->packed;
}

void write_source(struct emitter *e, unsigned index, bool nontemporal, bool zeros) {
    if (emit_is(e, ISA_STACK)) {
        emit(e, EFFECT_NONE, "fldl (%%[operands])");
        return;
    }
    if (uses_movnti(e, nontemporal)) {
        e->clobbers = ", \"rdx\"";
        emit(e, EFFECT_NONE, "mov (%%[operands]), %%rdx");
        return;
    }
    const struct operand_text text = register_text(e, index);
    emit(e, EFFECT_NONE, "%s (%%[operands]), %s", move_name(e), text.text);
    if (zeros && is_vex(e))
        emit(e, EFFECT_NONE, "vxorps %s, %s, %s", text.text, text.text, text.text);
    else if (zeros)
        emit(e, EFFECT_NONE, "xorps %s, %s", text.text, text.text);
}

/* Loads of less than 32 bits into general registers extend to the whole register, as compilers do, so that they do not
 * depend on its old value. */
void write_load(struct emitter *e, unsigned offset_bytes, unsigned index) {
    static const char *const LOADS[] = {[1] = "movzbl", [2] = "movzwl", [4] = "mov", [8] = "mov"};
    const unsigned bytes = emit_data_bytes(e);
    if (emit_is(e, ISA_STACK)) {
        emit(e, EFFECT_LOAD, "fldl %u(%%rax)", offset_bytes);
        emit(e, EFFECT_NONE, "fstp %%st(0)");
    } else if (emit_is_general(e)) {
        emit(e, EFFECT_LOAD, "%s %u(%%rax), %%r%u%s", LOADS[bytes], offset_bytes, FIRST_GENERAL + index,
             bytes < 8 ? "d" : "");
    } else {
        emit(e, EFFECT_LOAD, "%s %u(%%rax), %s", move_name(e), offset_bytes, register_text(e, index).text);
    }
}

void write_store(struct emitter *e, unsigned offset_bytes, unsigned index, bool nontemporal) {
    if (emit_is(e, ISA_STACK))
        emit(e, EFFECT_STORE, "fstl %u(%%rax)", offset_bytes);
    else if (uses_movnti(e, nontemporal))
        emit(e, EFFECT_STORE, "movnti %%rdx, %u(%%rax)", offset_bytes);
    else
        emit(e, EFFECT_STORE, "%s %s, %u(%%rax)",
             !nontemporal ? move_name(e)
             : is_vex(e)  ? "vmovntps"
                          : "movntps",
             register_text(e, index).text, offset_bytes);
}

void write_fence(struct emitter *e) {
    emit(e, EFFECT_NONE, "sfence");
}

void write_line_of_zeros(struct emitter *e) {
    e->kernel.needs |= CPU_SSE2; /* of the fence */
    emit(e, EFFECT_NONE, "clzero");
}

void write_demote(struct emitter *e, unsigned offset_bytes) {
    emit(e, EFFECT_NONE, "cldemote %u(%%rax)", offset_bytes);
}

/* Linear congruential generators; rdx is the line's offset. The high half of state × lines is an index below any number
 * of lines. The two multiplications per line share one port on most cores, so a line takes at least two cycles: this
 * limits nothing below the L2. */
void write_random_begin(struct emitter *e, unsigned states) {
    e->clobbers = ", \"rdx\", \"rsi\", \"r8\", \"r9\", \"r10\", \"r11\"";
    emit(e, EFFECT_NONE, "movabs $6364136223846793005, %%rsi");
    emit(e, EFFECT_NONE, "mov %%[seed], %%r8");
    for (unsigned i = 1; i < states; i++) {
        emit(e, EFFECT_NONE, "lea 1(%%r%u), %%r%u", FIRST_GENERAL + i - 1, FIRST_GENERAL + i);
        emit(e, EFFECT_NONE, "imul %%rsi, %%r%u", FIRST_GENERAL + i);
    }
}

void write_random_line(struct emitter *e, unsigned state) {
    emit(e, EFFECT_NONE, "mov %%r%u, %%rax", FIRST_GENERAL + state);
    emit(e, EFFECT_NONE, "imul %%rsi, %%r%u", FIRST_GENERAL + state);
    emit(e, EFFECT_NONE, "mul %%[lines]");
    emit(e, EFFECT_NONE, "add $1442695, %%r%u", FIRST_GENERAL + state);
    emit(e, EFFECT_NONE, "shl $6, %%rdx");
}

void write_random_load(struct emitter *e, unsigned offset_bytes, unsigned index) {
    emit(e, EFFECT_LOAD, "%s %u(%%[buffer],%%rdx), %s", move_name(e), offset_bytes, register_text(e, index).text);
}

void write_hop(struct emitter *e) {
    emit(e, EFFECT_LOAD, "mov (%%rax), %%rax");
}

/* The first chains wait in registers. */
void write_chains_begin(struct emitter *e, unsigned count) {
    e->clobbers = ", \"rdx\"" GENERAL_CLOBBERS;
    for (unsigned i = 0; i < count && i < GENERAL_COUNT; i++)
        emit(e, EFFECT_NONE, "mov %u(%%rax), %%r%u", 8 * i, FIRST_GENERAL + i);
}

/* Where a chain waits in the array, a hop takes as long as a store and its load, about five cycles, in addition. */
void write_chains_hop(struct emitter *e, unsigned chain) {
    if (chain < GENERAL_COUNT) {
        emit(e, EFFECT_LOAD, "mov (%%r%u), %%r%u", FIRST_GENERAL + chain, FIRST_GENERAL + chain);
    } else {
        emit(e, EFFECT_LOAD, "mov %u(%%rax), %%rdx", 8 * chain);
        emit(e, EFFECT_LOAD, "mov (%%rdx), %%rdx");
        emit(e, EFFECT_STORE, "mov %%rdx, %u(%%rax)", 8 * chain);
    }
}

void write_chains_end(struct emitter *e, unsigned count) {
    for (unsigned i = 0; i < count && i < GENERAL_COUNT; i++)
        emit(e, EFFECT_NONE, "mov %%r%u, %u(%%rax)", FIRST_GENERAL + i, 8 * i);
}
