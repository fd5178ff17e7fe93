/* SPDX-License-Identifier: BSD-3-Clause
 * The emitter: writes instructions as string literals of one asm statement in a C function, counts them, and writes the
 * descriptor for kernel_table.c. It knows neither the kernels' operations nor their instructions. */
#include "generate.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

bool emit_is(const struct emitter *e, enum isa_operands operands) {
    return e->isa != NULL && e->isa->operands == operands;
}

bool emit_is_general(const struct emitter *e) {
    return e->isa != NULL && e->dialect->registers == NULL;
}

unsigned emit_data_bytes(const struct emitter *e) {
    const unsigned bytes = e->dialect->packed ? e->isa->vector_bytes : element_table[e->kernel.type].bytes;
    return e->kernel.kind == KERNEL_RANDOM && bytes > LINE_BYTES ? LINE_BYTES : bytes;
}

unsigned emit_access_bytes(const struct emitter *e) {
    return emit_data_bytes(e) * (e->pairs ? 2 : 1);
}

unsigned emit_outer_bytes(const struct emitter *e) {
    return e->kernel.type == TYPE_F64 || e->kernel.type == TYPE_I16 ? 8 : 4;
}

/* Integers: operations. Tiles: every row of the first is multiplied with all 16 columns of the second, and so is each
 * element of the first of two vectors, as many as a row has sums; vectors: both rows of each 128 bits. */
static const unsigned FLOP_PER_LANE[] = {
    [EFFECT_ADD] = 1,     [EFFECT_MUL] = 1,     [EFFECT_FMA] = 2,   [EFFECT_DIV] = 1,   [EFFECT_SQRT] = 1,
    [EFFECT_DOT] = 2,     [EFFECT_MATRIX] = 4,  [EFFECT_OUTER] = 2, [EFFECT_SHIFT] = 1, [EFFECT_EQUAL] = 1,
    [EFFECT_GREATER] = 1, [EFFECT_COMPARE] = 1, [EFFECT_STORE] = 0};
enum { TILE_ROWS = 16 };

static unsigned result_rows(const struct emitter *e, enum generated_effect effect) {
    if (effect == EFFECT_OUTER)
        return emit_data_bytes(e) / emit_outer_bytes(e);
    return effect == EFFECT_DOT && emit_is(e, ISA_TILES) ? TILE_ROWS : 1;
}

static void count(struct emitter *e, enum generated_effect effect) {
    struct cost *cost = &e->kernel.cost;
    struct uarch_mix *mix = &cost->mix;
    unsigned *const counts[] = {
        [EFFECT_ADD] = &mix->add,     [EFFECT_MUL] = &mix->mul,         [EFFECT_FMA] = &mix->fma,
        [EFFECT_DIV] = &mix->div,     [EFFECT_SQRT] = &mix->sqrt,       [EFFECT_DOT] = &mix->dot,
        [EFFECT_MATRIX] = &mix->dot,  [EFFECT_OUTER] = &mix->dot,       [EFFECT_SHIFT] = &mix->shift,
        [EFFECT_EQUAL] = &mix->equal, [EFFECT_GREATER] = &mix->greater, [EFFECT_COMPARE] = &mix->compare,
        [EFFECT_LOAD] = &mix->load,   [EFFECT_STORE] = &mix->store};
    unsigned data_bytes = emit_data_bytes(e);
    unsigned element_bytes = element_table[e->kernel.type].bytes, lanes = data_bytes / element_bytes;
    cost->instructions++;
    if (effect == EFFECT_NONE)
        return;
    mix->vector_bytes = data_bytes;
    mix->x87 = emit_is(e, ISA_STACK);
    mix->integer = element_table[e->kernel.type].integer;
    mix->half = e->kernel.type == TYPE_F16;
    mix->matrix |= effect == EFFECT_MATRIX;
    mix->outer |= effect == EFFECT_OUTER;
    if (effect != EFFECT_LOAD && effect != EFFECT_STORE)
        mix->element_bytes = element_bytes;
    cost->flop += FLOP_PER_LANE[effect] * lanes * result_rows(e, effect);
    const bool moves = effect == EFFECT_LOAD || effect == EFFECT_STORE;
    cost->load_bytes += effect == EFFECT_LOAD ? emit_access_bytes(e) : 0;
    cost->store_bytes += effect == EFFECT_STORE ? emit_access_bytes(e) : 0;
    *counts[effect] += moves && e->pairs ? 2 : 1;
}

