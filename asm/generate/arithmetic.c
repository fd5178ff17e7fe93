/* SPDX-License-Identifier: BSD-3-Clause
 * Arithmetic on registers: the operations of each shape and their order. operands.c has the operands. */
#include "generate.h"

#include <assert.h>
#include <string.h>

static const struct extension *extension_find(const struct dialect *dialect, enum element_type type, const char *op) {
    for (size_t i = 0; i < extension_count; i++) {
        const struct extension *row = &extension_table[i];
        const char *const isa = dialect->model != NULL ? dialect->model : dialect->isa;
        if (row->type == type && strcmp(row->isa, isa) == 0 && (!row->op || strcmp(row->op, op) == 0))
            return row;
    }
    return NULL;
}

bool arithmetic_exists(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic) {
    const struct dialect *dialect = e->dialect;
    if (element_table[type].integer && arithmetic->sort != DOT)
        return arithmetic->orders[0].parts[1] == '\0' && write_has_integers(e, type, arithmetic->orders[0].parts[0]);
    if (arithmetic->sort == INTEGER)
        return false;
    const struct extension *extension = extension_find(dialect, type, arithmetic->op);
    bool dots = extension != NULL && extension->dot != NULL;
    bool native = type == TYPE_F64 || (type == TYPE_F32 && !emit_is(e, ISA_STACK));
    if (arithmetic->sort == DOT || dots || !(native || extension != NULL))
        return arithmetic->sort == DOT && dots;
    return arithmetic->sort == FUSED ? dialect->fused : dialect->plain;
}

cpu_features arithmetic_needs(const struct emitter *e, enum element_type type, const struct arithmetic *arithmetic) {
    const struct extension *extension = extension_find(e->dialect, type, arithmetic->op);
    if (!element_table[type].integer || arithmetic->sort == DOT)
        return extension != NULL ? extension->needs : 0;
    return write_integer_needs(e, type, arithmetic->orders[0].parts[0]);
}

/* The effect of operation `letter` on accumulator x, on even and on odd visits. Beside the constants, sixteen registers
 * have room for thirteen or fourteen accumulators. For ports and counters a subtraction is an addition. a: x + step, x
 * - step;  m: x * scale, x / scale by its reciprocal;  f: x * 0.55 + step, x * 0.55 - step, a contraction;  t: x + a
 * product, and minus it; all sums are multiples of one small number;  d: x / scale, x / (1 / scale);  s: the root of a
 * constant, so that x does not converge to one;  p, x, o: x + the product of two vectors, of two small matrices, or the
 * outer one of two vectors, and minus it. Integers wrap, and their values do not change the speed. */
enum { VISITS = 2 };
static const struct generated_operation {
    char letter;
    enum generated_effect effect;
    enum operand_row rows[VISITS];
} operation_table[] = {
    {'a', EFFECT_ADD, {ROW_STEP, ROW_STEP}},
    {'m', EFFECT_MUL, {ROW_SCALE, ROW_SCALE_BACK}},
    {'f', EFFECT_FMA, {ROW_FMA, ROW_FMA}},
    {'t', EFFECT_FMA, {ROW_FMA, ROW_FMA}},
    {'d', EFFECT_DIV, {ROW_SCALE, ROW_SCALE_BACK}},
    {'s', EFFECT_SQRT, {ROW_SCALE, ROW_SCALE_BACK}},
    {'p', EFFECT_DOT, {ROW_SCALE, ROW_SCALE_NEGATIVE}},
    {'x', EFFECT_MATRIX, {ROW_SCALE, ROW_SCALE_NEGATIVE}},
    {'o', EFFECT_OUTER, {ROW_SCALE, ROW_SCALE_NEGATIVE}},
    {'l', EFFECT_SHIFT, {ROW_NONE, ROW_NONE}},
    {'e', EFFECT_EQUAL, {ROW_STEP, ROW_STEP}},
    {'g', EFFECT_GREATER, {ROW_STEP, ROW_STEP}},
    {'c', EFFECT_COMPARE, {ROW_STEP, ROW_STEP}},
};
enum { OPERATION_COUNT = sizeof operation_table / sizeof *operation_table };

