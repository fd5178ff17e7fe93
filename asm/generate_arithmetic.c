/* SPDX-License-Identifier: BSD-3-Clause
 * Floating-point work on registers: the operations of each shape, in which order, and operands that stay normal numbers
 * for any length of run, since denormals, infinities and NaNs cost microcode assists. */
#include "generate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Peak is not always FMA: where adds have ports of their own (Golden Cove: one more port at 256 bit; Zen: two add
 * pipes beside two FMA pipes) a mix of both is the roof. The order within a mix matters where ports are chosen at
 * rename (seen on Redwood Cove, 256-bit, of 12 flop per cycle: 11.6 for "ma", 11.98 for "maam"). */
const struct arithmetic arithmetic_table[] = {
    {"add", "a", false},       {"mul", "m", false},         {"addmul", "ma", false},
    {"addmul", "maam", false}, {"addmul", "mamaam", false}, {"add2mul", "ama", false},
    {"fma", "f", true},        {"fmaadd", "ffa", true},     {"fmaadd", "fa", true},
};
const size_t arithmetic_count = sizeof arithmetic_table / sizeof *arithmetic_table;

const struct arithmetic *arithmetic_find(const char *name) {
    for (size_t i = 0; i < arithmetic_count; i++)
        if (strcmp(arithmetic_table[i].name, name) == 0)
            return &arithmetic_table[i];
    assert(false);
    return NULL;
}

/* What operation `letter` does to accumulator x on even and on odd visits, with constants that leave room for thirteen
 * accumulators in sixteen registers. A subtraction is an addition to every port and counter.
 *   a: x + step, x - step;  m: x * scale, x / scale by its reciprocal;  f: x * 1.23 + step, x * 0.55 - step, a
 * contraction. */
enum { VISITS = 2 };
static const struct operation {
    char letter;
    enum effect effect;
    const char *names[VISITS];
    enum operand_row rows[VISITS];
} operation_table[] = {
    {'a', EFFECT_ADD, {"add", "sub"}, {ROW_STEP, ROW_STEP}},
    {'m', EFFECT_MUL, {"mul", "mul"}, {ROW_SCALE, ROW_SCALE_BACK}},
    {'f', EFFECT_FMA, {"fmadd213", "fmsub213"}, {ROW_FMA, ROW_FMA_BACK}},
};
enum { OPERATION_COUNT = sizeof operation_table / sizeof *operation_table };
enum { CONSTANT_MAX = 3, X87_CONSTANT_MAX = 1 };

static const struct operation *operation_find(char letter) {
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (operation_table[i].letter == letter)
            return &operation_table[i];
    assert(false);
    return NULL;
}

unsigned arithmetic_accumulators_max(const struct emitter *e) {
    return e->isa->register_count - (e->dialect->coding == CODING_X87 ? X87_CONSTANT_MAX : CONSTANT_MAX);
}

/* Constants live in the topmost registers, in the order of the rows. */
static bool row_used(const struct arithmetic *arithmetic, unsigned row) {
    bool used = strchr(arithmetic->parts, 'f') != NULL && row == ROW_STEP;
    for (const char *part = arithmetic->parts; *part != '\0'; part++)
        for (unsigned visit = 0; visit < VISITS; visit++)
            used = used || operation_find(*part)->rows[visit] == row;
    return used;
}

static unsigned constant_register(const struct emitter *e, const struct arithmetic *arithmetic, unsigned row) {
    unsigned index = arithmetic_accumulators_max(e);
    for (unsigned below = 0; below < row; below++)
        index += row_used(arithmetic, below);
    return index;
}

/* x87 works with one constant, -1 on top of the stack: adding it counts down by one for 2^64 steps before the sum stops
 * moving, and multiplying by it flips the sign. */
