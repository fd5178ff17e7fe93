/* SPDX-License-Identifier: BSD-3-Clause
 * The emitter: writes instructions as string literals of one asm statement in a C function, counts them, and writes the
 * descriptor for kernel_table.c. It knows the dialects, not the kernels' operations. */
#include "generate.h"
#include "dots.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/* FMA3 exists only with VEX coding: beside legacy SSE code it also needs AVX, and never mixes with legacy
 * instructions. */
const struct dialect dialect_table[] = {
    {"x87", CODING_X87, "st", .plain = true},
    {"scalar", CODING_LEGACY, "xmm", .plain = true},
    {"scalar", CODING_VEX, "xmm", .fused = true, .needs = CPU_AVX | CPU_FMA3},
    {"scalar", CODING_GENERAL, "r", .integers = true},
    {"sse", CODING_LEGACY, "xmm", .packed = true, .plain = true, .integers = true},
    {"sse", CODING_VEX, "xmm", .packed = true, .fused = true, .needs = CPU_AVX | CPU_FMA3},
    {"avx", CODING_VEX, "ymm", .packed = true, .plain = true},
    {"avx2", CODING_VEX, "ymm", .packed = true, .plain = true, .fused = true, .integers = true},
    {"avx512", CODING_VEX, "zmm", .packed = true, .plain = true, .fused = true, .integers = true, .evex = true},
    {"amx", CODING_AMX, "tmm", .packed = true},
};
const size_t dialect_count = sizeof dialect_table / sizeof *dialect_table;

/* {vex} prevents assemblers from choosing the AVX-512 form of the same name. */
static const struct extension extension_table[] = {
    {"avx512", TYPE_F16, CPU_AVX512_FP16, NULL, NULL},
    {"avx512", TYPE_BF16, CPU_AVX512_BF16, "dot", "vdpbf16ps"},
    {"avx512", TYPE_I8, CPU_AVX512_VNNI, "dot", "vpdpbusd"},
    {"avx512", TYPE_I16, CPU_AVX512_VNNI, "dotss", "vpdpwssd"},
    {"avx2", TYPE_I8, CPU_AVX_VNNI, "dot", "{vex} vpdpbusd"},
    {"avx2", TYPE_I8, CPU_AVX_VNNI_INT8, "dotss", "vpdpbssd"},
    {"avx2", TYPE_I8, CPU_AVX_VNNI_INT8, "dotuu", "vpdpbuud"},
    {"avx2", TYPE_I16, CPU_AVX_VNNI, "dotss", "{vex} vpdpwssd"},
    {"avx2", TYPE_I16, CPU_AVX_VNNI_INT16, "dotus", "vpdpwusd"},
    {"avx2", TYPE_I16, CPU_AVX_VNNI_INT16, "dotuu", "vpdpwuud"},
    {"amx", TYPE_F16, CPU_AMX_FP16, "dot", "tdpfp16ps"},
    {"amx", TYPE_BF16, CPU_AMX_BF16, "dot", "tdpbf16ps"},
    {"amx", TYPE_I8, CPU_AMX_INT8, "dot", "tdpbusd"},
};

const struct extension *extension_find(const struct dialect *dialect, enum element_type type, const char *op) {
    for (size_t i = 0; i < sizeof extension_table / sizeof *extension_table; i++) {
        const struct extension *row = &extension_table[i];
        if (row->type == type && strcmp(row->isa, dialect->isa) == 0 && (!row->op || strcmp(row->op, op) == 0))
            return row;
    }
    return NULL;
}

unsigned emit_data_bytes(const struct emitter *e) {
    return e->dialect->packed ? e->isa->vector_bytes : element_table[e->kernel.type].bytes;
}

/* Integers: operations. Tiles: every row of the first is multiplied with all 16 columns of the second. */
static const unsigned FLOP_PER_LANE[] = {
    [EFFECT_ADD] = 1,     [EFFECT_MUL] = 1,     [EFFECT_FMA] = 2,   [EFFECT_DIV] = 1,
    [EFFECT_SQRT] = 1,    [EFFECT_DOT] = 2,     [EFFECT_SHIFT] = 1, [EFFECT_EQUAL] = 1,
    [EFFECT_GREATER] = 1, [EFFECT_COMPARE] = 1, [EFFECT_STORE] = 0};