/* The function is another ISA's; only the descriptor is written. */
static bool is_other_isas(const struct emitter *e) {
    return e->kernel.kind == KERNEL_COMPUTE && e->dialect->model != NULL;
}

static FILE *function_file(const struct emitter *e) {
    static FILE *nowhere;
    if (nowhere == NULL)
        nowhere = fopen("/dev/null", "w");
    assert(nowhere != NULL);
    return is_other_isas(e) ? nowhere : e->code;
}

void emit(struct emitter *e, enum generated_effect effect, const char *format, ...) {
    char line[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert(length > 0 && (size_t)length < sizeof line);

    /* Extended asm needs a doubled % for registers. */
    FILE *const code = function_file(e);
    fputs("        \"", code);
    for (const char *c = line; *c != '\0'; c++) {
        if (*c == '%' && strchr("[{}", c[1]) == NULL)
            fputc('%', code);
        fputc(*c, code);
    }
    fputs("\\n\\t\"\n", code);
    if (e->in_loop && line[length - 1] != ':')
        count(e, effect);
}

struct symbol_text {
    char text[128];
};

static struct symbol_text symbol_name(const struct emitter *e, const char *isa) {
    struct symbol_text symbol;
    snprintf(symbol.text, sizeof symbol.text, "%s%s_%s", isa, e->name + (e->isa != NULL ? strlen(e->isa->name) : 0),
             e->variant);
    for (char *c = symbol.text; *c != '\0'; c++)
        if (strchr(".+-", *c) != NULL)
            *c = '_';
    return symbol;
}

static struct symbol_text descriptor_name(const struct emitter *e) {
    return symbol_name(e, e->isa != NULL ? e->isa->name : "");
}

static struct symbol_text function_name(const struct emitter *e) {
    return is_other_isas(e) ? symbol_name(e, e->dialect->model) : descriptor_name(e);
}

void emit_begin(struct emitter *e, enum kernel_kind kind, enum element_type type, const char *op, const char *variant) {
    e->kernel = (struct kernel){.type = type, .kind = kind};
    e->clobbers = "";
    e->pairs = false;
    e->kernel.needs = e->isa != NULL ? e->isa->needs | e->dialect->needs : 0;
    if (e->isa != NULL)
        snprintf(e->name, sizeof e->name, "%s%s%s.%s", e->isa->name, type == TYPE_NONE ? "" : ".",
                 element_table[type].name, op);
    else
        snprintf(e->name, sizeof e->name, "%s", op);
    snprintf(e->op, sizeof e->op, "%s", op);
    snprintf(e->variant, sizeof e->variant, "%s", variant);

    const struct symbol_text symbol = function_name(e);
    fprintf(function_file(e),
            "\nkernel_entry kernel_%s;\n"
            "KERNEL void *kernel_%s(const struct kernel_call *call)\n"
            "{\n"
            "    void *cursor = call->buffer;\n"
            "    uint64_t passes = call->passes;\n"
            "    if (passes == 0 || call->blocks == 0)\n"
            "        return cursor;\n"
            "    __asm__ volatile(\n",
            symbol.text, symbol.text);
}

void emit_loop_begin(struct emitter *e) {
    e->in_loop = true;
}

void emit_loop_end(struct emitter *e, unsigned step_bytes) {
    e->in_loop = false;
    e->kernel.block_bytes = e->kernel.block_bytes != 0 ? e->kernel.block_bytes : step_bytes;
}

static void descriptor_write(const struct emitter *e) {
    static const char *const types[] = {[TYPE_NONE] = "TYPE_NONE", [TYPE_F64] = "TYPE_F64",   [TYPE_F32] = "TYPE_F32",
                                        [TYPE_F16] = "TYPE_F16",   [TYPE_BF16] = "TYPE_BF16", [TYPE_I8] = "TYPE_I8",
                                        [TYPE_I16] = "TYPE_I16",   [TYPE_I32] = "TYPE_I32",   [TYPE_I64] = "TYPE_I64"};
    static const char *const kinds[] = {[KERNEL_COMPUTE] = "KERNEL_COMPUTE",
                                        [KERNEL_MEMORY] = "KERNEL_MEMORY",
                                        [KERNEL_MIXED] = "KERNEL_MIXED",
                                        [KERNEL_RANDOM] = "KERNEL_RANDOM",
                                        [KERNEL_CHASE] = "KERNEL_CHASE"};
    const struct kernel *kernel = &e->kernel;
    const struct cost *cost = &kernel->cost;
    const struct uarch_mix *mix = &cost->mix;
    const struct symbol_text symbol = descriptor_name(e), function = function_name(e);
    fprintf(e->table,
            "\nkernel_entry kernel_%s;\n"
            "static const struct kernel %s = {\n"
            "    .name = \"%s\", .variant = \"%s\", .op = \"%s\",\n"
            "    .type = %s, .kind = %s, .needs = %#" PRIx64 ", .entry = kernel_%s,\n"
            "    .accumulators = %u, .unroll = %u, .block_bytes = %u, .stretch_bytes = %u,\n",
            function.text, symbol.text, e->name, e->variant, e->op, types[kernel->type], kinds[kernel->kind],
            kernel->needs, function.text, kernel->accumulators, kernel->unroll, kernel->block_bytes,
            kernel->stretch_bytes);
    if (e->isa != NULL)
        fprintf(e->table, "    .isa = &isa_table[%td],\n", e->isa - isa_table);
    fprintf(e->table,
            "    .cost = {.flop = %u, .load_bytes = %u, .store_bytes = %u, .instructions = %u,\n"
            "             .mix = {.vector_bytes = %u, .element_bytes = %u, .x87 = %s, .integer = %s, .half = %s, "
            ".matrix = %s,%s\n"
            "                     .add = %u, .mul = %u, .fma = %u, .div = %u, .sqrt = %u, .dot = %u, .shift = %u, "
            ".equal = %u,\n"
            "                     .greater = %u, .compare = %u, .load = %u, .store = %u}}};\n",
            cost->flop, cost->load_bytes, cost->store_bytes, cost->instructions, mix->vector_bytes, mix->element_bytes,
            mix->x87 ? "true" : "false", mix->integer ? "true" : "false", mix->half ? "true" : "false",
            mix->matrix ? "true" : "false", mix->outer ? " .outer = true," : "", mix->add, mix->mul, mix->fma, mix->div,
            mix->sqrt, mix->dot, mix->shift, mix->equal, mix->greater, mix->compare, mix->load, mix->store);
    fprintf(e->list, "    &%s,\n", symbol.text);
}

void emit_end(struct emitter *e, const char *cursor, const char *clobbers) {
    static const char *const inputs[] = {
        [KERNEL_COMPUTE] = ", [operands] \"r\"(kernel_operands_%s)",
        [KERNEL_MEMORY] = ", [operands] \"r\"(kernel_operands_%s)",
        [KERNEL_MIXED] = ", [operands] \"r\"(kernel_operands_%s)",
        [KERNEL_RANDOM] = ", [lines] \"r\"(call->lines), [seed] \"r\"(call->seed)",
        [KERNEL_CHASE] = "",
    };
    bool chase = e->kernel.kind == KERNEL_CHASE;
    FILE *const code = function_file(e);
    fprintf(code,
            "        : %s(cursor), [passes] \"+&r\"(passes)\n"
            "        : [buffer] \"r\"(call->buffer), [blocks] \"r\"(call->blocks)",
            cursor);
    fprintf(code, inputs[e->kernel.kind], e->kernel.type == TYPE_NONE ? "f64" : element_table[e->kernel.type].name);
    fprintf(code,
            "\n        : %s%s%s, \"cc\", \"memory\");\n"
            "    return %s;\n"
            "}\n",
            clobbers, e->clobbers, e->isa == NULL ? "" : " CLOBBERS", chase ? "cursor" : "call->buffer");
    descriptor_write(e);
}