static void x87_start(struct emitter *e, unsigned accumulators) {
    for (unsigned i = 0; i < accumulators; i++)
        emit(e, EFFECT_NONE, "fldl %u(%%[operands])", operands_offset_bytes(ROW_START + i));
    /* The square of pi is inexact. Until that sticky flag is set, a loop that uses all eight registers runs at half its
     * rate on Redwood Cove: 0.98 instead of 2.00 operations per cycle. */
    emit(e, EFFECT_NONE, "fldpi");
    emit(e, EFFECT_NONE, "fmul %%st, %%st");
    emit(e, EFFECT_NONE, "fstp %%st(0)");
    emit(e, EFFECT_NONE, "fld1");
    emit(e, EFFECT_NONE, "fchs");
}

/* How many of the first `length` of a cyclic sequence of parts are `letter`. */
static unsigned occurrences(const char *parts, char letter, unsigned length) {
    unsigned count = 0;
    for (unsigned i = 0; i < length; i++)
        count += parts[i % strlen(parts)] == letter;
    return count;
}

unsigned arithmetic_operations(const struct arithmetic *arithmetic, unsigned accumulators, unsigned unroll) {
    const char *parts = arithmetic->parts;
    unsigned length = (unsigned)strlen(parts), cycles = (accumulators * unroll + length - 1) / length;
    for (bool even = false; !even; cycles += !even) {
        even = true;
        for (unsigned i = 0; i < length; i++)
            even = even && cycles * occurrences(parts, parts[i], length) %
                                   (VISITS * occurrences(parts, parts[i], accumulators)) ==
                               0;
    }
    return cycles * length;
}

void arithmetic_variant(const struct arithmetic *arithmetic, unsigned accumulators, unsigned unroll, char *out,
                        size_t size) {
    unsigned first = occurrences(arithmetic->parts, arithmetic->parts[0], accumulators);
    if (first == accumulators)
        snprintf(out, size, "%ux%u", accumulators, unroll);
    else
        snprintf(out, size, "%u+%ux%u%s%s", first, accumulators - first, unroll,
                 strlen(arithmetic->parts) > 3 ? "." : "", strlen(arithmetic->parts) > 3 ? arithmetic->parts : "");
}

void arithmetic_start(struct emitter *e, const struct arithmetic *arithmetic, unsigned accumulators) {
    assert(accumulators <= START_COUNT && accumulators <= arithmetic_accumulators_max(e));
    if (e->dialect->coding == CODING_X87) {
        x87_start(e, accumulators);
        return;
    }
    for (unsigned row = 0; row < ROW_START; row++)
        if (row_used(arithmetic, row))
            emit(e, EFFECT_NONE, "%s %u(%%[operands]), %s", emit_move(e), operands_offset_bytes(row),
                 emit_register(e, constant_register(e, arithmetic, row)).text);
    for (unsigned i = 0; i < accumulators; i++)
        emit(e, EFFECT_NONE, "%s %u(%%[operands]), %s", emit_move(e), operands_offset_bytes(ROW_START + i),
             emit_register(e, i).text);
}

/* The n-th operation is the parts' n-th letter in turn, so the mix is exact. Accumulator i is used by letter i, so that
 * each letter has its own, and visits them in turn. */
void arithmetic_emit(struct emitter *e, const struct arithmetic *arithmetic, unsigned accumulators, unsigned n) {
    const char *parts = arithmetic->parts;
    unsigned length = (unsigned)strlen(parts);
    char letter = parts[n % length];
    const struct operation *operation = operation_find(letter);
    unsigned own = occurrences(parts, letter, accumulators);
    unsigned nth = n / length * occurrences(parts, letter, length) + occurrences(parts, letter, n % length);
    unsigned accumulator = 0;
    while (parts[accumulator % length] != letter || occurrences(parts, letter, accumulator) != nth % own)
        accumulator++;
    if (e->dialect->coding == CODING_X87) {
        emit(e, operation->effect, "f%s %%st, %s", operation->names[0], emit_register(e, accumulator + 1).text);
        return;
    }
    /* Neighbours take turns, so that consecutive operations do not work on the same bits. */
    unsigned visit = (nth / own + accumulator) % VISITS;
    struct text mnemonic = emit_mnemonic(e, operation->names[visit]), x = emit_register(e, accumulator);
    struct text constant = emit_register(e, constant_register(e, arithmetic, operation->rows[visit]));
    struct text step = emit_register(e, constant_register(e, arithmetic, ROW_STEP));
    if (operation->effect == EFFECT_FMA)
        emit(e, operation->effect, "%s %s, %s, %s", mnemonic.text, step.text, constant.text, x.text);
    else if (e->dialect->coding == CODING_VEX)
        emit(e, operation->effect, "%s %s, %s, %s", mnemonic.text, constant.text, x.text, x.text);
    else
        emit(e, operation->effect, "%s %s, %s", mnemonic.text, constant.text, x.text);
}