enum { TILE_ROWS = 16 };

static void count(struct emitter *e, enum generated_effect effect) {
    struct cost *cost = &e->kernel.cost;
    struct uarch_mix *mix = &cost->mix;
    unsigned *const counts[] = {
        [EFFECT_ADD] = &mix->add,         [EFFECT_MUL] = &mix->mul,     [EFFECT_FMA] = &mix->fma,
        [EFFECT_DIV] = &mix->div,         [EFFECT_SQRT] = &mix->sqrt,   [EFFECT_DOT] = &mix->dot,
        [EFFECT_SHIFT] = &mix->shift,     [EFFECT_EQUAL] = &mix->equal, [EFFECT_GREATER] = &mix->greater,
        [EFFECT_COMPARE] = &mix->compare, [EFFECT_LOAD] = &mix->load,   [EFFECT_STORE] = &mix->store};
    bool tiles = e->dialect->coding == CODING_AMX;
    unsigned data_bytes = emit_data_bytes(e);
    unsigned element_bytes = element_table[e->kernel.type].bytes, lanes = data_bytes / element_bytes;
    cost->instructions++;
    if (effect == EFFECT_NONE)
        return;
    mix->vector_bytes = data_bytes;
    mix->x87 = e->dialect->coding == CODING_X87;
    mix->integer = element_table[e->kernel.type].integer;
    mix->half = e->kernel.type == TYPE_F16;
    if (effect != EFFECT_LOAD && effect != EFFECT_STORE)
        mix->element_bytes = element_bytes;
    cost->flop += FLOP_PER_LANE[effect] * lanes * (effect == EFFECT_DOT && tiles ? TILE_ROWS : 1);
    cost->load_bytes += effect == EFFECT_LOAD ? data_bytes : 0;
    cost->store_bytes += effect == EFFECT_STORE ? data_bytes : 0;
    ++*counts[effect];
}

void emit(struct emitter *e, enum generated_effect effect, const char *format, ...) {
    char line[128];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert(length > 0 && (size_t)length < sizeof line);

    /* Extended asm needs a doubled % for registers, and escapes for the braces and bars of masks (else dialect
     * alternatives). */
    fputs("        \"", e->code);
    for (const char *c = line; *c != '\0'; c++) {
        if ((*c == '%' && c[1] != '[') || strchr("{|}", *c) != NULL)
            fputc('%', e->code);
        fputc(*c, e->code);
    }
    fputs("\\n\\t\"\n", e->code);
    if (e->in_loop && line[length - 1] != ':')
        count(e, effect);
}

struct operand_text emit_register(const struct emitter *e, unsigned index) {
    static const char *const SUFFIXES[] = {[1] = "b", [2] = "w", [4] = "d", [8] = ""};
    struct operand_text text;
    if (e->dialect->coding == CODING_GENERAL)
        snprintf(text.text, sizeof text.text, "%%r%u%s", FIRST_GENERAL + index,
                 SUFFIXES[element_table[e->kernel.type].bytes]);
    else
        snprintf(text.text, sizeof text.text, e->dialect->coding == CODING_X87 ? "%%%s(%u)" : "%%%s%u",
                 e->dialect->registers, index);
    return text;
}

/* VEX of three bytes in map 0F38, and three registers. Of vectors the first factor is in vvvv, of tiles the second. */
static void emit_encoded(struct emitter *e, const struct dot *dot, unsigned sum, unsigned first, unsigned second) {
    const bool tiles = e->dialect->coding == CODING_AMX;
    const unsigned vvvv = tiles ? second : first, rm = tiles ? first : second;
    const unsigned vex[] = {(sum < 8 ? 0x80 : 0) | 0x40 | (rm < 8 ? 0x20 : 0) | 2,
                            (~vvvv & 15) << 3 | (tiles ? 0 : 4) | dot->prefix};
    emit(e, EFFECT_DOT, ".byte 0xc4, %#x, %#x, %#x, %#x # %s %s, %s, %s", vex[0], vex[1], dot->opcode,
         0xc0 | (sum & 7) << 3 | (rm & 7), dot->name, emit_register(e, second).text, emit_register(e, first).text,
         emit_register(e, sum).text);
}

