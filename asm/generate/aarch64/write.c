/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions of AArch64. x1 counts blocks, x8 is an address, x9 to x15 are general registers of kernels. */
#include "asm/generate/generate.h"

#include <string.h>

enum { FIRST = 9, GENERAL = 7 };
static unsigned element_bytes(const struct emitter *e) {
    return element_table[e->kernel.type].bytes;
}
struct operand_text write_clobber(const struct isa *isa, unsigned i) {
    struct operand_text t;
    (void)isa;
    snprintf(t.text, 32, "v%u", i);
    return t;
}
unsigned write_register_count(const struct emitter *e, const struct arithmetic_order *o) {
    (void)o;
    return emit_is_general(e) ? GENERAL : e->dialect->register_count;
}
static struct operand_text text_of(const struct emitter *e, unsigned i) {
    struct operand_text t;
    unsigned b = element_bytes(e);
    if (emit_is_general(e))
        snprintf(t.text, 32, "%c%u", b == 8 ? 'x' : 'w', FIRST + i);
    else if (e->dialect->packed)
        snprintf(t.text, 32, "v%u.%s", i, b == 8 ? "2d" : b == 4 ? "4s" : b == 2 ? "8h" : "16b");
    else
        snprintf(t.text, 32, "%c%u", b == 8 ? 'd' : 's', i);
    return t;
}
static struct operand_text whole(const struct emitter *e, unsigned i) {
    struct operand_text t;
    if (!e->dialect->packed)
        return text_of(e, i);
    snprintf(t.text, 32, "q%u", i);
    return t;
}
static void address(struct emitter *e, unsigned effect, const char *name, unsigned i, const char *base, unsigned off) {
    if (off % emit_data_bytes(e) == 0 && off / emit_data_bytes(e) < 4096) {
        emit(e, effect, "%s %s, [%s, %u]", name, whole(e, i).text, base, off);
        return;
    }
    emit(e, EFFECT_NONE, "add x8, %s, %u", base, off & 0xfff000u);
    emit(e, effect, "%s %s, [x8, %u]", name, whole(e, i).text, off & 0xfff);
}
void write_loop_begin(struct emitter *e) {
    emit(e, EFFECT_NONE, "1:");
    if (e->kernel.kind != KERNEL_CHASE)
        emit(e, EFFECT_NONE, "mov %%[cursor], %%[buffer]");
    emit(e, EFFECT_NONE, "mov x1, %%[blocks]");
    emit(e, EFFECT_NONE, ".p2align 6");
    emit(e, EFFECT_NONE, "2:");
    emit_loop_begin(e);
}
void write_loop_end(struct emitter *e, unsigned step) {
    if (step >= 4096)
        emit(e, EFFECT_NONE, "add %%[cursor], %%[cursor], %u", step & 0xfff000u);
    if (step & 0xfff)
        emit(e, EFFECT_NONE, "add %%[cursor], %%[cursor], %u", step & 0xfff);
    emit(e, EFFECT_NONE, "subs x1, x1, 1");
    emit(e, EFFECT_NONE, "b.ne 2b");
    emit_loop_end(e, step);
    emit(e, EFFECT_NONE, "subs %%[passes], %%[passes], 1");
    emit(e, EFFECT_NONE, "b.ne 1b");
}
void write_end(struct emitter *e) {
    e->clobbers = ", \"x8\", \"x9\", \"x10\", \"x11\", \"x12\", \"x13\", \"x14\", \"x15\"";
    emit_end(e, "[cursor] \"+&r\"", "\"x1\"");
}
void write_arithmetic_begin(struct emitter *e) {
    (void)e;
}
void write_operand(struct emitter *e, unsigned row, unsigned i) {
    address(e, EFFECT_NONE, "ldr", i, "%[operands]", operands_offset_bytes(row));
}
bool write_has_integers(const struct emitter *e, enum element_type t, char l) {
    if (emit_is_general(e))
        return t >= TYPE_I32 && strchr("amlc", l);
    return e->dialect->integers && strchr("aleg", l);
}
cpu_features write_integer_needs(const struct emitter *e, enum element_type t, char l) {
    (void)e;
    (void)t;
    (void)l;
    return 0;
}
void write_operation(struct emitter *e, const struct operation *o) {
    struct operand_text to = text_of(e, o->to), from = text_of(e, o->from), c = text_of(e, o->constant),
                        step = text_of(e, o->step);
    bool integer = element_table[e->kernel.type].integer, general = emit_is_general(e);
    if (o->dot) {
        emit(e, EFFECT_DOT, "%s v%u.4s, v%u.16b, v%u.16b", o->dot, o->to, o->step, o->constant);
        return;
    }
    switch (o->letter) {
    case 'a':
        emit(e, o->effect, "%s%s %s, %s, %s", integer ? "" : "f", o->visit ? "sub" : "add", to.text, from.text, c.text);
        return;
    case 'm':
        emit(e, o->effect, "%smul %s, %s, %s", integer ? "" : "f", to.text, from.text, c.text);
        return;
    case 'd':
        emit(e, o->effect, "fdiv %s, %s, %s", to.text, from.text, c.text);
        return;
    case 's':
        emit(e, o->effect, "fsqrt %s, %s", to.text, c.text);
        return;
    case 'l':
        emit(e, o->effect,
             general    ? (o->visit ? "lsr %s, %s, 3" : "lsl %s, %s, 3")
             : o->visit ? "ushr %s, %s, 3"
                        : "shl %s, %s, 3",
             to.text, to.text);
        return;
    case 'e':
        emit(e, o->effect, "cmeq %s, %s, %s", to.text, to.text, c.text);
        return;
    case 'g':
        emit(e, o->effect, "cmgt %s, %s, %s", to.text, to.text, c.text);
        return;
    case 'c':
        emit(e, o->effect, "cmp %s, %s", to.text, c.text);
        return;
    default:
        if (e->dialect->packed)
            emit(e, o->effect, "%s %s, %s, %s", o->visit ? "fmls" : "fmla", to.text, step.text, c.text);
        else if (o->letter == 'f')
            emit(e, o->effect, "%s %s, %s, %s, %s", o->visit ? "fnmsub" : "fmadd", to.text, to.text, c.text, step.text);
        else
            emit(e, o->effect, "%s %s, %s, %s, %s", o->visit ? "fmsub" : "fmadd", to.text, step.text, c.text, to.text);
    }
}
void write_source(struct emitter *e, unsigned i, bool nt, bool zeros) {
    (void)nt;
    write_operand(e, 0, i);
    if (zeros)
        emit(e, EFFECT_NONE, "movi v%u.2d, 0", i);
}
static const char *load_name(const struct emitter *e) {
    unsigned b = element_bytes(e);
    return emit_is_general(e) ? (b == 1 ? "ldrb" : b == 2 ? "ldrh" : "ldr") : "ldr";
}
void write_load(struct emitter *e, unsigned off, unsigned i) {
    address(e, EFFECT_LOAD, load_name(e), emit_is_general(e) ? i % GENERAL : i, "%[cursor]", off);
}
void write_store(struct emitter *e, unsigned off, unsigned i, bool nt) {
    unsigned b = element_bytes(e);
    (void)nt;
    address(e, EFFECT_STORE, emit_is_general(e) && b < 4 ? b == 1 ? "strb" : "strh" : "str", i, "%[cursor]", off);
}
void write_fence(struct emitter *e) {
    emit(e, EFFECT_NONE, "dmb ishst");
}
void write_line_of_zeros(struct emitter *e) {
    emit(e, EFFECT_NONE, "dc zva, %%[cursor]");
}
void write_demote(struct emitter *e, unsigned off) {
    (void)off;
    emit(e, EFFECT_NONE, "nop");
}
void write_random_begin(struct emitter *e, unsigned n) {
    emit(e, EFFECT_NONE, "mov x13, 0x7f2d");
    emit(e, EFFECT_NONE, "movk x13, 0x4c95, lsl 16");
    emit(e, EFFECT_NONE, "mov x9, %%[seed]");
    for (unsigned i = 1; i < n; i++)
        emit(e, EFFECT_NONE, "add x%u, x%u, 1", FIRST + i, FIRST + i - 1);
}
void write_random_line(struct emitter *e, unsigned s) {
    emit(e, EFFECT_NONE, "madd x%u, x%u, x13, x13", FIRST + s, FIRST + s);
    emit(e, EFFECT_NONE, "umulh x8, x%u, %%[lines]", FIRST + s);
    emit(e, EFFECT_NONE, "add x8, %%[buffer], x8, lsl 6");
}
void write_random_load(struct emitter *e, unsigned off, unsigned i) {
    emit(e, EFFECT_LOAD, "ldr %s, [x8, %u]", whole(e, i).text, off);
}
void write_hop(struct emitter *e) {
    emit(e, EFFECT_LOAD, "ldr %%[cursor], [%%[cursor]]");
}
void write_chains_begin(struct emitter *e, unsigned n) {
    for (unsigned i = 0; i < n && i < GENERAL; i++)
        emit(e, EFFECT_NONE, "ldr x%u, [%%[cursor], %u]", FIRST + i, 8 * i);
}
void write_chains_hop(struct emitter *e, unsigned i) {
    if (i < GENERAL)
        emit(e, EFFECT_LOAD, "ldr x%u, [x%u]", FIRST + i, FIRST + i);
    else {
        emit(e, EFFECT_LOAD, "ldr x8, [%%[cursor], %u]", 8 * i);
        emit(e, EFFECT_LOAD, "ldr x8, [x8]");
        emit(e, EFFECT_STORE, "str x8, [%%[cursor], %u]", 8 * i);
    }
}
void write_chains_end(struct emitter *e, unsigned n) {
    for (unsigned i = 0; i < n && i < GENERAL; i++)
        emit(e, EFFECT_NONE, "str x%u, [%%[cursor], %u]", FIRST + i, 8 * i);
}
