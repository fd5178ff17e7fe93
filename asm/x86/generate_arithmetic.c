/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic on registers: the operations of each shape and their order. generate_operands.c has the operands. */
#include "generate.h"

#include <assert.h>
#include <string.h>

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
static const struct integer_instruction *integer_find(const struct dialect *dialect, enum element_type type,
                                                      char letter) {
    if (dialect->coding == CODING_GENERAL)
        return find_general(type, letter);
    for (size_t i = 0; i < sizeof vector_table / sizeof *vector_table && dialect->integers; i++)
        if (vector_table[i].letter == letter && vector_table[i].type == type &&
            (dialect->evex || !vector_table[i].evex))
            return &vector_table[i];
    return NULL;
}

bool arithmetic_exists(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic) {
    const struct dialect *dialect = e->dialect;
    if (element_table[type].integer && arithmetic->sort != DOT)
        return arithmetic->orders[0].parts[1] == '\0' &&
               integer_find(dialect, type, arithmetic->orders[0].parts[0]) != NULL;
    if (arithmetic->sort == INTEGER)
        return false;
    const struct extension *extension = extension_find(dialect, type, arithmetic->op);
    bool dots = extension != NULL && extension->dot != NULL;
    bool native = type == TYPE_F64 || (type == TYPE_F32 && dialect->coding != CODING_X87);
    if (arithmetic->sort == DOT || dots || !(native || extension != NULL))
        return arithmetic->sort == DOT && dots;
    return arithmetic->sort == FUSED ? dialect->fused : dialect->plain;
}

uint32_t arithmetic_needs(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic) {
    const struct extension *extension = extension_find(e->dialect, type, arithmetic->op);
    if (!element_table[type].integer || arithmetic->sort == DOT)
        return extension != NULL ? extension->needs : 0;
    return e->dialect->coding == CODING_LEGACY
               ? integer_find(e->dialect, type, arithmetic->orders[0].parts[0])->legacy_needs
               : 0;
}

/* The effect of operation `letter` on accumulator x, on even and on odd visits. Beside the constants, sixteen registers
 * have room for thirteen or fourteen accumulators. For ports and counters a subtraction is an addition. a: x + step, x
 * - step;  m: x * scale, x / scale by its reciprocal;  f: x * 0.55 + step, x * 0.55 - step, a contraction;  t: x + a
 * product, and minus it; all sums are multiples of one small number;  d: x / scale, x / (1 / scale);  s: the root of a
 * constant, so that x does not converge to one;  p: x + the product of two vectors, and minus it. Integers wrap, and
 * their values do not change the speed. */
enum { VISITS = 2 };
static const struct generated_operation {
    char letter;
    enum generated_effect effect;
    const char *names[VISITS];
    enum operand_row rows[VISITS];
} operation_table[] = {
    {'a', EFFECT_ADD, {"add", "sub"}, {ROW_STEP, ROW_STEP}},
    {'m', EFFECT_MUL, {"mul", "mul"}, {ROW_SCALE, ROW_SCALE_BACK}},
    {'f', EFFECT_FMA, {"fmadd213", "fmsub213"}, {ROW_FMA, ROW_FMA}},
    {'t', EFFECT_FMA, {"fmadd231", "fnmadd231"}, {ROW_FMA, ROW_FMA}},
    {'d', EFFECT_DIV, {"div", "div"}, {ROW_SCALE, ROW_SCALE_BACK}},
    {'s', EFFECT_SQRT, {"sqrt", "sqrt"}, {ROW_SCALE, ROW_SCALE_BACK}},
    {'p', EFFECT_DOT, {NULL, NULL}, {ROW_SCALE, ROW_SCALE_NEGATIVE}},
    {'l', EFFECT_SHIFT, {NULL, NULL}, {ROW_NONE, ROW_NONE}},
    {'e', EFFECT_EQUAL, {NULL, NULL}, {ROW_STEP, ROW_STEP}},
    {'g', EFFECT_GREATER, {NULL, NULL}, {ROW_STEP, ROW_STEP}},
    {'c', EFFECT_COMPARE, {NULL, NULL}, {ROW_STEP, ROW_STEP}},
};
enum { OPERATION_COUNT = sizeof operation_table / sizeof *operation_table };
enum { X87_CONSTANTS = 1 };