/* For i8 the first factor of `dot` is unsigned, the second is signed. */
void emit_dot(struct emitter *e, const char *name, unsigned sum, unsigned first, unsigned second) {
    for (size_t i = 0; i < dot_count; i++)
        if (strcmp(dot_table[i].name, name) == 0) {
            emit_encoded(e, &dot_table[i], sum, first, second);
            return;
        }
    emit(e, EFFECT_DOT, "%s %s, %s, %s", name, emit_register(e, second).text, emit_register(e, first).text,
         emit_register(e, sum).text);
}

struct operand_text emit_mnemonic(const struct emitter *e, const char *base) {
    struct operand_text text;
    snprintf(text.text, sizeof text.text, "%s%s%c%c", e->dialect->coding == CODING_VEX ? "v" : "", base,
             e->dialect->packed ? 'p' : 's',
             e->kernel.type == TYPE_F16   ? 'h'
             : e->kernel.type == TYPE_F32 ? 's'
                                          : 'd');
    return text;
}

const char *emit_move(const struct emitter *e) {
    if (e->dialect->coding == CODING_GENERAL)
        return "mov";
    bool vex = e->dialect->coding == CODING_VEX;
    if (e->dialect->packed && element_table[e->kernel.type].integer)
        return e->isa->vector_bytes == LINE_BYTES ? "vmovdqa64" : vex ? "vmovdqa" : "movdqa";
    if (e->dialect->packed)
        return vex ? "vmovaps" : "movaps";
    if (e->kernel.type == TYPE_F32)
        return vex ? "vmovss" : "movss";
    return vex ? "vmovsd" : "movsd";
}

static void symbol_name(const struct emitter *e, char *symbol, size_t size) {
    snprintf(symbol, size, "%s_%s", e->name, e->variant);
    for (char *c = symbol; *c != '\0'; c++)
        if (strchr(".+-", *c) != NULL)
            *c = '_';
}

void emit_begin(struct emitter *e, enum kernel_kind kind, enum element_type type, const char *op, const char *variant) {
    e->kernel = (struct kernel){.type = type, .kind = kind};
    e->kernel.needs = e->isa != NULL ? e->isa->needs | e->dialect->needs : 0;
    if (e->isa != NULL)
        snprintf(e->name, sizeof e->name, "%s%s%s.%s", e->isa->name, type == TYPE_NONE ? "" : ".",
                 element_table[type].name, op);
    else
        snprintf(e->name, sizeof e->name, "%s", op);
    snprintf(e->op, sizeof e->op, "%s", op);
    snprintf(e->variant, sizeof e->variant, "%s", variant);

    char symbol[128];
    symbol_name(e, symbol, sizeof symbol);
    fprintf(e->code,
            "\nkernel_entry kernel_%s;\n"
            "KERNEL void *kernel_%s(const struct kernel_call *call)\n"
            "{\n"
            "    void *cursor = call->buffer;\n"
            "    uint64_t passes = call->passes;\n"
            "    if (passes == 0 || call->blocks == 0)\n"
            "        return cursor;\n"
            "    __asm__ volatile(\n",
            symbol, symbol);
}

void emit_loop(struct emitter *e) {
    emit(e, EFFECT_NONE, "1:");
    if (e->kernel.kind != KERNEL_CHASE)
        emit(e, EFFECT_NONE, "mov %%[buffer], %%rax");
    emit(e, EFFECT_NONE, "mov %%[blocks], %%rcx");
    emit(e, EFFECT_NONE, ".p2align 6");
    emit(e, EFFECT_NONE, "2:");
    e->in_loop = true;
}

