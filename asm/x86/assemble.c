/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels assembled at run time: their encoding, their frame and their bodies. */
#include "prefetches.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "asm/arithmetic.h"
#include "asm/assemble.h"
#include "asm/decode.h"
#include "asm/element.h"
#include "asm/pattern.h"
#include "probe/error.h"

/* The emitter: Zydis encodes each instruction, and its cost is counted as it is written. It knows encodings and the
 * kernels' frame, not their operations. The frame is that of the generated kernels: an outer loop of passes, an inner
 * loop of blocks, rax the cursor in the buffer, rcx the remaining blocks. */

struct emission {
    const struct isa *isa;
    enum element_type type;
    bool x87, vex, packed, fused;
    bool fenced;          /* stores bypassed the caches: a fence at the end waits for them */
    bool in_loop, failed; /* failed: an instruction was refused; emit_end reports which */
    struct cost cost;
    unsigned step_bytes;
    struct pages pages;
    size_t used_bytes;             /* of the code */
    size_t outer, inner, skips[2]; /* offsets in the code: loop heads, branches to the end */
    unsigned accumulators;
    const char *parts;
    struct error why;
};

enum emitted_access { EMIT_LOAD, EMIT_STORE, EMIT_STORE_PAST_CACHES }; /* the last: only for whole vectors */

enum { LONGEST_BYTES = 15, INT3 = 0xcc };
enum assembled_effect { EFFECT_NONE, EFFECT_ADD, EFFECT_MUL, EFFECT_FMA, EFFECT_LOAD, EFFECT_STORE };

/* The effect of each operation on an accumulator. The generated kernels alternate between two inverse operations; here
 * the number of visits may be odd, so each operation returns to its start by itself, or converges:
 *   a: step - x, exact, an orbit of two (without a three-operand form: counts up or down, for longer than any run);
 *   m: x * -1, exact, an orbit of two;  f: x * 0.55 + step, or - step, a contraction to a number near ±1.
 * All stay normal numbers for any length of run. */