static const struct generated_operation *generate_arithmetic_operation_find(char letter) {
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (operation_table[i].letter == letter)
            return &operation_table[i];
    assert(false);
    return NULL;
}

/* Constants are in the topmost registers, in the order of the rows. */
static bool row_used(const struct arithmetic_order *order, unsigned row) {
    bool used = strpbrk(order->parts, "ftp") != NULL && row == ROW_STEP;
    for (const char *part = order->parts; *part != '\0'; part++)
        for (unsigned visit = 0; visit < VISITS; visit++)
            used = used || generate_arithmetic_operation_find(*part)->rows[visit] == row;
    return used;
}

unsigned arithmetic_accumulators_max(const struct emitter *e, const struct arithmetic_order *order) {
    unsigned constants = 0;
    for (unsigned row = 0; row < ROW_START; row++)
        constants += row_used(order, row);
    return (e->dialect->coding == CODING_GENERAL ? GENERAL_COUNT : e->isa->register_count) -
           (e->dialect->coding == CODING_X87 ? X87_CONSTANTS : constants);
}

static unsigned generate_arithmetic_constant_register(const struct emitter *e, const struct arithmetic_order *order,
                                                      unsigned row) {
    unsigned index = arithmetic_accumulators_max(e, order);
    for (unsigned below = 0; below < row; below++)
        index += row_used(order, below);
    return index;
}

/* x87 uses one constant, -1 on top of the stack: adding it counts down by one for 2^64 steps before the sum stops
 * moving; multiplying by it flips the sign; x = -1 / x returns to x every second time. */
static void generate_arithmetic_x87_start(struct emitter *e, unsigned accumulators) {
    for (unsigned i = 0; i < accumulators; i++)
        emit(e, EFFECT_NONE, "fldl %u(%%[operands])", operands_offset_bytes(ROW_START + i));
    /* The square of pi is inexact and sets that sticky flag. Until the flag is set, a loop with all eight registers
     * runs at half its rate on Redwood Cove: 0.98 instead of 2.00 operations per cycle. */
    emit(e, EFFECT_NONE, "fldpi");
    emit(e, EFFECT_NONE, "fmul %%st, %%st");
    emit(e, EFFECT_NONE, "fstp %%st(0)");
    emit(e, EFFECT_NONE, "fld1");
    emit(e, EFFECT_NONE, "fchs");
}

/* The number of times that `letter` occurs among the first `length` of a cyclic sequence of parts. */
static unsigned occurrences(const char *parts, char letter, unsigned length) {
    unsigned count = 0;
    for (unsigned i = 0; i < length; i++)
        count += parts[i % strlen(parts)] == letter;
    return count;
}

static const char *owners_of(const struct arithmetic_order *order) {
    return order->owners != NULL ? order->owners : order->parts;
}

bool arithmetic_writes_fresh(const struct arithmetic_order *order) {
    return strspn(order->parts, owners_of(order)) < strlen(order->parts);
}

unsigned arithmetic_shape_parts(const struct arithmetic_order *order) {
    return (unsigned)strlen(owners_of(order));
}

unsigned arithmetic_operations(const struct arithmetic_order *order, unsigned accumulators, unsigned unroll) {
    const char *parts = order->parts;
    unsigned length = (unsigned)strlen(parts), cycles = (accumulators * unroll + length - 1) / length;
    for (bool even = false; !even; cycles += !even) {
        even = true;
        for (unsigned i = 0; i < length; i++) {
            const unsigned own = occurrences(owners_of(order), parts[i], accumulators);
            even = even && (own == 0 || cycles * occurrences(parts, parts[i], length) % (VISITS * own) == 0);
        }
    }
    return cycles * length;
}