static const struct generated_operation *operation_find(char letter) {
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (operation_table[i].letter == letter)
            return &operation_table[i];
    assert(false);
    return NULL;
}

/* Constants are in the topmost registers, in the order of the rows. */
static bool row_used(const struct arithmetic_order *order, unsigned row) {
    bool used = strpbrk(order->parts, "ftpxo") != NULL && row == ROW_STEP;
    for (const char *part = order->parts; *part != '\0'; part++)
        for (unsigned visit = 0; visit < VISITS; visit++)
            used = used || operation_find(*part)->rows[visit] == row;
    return used;
}

unsigned arithmetic_accumulators_max(const struct emitter *e, const struct arithmetic_order *order) {
    unsigned constants = 0;
    for (unsigned row = 0; row < ROW_START && !emit_is(e, ISA_STACK); row++)
        constants += row_used(order, row);
    return write_register_count(e, order) - constants;
}

static unsigned constant_register(const struct emitter *e, const struct arithmetic_order *order, unsigned row) {
    unsigned index = arithmetic_accumulators_max(e, order);
    for (unsigned below = 0; below < row; below++)
        index += row_used(order, below);
    return index;
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

void arithmetic_start(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators) {
    assert(accumulators <= START_COUNT && accumulators <= arithmetic_accumulators_max(e, order));
    write_arithmetic_begin(e);
    for (unsigned row = 0; row < ROW_START && !emit_is(e, ISA_STACK); row++)
        if (row_used(order, row))
            write_operand(e, row, constant_register(e, order, row));
    for (unsigned i = 0; i < accumulators; i++)
        write_operand(e, ROW_START + i, i);
}

/* The n-th of the operations whose letter owns no accumulator: the sum or product of an accumulator that was written
 * long ago and a constant, in one of the free registers in turn. */
static void make_fresh(const struct emitter *e, const struct arithmetic_order *order, unsigned accumulators, unsigned n,
                       struct operation *out) {
    out->visit = n % VISITS;
    out->from = (n + accumulators / 2) % accumulators;
    out->to = accumulators + n % (arithmetic_accumulators_max(e, order) - accumulators);
}

/* Accumulator i belongs to the owners' letter i: each letter has its own accumulators and visits them in turn.
 * Neighbours alternate, so that consecutive operations work on different bits. */
static void make_visit(const char *owners, unsigned own, unsigned nth, struct operation *out) {
    unsigned accumulator = 0;
    while (owners[accumulator % strlen(owners)] != out->letter ||
           occurrences(owners, out->letter, accumulator) != nth % own)
        accumulator++;
    out->visit = (nth / own + accumulator) % VISITS;
    out->from = out->to = accumulator;
}

/* The n-th operation has the parts' n-th letter in turn, so the mix is exact. */
void arithmetic_emit(struct emitter *e, const struct arithmetic_order *order, unsigned accumulators, unsigned n) {
    const char *parts = order->parts, *owners = owners_of(order);
    const unsigned length = (unsigned)strlen(parts);
    const struct generated_operation *row = operation_find(parts[n % length]);
    struct operation operation = {.letter = row->letter, .effect = row->effect};
    const unsigned own = occurrences(owners, row->letter, accumulators);
    const unsigned nth =
        n / length * occurrences(parts, row->letter, length) + occurrences(parts, row->letter, n % length);
    if (own == 0)
        make_fresh(e, order, accumulators, nth, &operation);
    else
        make_visit(owners, own, nth, &operation);
    const enum operand_row constant = row->rows[operation.visit];
    operation.constant = constant == ROW_NONE ? 0 : constant_register(e, order, constant);
    operation.step = constant_register(e, order, ROW_STEP);
    if (row->effect == EFFECT_DOT || row->effect == EFFECT_MATRIX || row->effect == EFFECT_OUTER)
        operation.dot = extension_find(e->dialect, e->kernel.type, e->op)->dot;
    write_operation(e, &operation);
}