static const struct assembled_operation {
    char letter;
    enum assembled_effect effect;
    unsigned rows; /* constants used, as bits */
    struct {
        ZydisMnemonic even, odd;    /* accumulators alternate, so that consecutive operations work on different bits */
    } x87, legacy[2][2], vex[2][2]; /* [packed][f32] */
} operation_table[] = {
#define FORMS(even, odd)                                                                                               \
    {                                                                                                                  \
        {{ZYDIS_MNEMONIC_##even##SD, ZYDIS_MNEMONIC_##odd##SD},                                                        \
         {ZYDIS_MNEMONIC_##even##SS, ZYDIS_MNEMONIC_##odd##SS}},                                                       \
        {                                                                                                              \
            {ZYDIS_MNEMONIC_##even##PD, ZYDIS_MNEMONIC_##odd##PD}, {                                                   \
                ZYDIS_MNEMONIC_##even##PS, ZYDIS_MNEMONIC_##odd##PS                                                    \
            }                                                                                                          \
        }                                                                                                              \
    }
    {'a', EFFECT_ADD, 1u << ROW_STEP, {ZYDIS_MNEMONIC_FADD, ZYDIS_MNEMONIC_FADD}, FORMS(ADD, SUB), FORMS(VSUB, VSUB)},
    {'m',
     EFFECT_MUL,
     1u << ROW_NEGATIVE,
     {ZYDIS_MNEMONIC_FMUL, ZYDIS_MNEMONIC_FMUL},
     FORMS(MUL, MUL),
     FORMS(VMUL, VMUL)},
    {.letter = 'f',
     .effect = EFFECT_FMA,
     .rows = 1u << ROW_STEP | 1u << ROW_FACTOR,
     .vex = FORMS(VFMADD213, VFMSUB213)},
#undef FORMS
};

static const struct assembled_operation *assemble_operation_find(char letter) {
    const struct assembled_operation *operation = operation_table;
    while (operation->letter != letter)
        operation++;
    return operation;
}

static unsigned rows_of(const char *parts) {
    unsigned rows = 0;
    for (; *parts != '\0'; parts++)
        rows |= assemble_operation_find(*parts)->rows;
    return rows;
}

/* Registers for the constants of these operations (not x87, which always uses one). */
static unsigned emit_constants(const char *parts) {
    return (unsigned)__builtin_popcount(rows_of(parts));
}

static ZydisEncoderOperand reg(ZydisRegister value) {
    return (ZydisEncoderOperand){.type = ZYDIS_OPERAND_TYPE_REGISTER, .reg.value = value};
}

static ZydisEncoderOperand memory(ZydisRegister base, unsigned offset_bytes, unsigned size_bytes) {
    return (ZydisEncoderOperand){
        .type = ZYDIS_OPERAND_TYPE_MEMORY,
        .mem = {.base = base, .displacement = (ZyanI64)offset_bytes, .size = (ZyanU16)size_bytes}};
}

static ZydisEncoderOperand immediate(uint64_t value) {
    return (ZydisEncoderOperand){.type = ZYDIS_OPERAND_TYPE_IMMEDIATE, .imm.u = value};
}

static unsigned assemble_element_bytes(const struct emission *e) {
    return e->type == TYPE_F32 ? 4 : 8;
}

static unsigned data_bytes(const struct emission *e) {
    return e->packed ? e->isa->vector_bytes : assemble_element_bytes(e);
}

static void assemble_count(struct emission *e, enum assembled_effect effect) {
    struct cost *cost = &e->cost;
    unsigned lanes = data_bytes(e) / assemble_element_bytes(e);
    cost->instructions++;
    if (effect == EFFECT_NONE)
        return;
    cost->mix.vector_bytes = data_bytes(e);
    cost->mix.x87 = e->x87;
    cost->flop += effect == EFFECT_ADD || effect == EFFECT_MUL ? lanes : effect == EFFECT_FMA ? 2 * lanes : 0;
    cost->load_bytes += effect == EFFECT_LOAD ? data_bytes(e) : 0;
    cost->store_bytes += effect == EFFECT_STORE ? data_bytes(e) : 0;
    unsigned *const counts[] = {[EFFECT_ADD] = &cost->mix.add,
                                [EFFECT_MUL] = &cost->mix.mul,
                                [EFFECT_FMA] = &cost->mix.fma,
                                [EFFECT_LOAD] = &cost->mix.load,
                                [EFFECT_STORE] = &cost->mix.store};
    ++*counts[effect];
}

struct operands {
    unsigned count;
    ZydisEncoderOperand list[4];
};

/* EVEX instructions name their mask after the first operand: k0 means no mask. */
static struct operands operands_of(const struct emission *e, unsigned n, const ZydisEncoderOperand *list) {
    struct operands operands = {0};
    bool evex = e->isa->vector_bytes == 64;
    for (unsigned i = 0; i < n; i++) {
        operands.list[operands.count++] = list[i];
        if (i == 0 && evex)
            operands.list[operands.count++] = reg(ZYDIS_REGISTER_K0);
    }
    return operands;
}

static void assemble_put(struct emission *e, enum assembled_effect effect, ZydisMnemonic mnemonic,
                         const struct operands *operands) {
    ZydisEncoderRequest request = {.machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
                                   .mnemonic = mnemonic,
                                   .branch_width = mnemonic == ZYDIS_MNEMONIC_JZ || mnemonic == ZYDIS_MNEMONIC_JNZ
                                                       ? ZYDIS_BRANCH_WIDTH_32
                                                       : ZYDIS_BRANCH_WIDTH_NONE,
                                   .operand_count = (ZyanU8)operands->count};
    ZyanUSize length = LONGEST_BYTES;
    memcpy(request.operands, operands->list, operands->count * sizeof *operands->list);
    if (e->failed)
        return;
    if (e->used_bytes + 2 * LONGEST_BYTES > PAGES_CODE_BYTES) {
        e->failed = true;
        error_set(&e->why, "the kernel is longer than %d bytes", PAGES_CODE_BYTES);
    } else if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&request, e->pages.code + e->used_bytes, &length))) {
        e->failed = true;
        error_set(&e->why, "this Zydis cannot encode the %s of %s", ZydisMnemonicGetString(mnemonic), e->isa->name);
    } else {
        e->used_bytes += length;
        if (e->in_loop)
            assemble_count(e, effect);
    }
}