void arithmetic_variant(const struct arithmetic_order *order, unsigned accumulators, unsigned unroll, char *out,
                        size_t size) {
    unsigned first = occurrences(owners_of(order), order->parts[0], accumulators);
    if (first == accumulators && !arithmetic_writes_fresh(order))
        snprintf(out, size, "%ux%u", accumulators, unroll);
    else
        snprintf(out, size, "%u+%ux%u%s%s", first, accumulators - first, unroll, strlen(order->parts) > 3 ? "." : "",
                 strlen(order->parts) > 3 ? order->parts : "");
}

/* All rows of a tile are the same row of the table: rdx, the stride between rows, is zero. */
static void operand_load(struct emitter *e, unsigned row, unsigned index) {
    unsigned offset = operands_offset_bytes(row);
    if (e->dialect->coding == CODING_AMX)
        emit(e, EFFECT_NONE, "tileloadd %u(%%[operands],%%rdx), %s", offset, emit_register(e, index).text);
    else
        emit(e, EFFECT_NONE, "%s %u(%%[operands]), %s", emit_move(e), offset, emit_register(e, index).text);
}

void arithmetic_start(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators) {
    assert(accumulators <= START_COUNT && accumulators <= arithmetic_accumulators_max(e, order));
    if (e->dialect->coding == CODING_X87) {
        generate_arithmetic_x87_start(e, accumulators);
        return;
    }
    if (e->dialect->coding == CODING_AMX) {
        emit(e, EFFECT_NONE, "ldtilecfg %u(%%[operands])", operands_offset_bytes(ROW_TILES));
        emit(e, EFFECT_NONE, "xor %%edx, %%edx");
    }
    for (unsigned row = 0; row < ROW_START; row++)
        if (row_used(order, row))
            operand_load(e, row, generate_arithmetic_constant_register(e, order, row));
    for (unsigned i = 0; i < accumulators; i++)
        operand_load(e, ROW_START + i, i);
}

/* A root is taken on top of the stack: the operand is copied there, and the result is dropped. */
static void x87_emit(struct emitter *e, const struct generated_operation *operation, unsigned accumulator) {
    struct operand_text x = emit_register(e, accumulator + 1);
    if (operation->effect != EFFECT_SQRT) {
        emit(e, operation->effect, "f%s %%st, %s", operation->names[0], x.text);
        return;
    }
    emit(e, EFFECT_NONE, "fld %s", x.text);
    emit(e, EFFECT_SQRT, "fsqrt");
    emit(e, EFFECT_NONE, "fstp %%st(0)");
}

/* Shifts have an immediate count; AVX-512 compares write mask registers in turn. */
static void integer_emit(struct emitter *e, const struct generated_operation *operation, unsigned accumulator,
                         unsigned visit, struct operand_text constant) {
    enum { SHIFT_BITS = 3, MASKS = 7 };
    const struct integer_instruction *instruction = integer_find(e->dialect, e->kernel.type, operation->letter);
    const char *name = instruction->names[visit], *x;
    struct operand_text own = emit_register(e, accumulator);
    bool vex = e->dialect->coding == CODING_VEX, compares = operation->letter == 'e' || operation->letter == 'g';
    x = own.text;
    if (operation->letter == 'l' && vex)
        emit(e, operation->effect, "v%s $%d, %s, %s", name, SHIFT_BITS, x, x);
    else if (operation->letter == 'l')
        emit(e, operation->effect, "%s $%d, %s", name, SHIFT_BITS, x);
    else if (compares && e->isa->vector_bytes == LINE_BYTES)
        emit(e, operation->effect, "v%s %s, %s, %%k%u", name, constant.text, x, 1 + accumulator % MASKS);
    else if (vex)
        emit(e, operation->effect, "v%s %s, %s, %s", name, constant.text, x, x);
    else
        emit(e, operation->effect, "%s %s, %s", name, constant.text, x);
}

/* The n-th of the operations whose letter owns no accumulator: the sum or product of an accumulator that was written
 * long ago and a constant, in one of the free registers in turn. */