void emit_loop_end(struct emitter *e, unsigned step_bytes) {
    if (step_bytes != 0)
        emit(e, EFFECT_NONE, "add $%u, %%rax", step_bytes);
    emit(e, EFFECT_NONE, "dec %%rcx");
    emit(e, EFFECT_NONE, "jnz 2b");
    e->in_loop = false;
    e->kernel.block_bytes = e->kernel.block_bytes != 0 ? e->kernel.block_bytes : step_bytes;
    emit(e, EFFECT_NONE, "dec %%[passes]");
    emit(e, EFFECT_NONE, "jnz 1b");
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
    char symbol[128];
    symbol_name(e, symbol, sizeof symbol);
    fprintf(e->table,
            "\nkernel_entry kernel_%s;\n"
            "static const struct kernel %s = {\n"
            "    .name = \"%s\", .variant = \"%s\", .op = \"%s\",\n"
            "    .type = %s, .kind = %s, .needs = %#x, .entry = kernel_%s,\n"
            "    .accumulators = %u, .unroll = %u, .block_bytes = %u, .stretch_bytes = %u,\n",
            symbol, symbol, e->name, e->variant, e->op, types[kernel->type], kinds[kernel->kind], kernel->needs, symbol,
            kernel->accumulators, kernel->unroll, kernel->block_bytes, kernel->stretch_bytes);
    if (e->isa != NULL)
        fprintf(e->table, "    .isa = &isa_table[%td],\n", e->isa - isa_table);
    fprintf(e->table,
            "    .cost = {.flop = %u, .load_bytes = %u, .store_bytes = %u, .instructions = %u,\n"
            "             .mix = {.vector_bytes = %u, .element_bytes = %u, .x87 = %s, .integer = %s, .half = %s,\n"
            "                     .add = %u, .mul = %u, .fma = %u, .div = %u, .sqrt = %u, .dot = %u, .shift = %u, "
            ".equal = %u,\n"
            "                     .greater = %u, .compare = %u, .load = %u, .store = %u}}};\n",
            cost->flop, cost->load_bytes, cost->store_bytes, cost->instructions, mix->vector_bytes, mix->element_bytes,
            mix->x87 ? "true" : "false", mix->integer ? "true" : "false", mix->half ? "true" : "false", mix->add,
            mix->mul, mix->fma, mix->div, mix->sqrt, mix->dot, mix->shift, mix->equal, mix->greater, mix->compare,
            mix->load, mix->store);
    fprintf(e->list, "    &%s,\n", symbol);
}

void emit_end(struct emitter *e, const char *extra_clobbers) {
    if (e->dialect->coding == CODING_VEX)
        emit(e, EFFECT_NONE, "vzeroupper");
    static const char *const inputs[] = {
        [KERNEL_COMPUTE] = ", [operands] \"r\"(kernel_operands_%s)",
        [KERNEL_MEMORY] = ", [operands] \"r\"(kernel_operands_%s)",
        [KERNEL_MIXED] = ", [operands] \"r\"(kernel_operands_%s)",
        [KERNEL_RANDOM] = ", [lines] \"r\"(call->lines), [seed] \"r\"(call->seed)",
        [KERNEL_CHASE] = "",
    };
    bool chase = e->kernel.kind == KERNEL_CHASE;
    fputs("        : \"+&a\"(cursor), [passes] \"+&r\"(passes)\n"
          "        : [buffer] \"r\"(call->buffer), [blocks] \"r\"(call->blocks)",
          e->code);
    fprintf(e->code, inputs[e->kernel.kind], e->kernel.type == TYPE_NONE ? "f64" : element_table[e->kernel.type].name);
    fprintf(e->code,
            "\n        : \"rcx\"%s%s, \"cc\", \"memory\");\n"
            "    return %s;\n"
            "}\n",
            extra_clobbers, e->isa == NULL ? "" : " CLOBBERS", chase ? "cursor" : "call->buffer");
    descriptor_write(e);
}