#define PUT(e, effect, mnemonic, ...)                                                                                  \
    do {                                                                                                               \
        const ZydisEncoderOperand list[] = {__VA_ARGS__};                                                              \
        struct operands operands = {.count = sizeof list / sizeof *list};                                              \
        memcpy(operands.list, list, sizeof list);                                                                      \
        assemble_put(e, effect, ZYDIS_MNEMONIC_##mnemonic, &operands);                                                 \
    } while (0)

static void put_plain(struct emission *e, ZydisMnemonic mnemonic) {
    assemble_put(e, EFFECT_NONE, mnemonic, &(struct operands){0});
}

static void put_vector(struct emission *e, enum assembled_effect effect, ZydisMnemonic mnemonic, unsigned n,
                       const ZydisEncoderOperand *list) {
    struct operands operands = operands_of(e, n, list);
    assemble_put(e, effect, mnemonic, &operands);
}

/* A branch back to existing code, or a forward branch whose target is set later. */
static void put_branch(struct emission *e, ZydisMnemonic mnemonic, size_t target) {
    enum { BRANCH_BYTES = 6 };
    struct operands operands = {.count = 1};
    operands.list[0] = immediate((uint64_t)((int64_t)target - (int64_t)(e->used_bytes + BRANCH_BYTES)));
    assemble_put(e, EFFECT_NONE, mnemonic, &operands);
}

static void turn_branch(struct emission *e, size_t end_of_branch) {
    int32_t distance = (int32_t)(e->used_bytes - end_of_branch);
    memcpy(e->pages.code + end_of_branch - sizeof distance, &distance, sizeof distance);
}

static ZydisRegister vector_register(const struct emission *e, unsigned index) {
    ZydisRegister first = !e->packed || e->isa->vector_bytes == 16 ? ZYDIS_REGISTER_XMM0
                          : e->isa->vector_bytes == 32             ? ZYDIS_REGISTER_YMM0
                                                                   : ZYDIS_REGISTER_ZMM0;
    return first + (ZydisRegister)index;
}

static ZydisMnemonic assemble_move(const struct emission *e) {
    if (e->packed)
        return e->vex ? ZYDIS_MNEMONIC_VMOVAPS : ZYDIS_MNEMONIC_MOVAPS;
    if (e->type == TYPE_F32)
        return e->vex ? ZYDIS_MNEMONIC_VMOVSS : ZYDIS_MNEMONIC_MOVSS;
    return e->vex ? ZYDIS_MNEMONIC_VMOVSD : ZYDIS_MNEMONIC_MOVSD;
}

static void put_load(struct emission *e, enum assembled_effect effect, unsigned index, ZydisRegister base,
                     unsigned offset) {
    put_vector(e, effect, assemble_move(e), 2,
               (ZydisEncoderOperand[]){reg(vector_register(e, index)), memory(base, offset, data_bytes(e))});
}

/* The kernel's frame, in this order; emit_end makes the pages executable. Errors: no memory, no executable memory, or
 * an instruction that the encoder refuses. The caller releases the pages in any case. */
static bool assemble_emit_begin(struct emission *e, const struct isa *isa, enum element_type type, bool fused,
                                struct error *err) {
    bool x87 = isa->operands == ISA_STACK;
    *e = (struct emission){.isa = isa,
                           .type = type,
                           .x87 = x87,
                           .vex = isa->vector_bytes >= 32 || fused,
                           .packed = isa->vector_bytes > 8,
                           .fused = fused};
    if (!pages_open(&e->pages, type, INT3, err))
        return false;
    const struct {
        ZydisRegister to;
        size_t offset;
    } arguments[] = {{ZYDIS_REGISTER_R8, offsetof(struct kernel_call, buffer)},
                     {ZYDIS_REGISTER_RSI, offsetof(struct kernel_call, blocks)},
                     {ZYDIS_REGISTER_RDX, offsetof(struct kernel_call, passes)}};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        PUT(e, EFFECT_NONE, MOV, reg(arguments[i].to), memory(ZYDIS_REGISTER_RDI, (unsigned)arguments[i].offset, 8));
    for (size_t i = 0; i < 2; i++) { /* no passes or no blocks: nothing to do */
        ZydisRegister tested = arguments[i + 1].to;
        PUT(e, EFFECT_NONE, TEST, reg(tested), reg(tested));
        put_branch(e, ZYDIS_MNEMONIC_JZ, 0);
        e->skips[i] = e->used_bytes;
    }
    PUT(e, EFFECT_NONE, MOV, reg(ZYDIS_REGISTER_R9), immediate((uint64_t)(uintptr_t)e->pages.base));
    return true;
}

/* x87 uses one constant, -1 on top of the stack, as in the generated kernels. Sets the sticky inexact flag first. */
static void assemble_x87_start(struct emission *e, unsigned accumulators) {
    for (unsigned i = 0; i < accumulators; i++)
        PUT(e, EFFECT_NONE, FLD, memory(ZYDIS_REGISTER_R9, (ROW_START + i) * PAGES_LINE_BYTES, 8));
    put_plain(e, ZYDIS_MNEMONIC_FLDPI);
    PUT(e, EFFECT_NONE, FMUL, reg(ZYDIS_REGISTER_ST0), reg(ZYDIS_REGISTER_ST0));
    PUT(e, EFFECT_NONE, FSTP, reg(ZYDIS_REGISTER_ST0));
    put_plain(e, ZYDIS_MNEMONIC_FLD1);
    put_plain(e, ZYDIS_MNEMONIC_FCHS);
}

static unsigned assemble_registers(const struct isa *isa) {
    return isa->operands == ISA_STACK || isa->operands == ISA_TILES ? 8
           : isa->vector_bytes == PAGES_LINE_BYTES                  ? 32
                                                                    : 16;
}

/* Constants are in the topmost registers, in the order of the rows. */
static unsigned assemble_constant_register(const struct emission *e, unsigned row) {
    unsigned below = rows_of(e->parts) & ((1u << row) - 1);
    return assemble_registers(e->isa) - emit_constants(e->parts) + (unsigned)__builtin_popcount(below);
}

static void emit_constants_load(struct emission *e, const char *parts, unsigned accumulators) {
    e->parts = parts;
    e->accumulators = accumulators;
    if (e->x87) {
        assemble_x87_start(e, accumulators);
        return;
    }
    for (unsigned row = 0; row < ROW_START; row++)
        if ((rows_of(parts) >> row & 1) != 0)
            put_load(e, EFFECT_NONE, assemble_constant_register(e, row), ZYDIS_REGISTER_R9, row * PAGES_LINE_BYTES);
    for (unsigned i = 0; i < accumulators; i++)
        put_load(e, EFFECT_NONE, i, ZYDIS_REGISTER_R9, (ROW_START + i) * PAGES_LINE_BYTES);
    if (parts[0] == '\0') /* the value to store */
        put_load(e, EFFECT_NONE, assemble_registers(e->isa) - 1, ZYDIS_REGISTER_R9, ROW_STEP);
}

static void assemble_emit_loop(struct emission *e) {
    e->outer = e->used_bytes;
    PUT(e, EFFECT_NONE, MOV, reg(ZYDIS_REGISTER_RAX), reg(ZYDIS_REGISTER_R8));
    PUT(e, EFFECT_NONE, MOV, reg(ZYDIS_REGISTER_RCX), reg(ZYDIS_REGISTER_RSI));
    size_t aligned = (e->used_bytes + PAGES_LINE_BYTES - 1) / PAGES_LINE_BYTES * PAGES_LINE_BYTES;
    if (aligned > e->used_bytes)
        ZydisEncoderNopFill(e->pages.code + e->used_bytes, aligned - e->used_bytes);
    e->inner = e->used_bytes = aligned;
    e->in_loop = true;
}

static void emit_operation(struct emission *e, char letter, unsigned accumulator) {
    const struct assembled_operation *operation = assemble_operation_find(letter);
    bool odd = accumulator % 2 != 0, f32 = e->type == TYPE_F32;
    if (e->x87) {
        struct operands both = {
            .count = 2, .list = {reg(ZYDIS_REGISTER_ST0 + (ZydisRegister)accumulator + 1), reg(ZYDIS_REGISTER_ST0)}};
        assemble_put(e, operation->effect, operation->x87.even, &both);
        return;
    }
    ZydisEncoderOperand x = reg(vector_register(e, accumulator));
    ZydisEncoderOperand step = reg(vector_register(e, assemble_constant_register(e, ROW_STEP)));
    ZydisEncoderOperand negative = reg(vector_register(e, assemble_constant_register(e, ROW_NEGATIVE)));
    ZydisEncoderOperand factor = reg(vector_register(e, assemble_constant_register(e, ROW_FACTOR)));
    ZydisEncoderOperand constant = letter == 'm' ? negative : step;
    if (!e->vex) {
        ZydisMnemonic mnemonic = odd ? operation->legacy[e->packed][f32].odd : operation->legacy[e->packed][f32].even;
        put_vector(e, operation->effect, mnemonic, 2, (ZydisEncoderOperand[]){x, constant});
        return;
    }
    ZydisMnemonic mnemonic = odd ? operation->vex[e->packed][f32].odd : operation->vex[e->packed][f32].even;
    if (letter == 'f')
        put_vector(e, operation->effect, mnemonic, 3, (ZydisEncoderOperand[]){x, factor, step});
    else
        put_vector(e, operation->effect, mnemonic, 3, (ZydisEncoderOperand[]){x, constant, x});
}

static void emit_access(struct emission *e, enum emitted_access access, unsigned offset_bytes, unsigned load_register) {
    const struct operands stored = {.count = 2,
                                    .list = {memory(ZYDIS_REGISTER_RAX, offset_bytes, data_bytes(e)),
                                             reg(vector_register(e, assemble_registers(e->isa) - 1))}};
    if (access == EMIT_LOAD)
        put_load(e, EFFECT_LOAD, load_register, ZYDIS_REGISTER_RAX, offset_bytes);
    else if (access == EMIT_STORE)
        put_vector(e, EFFECT_STORE, assemble_move(e), 2, stored.list);
    else /* these accept no mask */
        assemble_put(e, EFFECT_STORE, e->vex ? ZYDIS_MNEMONIC_VMOVNTPS : ZYDIS_MNEMONIC_MOVNTPS, &stored);
    e->fenced = e->fenced || access == EMIT_STORE_PAST_CACHES;
}

static void emit_prefetch(struct emission *e, enum prefetch_hint hint, unsigned offset_bytes) {
    const struct operands line = {.count = 1, .list = {memory(ZYDIS_REGISTER_RAX, offset_bytes, 1)}};
    assemble_put(e, EFFECT_NONE, prefetch_table[hint].mnemonic, &line);
}

static void assemble_emit_loop_end(struct emission *e, unsigned step_bytes) {
    if (step_bytes != 0)
        PUT(e, EFFECT_NONE, ADD, reg(ZYDIS_REGISTER_RAX), immediate(step_bytes));
    PUT(e, EFFECT_NONE, DEC, reg(ZYDIS_REGISTER_RCX));
    put_branch(e, ZYDIS_MNEMONIC_JNZ, e->inner);
    e->in_loop = false;
    e->step_bytes = step_bytes;
    PUT(e, EFFECT_NONE, DEC, reg(ZYDIS_REGISTER_RDX));
    put_branch(e, ZYDIS_MNEMONIC_JNZ, e->outer);
}

static bool assemble_emit_end(struct emission *e, struct error *err) {
    for (unsigned i = 0; e->x87 && i < e->accumulators + 1; i++)
        PUT(e, EFFECT_NONE, FSTP, reg(ZYDIS_REGISTER_ST0));
    if (e->vex)
        put_plain(e, ZYDIS_MNEMONIC_VZEROUPPER);
    if (e->fenced)
        put_plain(e, ZYDIS_MNEMONIC_SFENCE);
    for (size_t i = 0; i < 2 && !e->failed; i++)
        turn_branch(e, e->skips[i]);
    PUT(e, EFFECT_NONE, MOV, reg(ZYDIS_REGISTER_RAX), reg(ZYDIS_REGISTER_R8));
    put_plain(e, ZYDIS_MNEMONIC_RET);
    if (e->failed)
        return error_set(err, "%s", e->why.text);
    return pages_seal(&e->pages, err);
}

enum { STREAMS_MAX = 8, LINE_BYTES = 64, BODY_MAX = 1024, LOAD_REGISTERS = 8 };

/* With the few accumulators of x87, longer orders put the visits of a letter too close together. */
static const char *parts_find(const struct isa *isa, const char *op) {
    const struct arithmetic *arithmetic = arithmetic_find(op);
    if (!arithmetic || !arithmetic->assembled)
        return NULL;
    return isa->operands == ISA_STACK ? arithmetic->orders[0].parts : arithmetic->assembled;
}

bool assemble_knows(const struct isa *isa, const char *op, enum kernel_kind *kind) {
    const char *parts = parts_find(isa, op);
    *kind = parts != NULL ? KERNEL_COMPUTE : KERNEL_MEMORY;
    if (isa->operands == ISA_TILES || isa->needs & CPU_AARCH64)
        return false;
    if (parts != NULL)
        return strchr(parts, 'f') == NULL || isa->fma;
    const struct pattern *pattern = pattern_find(op);
    return pattern != NULL && !pattern->scattered && isa->operands != ISA_STACK &&
           !(pattern->nontemporal && isa->operands == ISA_SINGLE);
}

unsigned assemble_width_max(const struct isa *isa, const char *op) {
    const char *parts = parts_find(isa, op);
    if (parts == NULL)
        return STREAMS_MAX;
    return assemble_registers(isa) - (isa->operands == ISA_STACK ? 1 : emit_constants(parts));
}

static unsigned stretches(const struct pattern *pattern) {
    return pattern->in_place ? pattern->loads : pattern->loads + pattern->stores;
}

static unsigned instructions_per_group(const struct recipe *recipe, const struct pattern *pattern) {
    return (pattern->loads + pattern->stores) * LINE_BYTES / recipe->isa->vector_bytes +
           (recipe->prefetch.hint != PREFETCH_NONE ? stretches(pattern) : 0);
}

bool assemble_fits(const struct recipe *recipe) {
    const struct pattern *pattern = pattern_find(recipe->op);
    return recipe->width * recipe->unroll * (pattern != NULL ? instructions_per_group(recipe, pattern) : 1) <= BODY_MAX;
}

unsigned assemble_block_bytes(const struct recipe *recipe) {
    const struct pattern *pattern = pattern_find(recipe->op);
    return pattern != NULL ? recipe->width * recipe->unroll * stretches(pattern) * LINE_BYTES : 0;
}

/* Of one stream in a block; 0: there is only one stream. */
static unsigned stretch_bytes(const struct recipe *recipe) {
    const unsigned stretch = recipe->unroll * LINE_BYTES;
    return stretch < assemble_block_bytes(recipe) ? stretch : 0;
}

/* The n-th operation has the parts' n-th letter in turn. Each letter has its own accumulators and visits them in turn.
 * With fewer accumulators than letters, the letters share them. */
static unsigned accumulator_of(const char *parts, unsigned accumulators, unsigned n) {
    unsigned length = (unsigned)strlen(parts), own[32], count = 0, nth = 0;
    for (unsigned i = 0; i < accumulators; i++)
        if (parts[i % length] == parts[n % length])
            own[count++] = i;
    for (unsigned i = 0; i < n; i++)
        nth += parts[i % length] == parts[n % length];
    return count > 0 ? own[nth % count] : n % accumulators;
}

static void arithmetic_body(struct emission *e, const struct recipe *recipe) {
    const char *parts = parts_find(recipe->isa, recipe->op);
    unsigned length = (unsigned)strlen(parts);
    unsigned operations = (recipe->width * recipe->unroll + length - 1) / length * length; /* the mix stays exact */
    emit_constants_load(e, parts, recipe->width);
    assemble_emit_loop(e);
    for (unsigned n = 0; n < operations; n++)
        emit_operation(e, parts[n % length], accumulator_of(parts, recipe->width, n));
    assemble_emit_loop_end(e, 0);
}

/* Prefetches for the line at `offset` in the block: the line `distance_bytes` later in its stream, possibly in a later
 * block. */
static void prefetch_line(struct emission *e, const struct recipe *recipe, unsigned offset) {
    const unsigned stretch_bytes = recipe->unroll * LINE_BYTES, ahead = recipe->prefetch.distance_bytes;
    const unsigned later = offset % stretch_bytes + ahead;
    emit_prefetch(e, recipe->prefetch.hint,
                  offset / stretch_bytes * stretch_bytes + later / stretch_bytes * assemble_block_bytes(recipe) +
                      later % stretch_bytes);
}

/* The k-th access of a group; a line's first access follows its prefetch. */
static void group_access(struct emission *e, const struct recipe *recipe, unsigned k, unsigned line_offset,
                         unsigned part, unsigned nth) {
    const struct pattern *pattern = pattern_find(recipe->op);
    const bool store = k >= pattern->loads, loaded_before = store && pattern->in_place;
    const enum emitted_access access = !store ? EMIT_LOAD : pattern->nontemporal ? EMIT_STORE_PAST_CACHES : EMIT_STORE;
    if (recipe->prefetch.hint != PREFETCH_NONE && part == 0 && !loaded_before)
        prefetch_line(e, recipe, line_offset);
    emit_access(e, access, line_offset + part * recipe->isa->vector_bytes, nth % LOAD_REGISTERS);
}

/* Each stream's loads and stores walk their own stretches of the block, `unroll` lines each. The streams take turns,
 * group by group. */
static void memory_body(struct emission *e, const struct recipe *recipe) {
    const struct pattern *pattern = pattern_find(recipe->op);
    unsigned parts = LINE_BYTES / recipe->isa->vector_bytes, per_group = pattern->loads + pattern->stores;
    unsigned n = 0;
    emit_constants_load(e, "", 0);
    assemble_emit_loop(e);
    for (unsigned group = 0; group < recipe->unroll; group++)
        for (unsigned stream = 0; stream < recipe->width; stream++)
            for (unsigned part = 0; part < parts; part++)
                for (unsigned k = 0; k < per_group; k++) {
                    unsigned stretch =
                        stream * stretches(pattern) + (k >= pattern->loads && pattern->in_place ? k - 1 : k);
                    group_access(e, recipe, k, (stretch * recipe->unroll + group) * LINE_BYTES, part, n++);
                }
    assemble_emit_loop_end(e, assemble_block_bytes(recipe));
}

void assemble_variant(const struct recipe *recipe, char *out, size_t size) {
    char prefetch[16] = "";
    if (recipe->prefetch.hint != PREFETCH_NONE)
        snprintf(prefetch, sizeof prefetch, " %s+%u", prefetch_suffix(recipe->prefetch.hint),
                 recipe->prefetch.distance_bytes);
    snprintf(out, size, "%ux%u%s", recipe->width, recipe->unroll, prefetch);
}

bool assemble_kernel(const struct recipe *recipe, struct assembled *out, struct error *err) {
    const char *parts = parts_find(recipe->isa, recipe->op);
    struct emission e;
    *out = (struct assembled){0};
    snprintf(out->name, sizeof out->name, "%s%s%s.%s", recipe->isa->name, recipe->type == TYPE_NONE ? "" : ".",
             element_table[recipe->type].name, recipe->op);
    assemble_variant(recipe, out->variant, sizeof out->variant);
    if (!assemble_emit_begin(&e, recipe->isa, recipe->type, parts != NULL && strchr(parts, 'f') != NULL, err))
        return false;
    out->kernel = (struct kernel){.name = out->name,
                                  .variant = out->variant,
                                  .op = recipe->op,
                                  .isa = recipe->isa,
                                  .type = recipe->type,
                                  .kind = parts != NULL ? KERNEL_COMPUTE : KERNEL_MEMORY,
                                  .needs = CPU_SSE2 | recipe->isa->needs | (e.fused ? CPU_AVX | CPU_FMA3 : 0),
                                  .accumulators = parts != NULL ? recipe->width : 0,
                                  .unroll = recipe->unroll,
                                  .stretch_bytes = stretch_bytes(recipe),
                                  .prefetch = recipe->prefetch};
    if (parts != NULL)
        arithmetic_body(&e, recipe);
    else
        memory_body(&e, recipe);
    bool done = assemble_emit_end(&e, err);
    out->pages = e.pages;
    out->kernel.cost = e.cost;
    out->kernel.block_bytes = e.step_bytes;
    out->kernel.entry = (kernel_entry *)(uintptr_t)e.pages.code;
    if (done && decode_verify(&out->kernel, err))
        return true;
    assemble_free(out);
    return false;
}

void assemble_free(struct assembled *assembled) {
    pages_release(&assembled->pages);
    *assembled = (struct assembled){0};
}