static void fresh_emit(struct emitter *e, const struct arithmetic_order *order,
                       const struct generated_operation *operation, unsigned accumulators, unsigned n) {
    const unsigned visit = n % VISITS, unused = arithmetic_accumulators_max(e, order) - accumulators;
    const struct operand_text from = emit_register(e, (n + accumulators / 2) % accumulators),
                              to = emit_register(e, accumulators + n % unused),
                              mnemonic = emit_mnemonic(e, operation->names[visit]),
                              constant = emit_register(
                                  e, generate_arithmetic_constant_register(e, order, operation->rows[visit]));
    if (e->dialect->coding == CODING_VEX) {
        emit(e, operation->effect, "%s %s, %s, %s", mnemonic.text, constant.text, from.text, to.text);
        return;
    }
    emit(e, EFFECT_NONE, "movaps %s, %s", from.text, to.text);
    emit(e, operation->effect, "%s %s, %s", mnemonic.text, constant.text, to.text);
}

/* The n-th operation has the parts' n-th letter in turn, so the mix is exact. Accumulator i belongs to the owners'
 * letter i: each letter has its own accumulators and visits them in turn. */
void arithmetic_emit(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators, unsigned n) {
    const char *parts = order->parts, *owners = owners_of(order);
    unsigned length = (unsigned)strlen(parts), owner_count = (unsigned)strlen(owners);
    char letter = parts[n % length];
    const struct generated_operation *operation = generate_arithmetic_operation_find(letter);
    unsigned own = occurrences(owners, letter, accumulators);
    unsigned nth = n / length * occurrences(parts, letter, length) + occurrences(parts, letter, n % length);
    unsigned accumulator = 0;
    if (own == 0) {
        fresh_emit(e, order, operation, accumulators, nth);
        return;
    }
    while (owners[accumulator % owner_count] != letter || occurrences(owners, letter, accumulator) != nth % own)
        accumulator++;
    if (e->dialect->coding == CODING_X87) {
        x87_emit(e, operation, accumulator);
        return;
    }
    /* Neighbours alternate, so that consecutive operations work on different bits. */
    unsigned visit = (nth / own + accumulator) % VISITS;
    struct operand_text x = emit_register(e, accumulator), mnemonic;
    if (element_table[e->kernel.type].integer && operation->effect != EFFECT_DOT) {
        enum operand_row row = operation->rows[visit];
        integer_emit(e, operation, accumulator, visit,
                     emit_register(e, row == ROW_NONE ? 0 : generate_arithmetic_constant_register(e, order, row)));
        return;
    }
    const unsigned constant_register = generate_arithmetic_constant_register(e, order, operation->rows[visit]);
    if (operation->effect == EFFECT_DOT) {
        emit_dot(e, extension_find(e->dialect, e->kernel.type, e->op)->dot, accumulator,
                 generate_arithmetic_constant_register(e, order, ROW_STEP), constant_register);
        return;
    }
    mnemonic = emit_mnemonic(e, operation->names[visit]);
    struct operand_text constant = emit_register(e, constant_register);
    struct operand_text step = emit_register(e, generate_arithmetic_constant_register(e, order, ROW_STEP));
    if (operation->effect == EFFECT_FMA)
        emit(e, operation->effect, "%s %s, %s, %s", mnemonic.text, step.text, constant.text, x.text);
    else if (e->dialect->coding == CODING_VEX && !(operation->effect == EFFECT_SQRT && e->dialect->packed))
        emit(e, operation->effect, "%s %s, %s, %s", mnemonic.text, constant.text, x.text, x.text);
    else
        emit(e, operation->effect, "%s %s, %s", mnemonic.text, constant.text, x.text);
}

void arithmetic_finish(struct emitter *e, unsigned accumulators) {
    if (e->dialect->coding == CODING_X87)
        for (unsigned i = 0; i < accumulators + 1; i++)
            emit(e, EFFECT_NONE, "fstp %%st(0)");
    if (e->dialect->coding == CODING_AMX)
        emit(e, EFFECT_NONE, "tilerelease");
}