void arithmetic_finish(struct emitter *e, unsigned accumulators) {
    if (e->dialect->coding == CODING_X87)
        for (unsigned i = 0; i < accumulators + 1; i++)
            emit(e, EFFECT_NONE, "fstp %%st(0)");
}

unsigned operands_offset_bytes(unsigned row) {
    return row * LINE_BYTES;
}

/* Steps of few bits, so that adding and taking away is exact. */
static double step_value(unsigned lane) {
    return (9 + lane) / 32.0;
}

static const double scale = 1.40625, fma_up = 1.234375, fma_down = 0.546875;

/* A start value is one that adding and taking away a step, and scaling up and down, in either order, returns to: its
 * orbit then has two elements for ever. Scaling by a number and its rounded reciprocal returns for most values. */
static bool start_returns_f64(double x, double step) {
    double back = 1 / scale;
    return x + step - step == x && x - step + step == x && x * scale * back == x && x * back * scale == x;
}

static bool start_returns_f32(float x, float step) {
    float up = (float)scale, back = 1 / up;
    return x + step - step == x && x - step + step == x && x * up * back == x && x * back * up == x;
}

static double start_value(enum element_type type, unsigned row, unsigned lane) {
    double x = 2.5 + fmod((row * 16 + lane) * 0.6180339887, 1.0);
    for (unsigned tries = 0; tries < 10000; tries++) {
        /* 20 bits fit the significand of an f32 beside the step's. */
        x = (type == TYPE_F32 ? ldexp(floor(ldexp(x, 20)), -20) : ldexp(floor(ldexp(x, 48)), -48));
        if (type == TYPE_F32 ? start_returns_f32((float)x, (float)step_value(lane))
                             : start_returns_f64(x, step_value(lane)))
            return x;
        x += ldexp(1, type == TYPE_F32 ? -20 : -48);
    }
    fprintf(stderr, "generate: no start value for row %u, lane %u\n", row, lane);
    assert(false);
    return x;
}

static double operand_value(enum element_type type, unsigned row, unsigned lane) {
    switch (row) {
    case ROW_STEP:
        return step_value(lane);
    case ROW_SCALE:
        return scale;
    case ROW_SCALE_BACK:
        return type == TYPE_F32 ? (double)(1 / (float)scale) : 1 / scale;
    case ROW_FMA:
        return fma_up;
    case ROW_FMA_BACK:
        return fma_down;
    default:
        return start_value(type, row, lane);
    }
}

void operands_write(FILE *out, enum element_type type) {
    bool f32 = type == TYPE_F32;
    unsigned lanes = LINE_BYTES / (f32 ? 4u : 8u);
    fprintf(out, "\nconst _Alignas(64) %s kernel_operands_%s[%u][%u] = {\n", f32 ? "float" : "double",
            f32 ? "f32" : "f64", ROW_START + START_COUNT, lanes);
    for (unsigned row = 0; row < ROW_START + START_COUNT; row++) {
        fputs("    {", out);
        for (unsigned lane = 0; lane < lanes; lane++)
            fprintf(out, "%s%a%s", lane > 0 ? ", " : "", operand_value(type, row, lane), f32 ? "f" : "");
        fputs("},\n", out);
    }
    fputs("};\n", out);
}
