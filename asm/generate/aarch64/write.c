/* SPDX-License-Identifier: BSD-3-Clause
 * The instructions of AArch64: general registers, scalars, NEON and SVE. x1 counts blocks; x2 to x5 are bases of parts
 * of a block that immediate offsets do not reach from the cursor; x6 to x17 are the kernels' general registers. Of
 * SVE, p0 is true for all elements. Of SME, accumulators are tiles, and the registers behind them vectors. */
#include "asm/generate/generate.h"

#include <string.h>

enum { FIRST_BASE = 2, BASE_COUNT = 4, FIRST_GENERAL = 6, GENERAL_COUNT = 12 };
#define GENERAL_CLOBBERS                                                                                               \
    "\"x1\", \"x2\", \"x3\", \"x4\", \"x5\", \"x6\", \"x7\", \"x8\", \"x9\", \"x10\", \"x11\", \"x12\", \"x13\", "     \
    "\"x14\", \"x15\", \"x16\", \"x17\""
/* Entering and leaving the streaming mode of SME zeroes the predicates that other kernels leave alone, too. */
#define STREAMING_CLOBBERS ", \"p8\", \"p9\", \"p10\", \"p11\", \"p12\", \"p13\", \"p14\", \"p15\""
#define PREDICATE_CLOBBERS ", \"p0\", \"p1\", \"p2\", \"p3\", \"p4\", \"p5\", \"p6\", \"p7\""

/* Of elements, by their bytes. */
static const char LETTERS[] = {[1] = 'b', [2] = 'h', [4] = 's', [8] = 'd'};

static bool is_sve(const struct emitter *e) {
    return e->isa != NULL && !emit_is_general(e) && e->dialect->registers[0] == 'z';
}

/* z0 to z31 are these, too. */
struct operand_text write_clobber(const struct isa *isa, unsigned index) {
    struct operand_text text;
    (void)isa;
    snprintf(text.text, sizeof text.text, "v%u", index);
    return text;
}

/* Accumulators of SME: there are as many tiles as a sum has bytes. */
static unsigned tile_count(const struct emitter *e) {
    return emit_outer_bytes(e);
}

unsigned write_register_count(const struct emitter *e, const struct arithmetic_order *order) {
    enum { FACTORS = 3 };
    (void)order;
    if (emit_is(e, ISA_TILES))
        return tile_count(e) + FACTORS;
    return emit_is_general(e) ? GENERAL_COUNT : e->dialect->register_count;
}

/* Of arithmetic on elements of so many bytes: "x7", "d3", "v3.2d", "z3.d". */
static struct operand_text elements_text(const struct emitter *e, unsigned index, unsigned bytes) {
    static const char *const ALL[] = {[1] = "16b", [2] = "8h", [4] = "4s", [8] = "2d"};
    struct operand_text text;
    if (emit_is_general(e))
        snprintf(text.text, sizeof text.text, "%c%u", bytes == 8 ? 'x' : 'w', FIRST_GENERAL + index);
    else if (is_sve(e))
        snprintf(text.text, sizeof text.text, "z%u.%c", index, LETTERS[bytes]);
    else if (e->dialect->packed)
        snprintf(text.text, sizeof text.text, "v%u.%s", index, ALL[bytes]);
    else
        snprintf(text.text, sizeof text.text, "%c%u", LETTERS[bytes], index);
    return text;
}

static struct operand_text register_text(const struct emitter *e, unsigned index) {
    return elements_text(e, index, element_table[e->kernel.type].bytes);
}

/* Of loads and stores: "q3", "z3". */
static struct operand_text whole_text(const struct emitter *e, unsigned index) {
    struct operand_text text;
    if (!e->dialect->packed)
        return register_text(e, index);
    snprintf(text.text, sizeof text.text, "%c%u", is_sve(e) ? 'z' : 'q', index);
    return text;
}

/* Immediates have 12 bits, which may be shifted by 12. */
static void write_sum(struct emitter *e, const char *to, const char *from, unsigned bytes) {
    const unsigned low = bytes & 0xfff, high = bytes - low;
    if (high != 0)
        emit(e, EFFECT_NONE, "add %s, %s, #%u", to, from, high);
    if (low != 0)
        emit(e, EFFECT_NONE, "add %s, %s, #%u", to, high != 0 ? to : from, low);
}

/* The parts of the block at which bases point: several streams move in step through parts of their own, so the oldest
 * is no longer needed. */
static struct { unsigned of_base[BASE_COUNT], next; } parts;

static struct operand_text base_text(struct emitter *e, unsigned part, unsigned part_bytes) {
    struct operand_text base = {"%[cursor]"};
    unsigned i = 0;
    while (i < BASE_COUNT && parts.of_base[i] != part)
        i++;
    if (part == 0)
        return base;
    const bool missing = i == BASE_COUNT;
    i = missing ? parts.next++ % BASE_COUNT : i;
    parts.of_base[i] = part;
    snprintf(base.text, sizeof base.text, "x%u", FIRST_BASE + i);
    if (missing)
        write_sum(e, base.text, "%[cursor]", part * part_bytes);
    return base;
}

struct generated_address {
    char text[64];
};

/* "[x2, #16]", "[x2, #1, mul vl]"; `reach` is the number of accesses that immediate offsets reach. */
static struct generated_address address_text(struct emitter *e, unsigned offset_bytes, unsigned reach) {
    const unsigned bytes = emit_data_bytes(e), part_bytes = reach * bytes, rest = offset_bytes % part_bytes;
    const struct operand_text base = base_text(e, offset_bytes / part_bytes, part_bytes);
    struct generated_address address;
    if (is_sve(e))
        snprintf(address.text, sizeof address.text, "[%s, #%u, mul vl]", base.text, rest / bytes);
    else
        snprintf(address.text, sizeof address.text, "[%s, #%u]", base.text, rest);
    return address;
}

void write_loop_begin(struct emitter *e) {
    emit(e, EFFECT_NONE, "1:");
    if (e->kernel.kind != KERNEL_CHASE)
        emit(e, EFFECT_NONE, "mov %%[cursor], %%[buffer]");
    emit(e, EFFECT_NONE, "mov x1, %%[blocks]");
    emit(e, EFFECT_NONE, ".p2align 6");
    emit(e, EFFECT_NONE, "2:");
    memset(&parts, 0, sizeof parts);
    emit_loop_begin(e);
}

void write_loop_end(struct emitter *e, unsigned step_bytes) {
    write_sum(e, "%[cursor]", "%[cursor]", step_bytes);
    emit(e, EFFECT_NONE, "subs x1, x1, #1");
    emit(e, EFFECT_NONE, "b.ne 2b");
    emit_loop_end(e, step_bytes);
    emit(e, EFFECT_NONE, "subs %%[passes], %%[passes], #1");
    emit(e, EFFECT_NONE, "b.ne 1b");
}

/* As words: assemblers are late to know SME. */
#define SMSTART    ".inst 0xd503477f // smstart"
#define SMSTOP     ".inst 0xd503467f // smstop"
#define ZERO_TILES ".inst 0xc00800ff // zero {za}"
static const uint32_t ADDHA = 0xc0900000; /* a vector to each row of a tile of 32-bit sums, under p0 */

/* A kernel has its streaming mode and tiles for itself: its caller has neither on, calls nothing meanwhile, and a
 * signal's handler is entered without both. The mode sets all flags of FPSR, and outer products set none. */
static void write_streaming_begin(struct emitter *e) {
    emit(e, EFFECT_NONE, "mrs x16, fpsr");
    emit(e, EFFECT_NONE, SMSTART);
    emit(e, EFFECT_NONE, ZERO_TILES);
}

static void write_streaming_end(struct emitter *e) {
    emit(e, EFFECT_NONE, SMSTOP);
    emit(e, EFFECT_NONE, "msr fpsr, x16");
}

void write_end(struct emitter *e) {
    e->clobbers = emit_is(e, ISA_TILES) ? PREDICATE_CLOBBERS STREAMING_CLOBBERS : is_sve(e) ? PREDICATE_CLOBBERS : "";
    if (emit_is(e, ISA_TILES))
        write_streaming_end(e);
    emit_end(e, "[cursor] \"+&r\"", GENERAL_CLOBBERS);
}

static void write_predicate(struct emitter *e) {
    if (is_sve(e))
        emit(e, EFFECT_NONE, "ptrue p0.b");
}

void write_arithmetic_begin(struct emitter *e) {
    if (emit_is(e, ISA_TILES))
        write_streaming_begin(e);
    write_predicate(e);
}

/* The row's first 128 bits, repeated: SVE's vectors may be longer than a row. Tiles of 32-bit sums are all there is, so
 * those of 64 bits get their start values with them. */
void write_operand(struct emitter *e, unsigned row, unsigned index) {
    enum { TILES_OF_WORDS = 4 };
    const unsigned offset = operands_offset_bytes(row);
    const bool tile = emit_is(e, ISA_TILES) && index < tile_count(e);
    if (tile && index >= TILES_OF_WORDS)
        return;
    if (is_sve(e)) {
        emit(e, EFFECT_NONE, "add x2, %%[operands], #%u", offset);
        emit(e, EFFECT_NONE, "ld1rqd {z%u.d}, p0/z, [x2]", index);
        if (tile)
            emit(e, EFFECT_NONE, ".inst %#x // addha za%u.s, p0/m, p0/m, z%u.s", ADDHA | index << 5 | index, index,
                 index);
    } else
        emit(e, EFFECT_NONE, "ldr %s, [%%[operands], #%u]", whole_text(e, index).text, offset);
}

/* General registers compute with 32 and 64 bits. NEON has no product of 64-bit elements. */
bool write_has_integers(const struct emitter *e, enum element_type type, char letter) {
    if (emit_is_general(e))
        return type >= TYPE_I32 && strchr("amlc", letter) != NULL;
    return e->dialect->integers &&
           (strchr("aleg", letter) != NULL || (letter == 'm' && (is_sve(e) || type != TYPE_I64)));
}

cpu_features write_integer_needs(const struct emitter *e, enum element_type type, char letter) {
    (void)e, (void)type, (void)letter;
    return 0;
}

/* Sums of products have 32 bits, of 16-bit factors 64. */
static void write_products(struct emitter *e, const struct operation *o) {
    const unsigned sum_bytes = e->kernel.type == TYPE_I16 ? 8 : 4;
    emit(e, o->effect, "%s %s, %s, %s", o->dot, elements_text(e, o->to, sum_bytes).text, register_text(e, o->step).text,
         register_text(e, o->constant).text);
}

/* By the types of factors: f64, f32, f16, bf16, i8, i16. */
static uint32_t outer_word(const struct emitter *e, const char *name) {
    static const uint32_t WORDS[] = {[TYPE_F64] = 0x80c00000,  [TYPE_F32] = 0x80800000, [TYPE_F16] = 0x81a00000,
                                     [TYPE_BF16] = 0x81800000, [TYPE_I8] = 0xa0800000,  [TYPE_I16] = 0xa0c00000};
    enum { UNSIGNED = 0x01200000 };
    return WORDS[e->kernel.type] | (*name == 'u' ? UNSIGNED : 0);
}

/* The tile is the accumulator, and both predicates are p0. */
static void write_outer(struct emitter *e, const struct operation *o) {
    const char sums = LETTERS[emit_outer_bytes(e)], factors = LETTERS[element_table[e->kernel.type].bytes];
    emit(e, o->effect, ".inst %#x // %s za%u.%c, p0/m, p0/m, z%u.%c, z%u.%c",
         outer_word(e, o->dot) | o->constant << 16 | o->step << 5 | o->to, o->dot, o->to, sums, o->step, factors,
         o->constant, factors);
}

/* Vectors add a product to their accumulator. NEON cannot multiply it; SVE can, and takes as long. */
static void write_fused(struct emitter *e, const struct operation *o) {
    static const char *const NAMES[2][2] = {{"fmadd", "fmsub"}, {"fmadd", "fnmsub"}};
    const struct operand_text to = register_text(e, o->to), step = register_text(e, o->step),
                              constant = register_text(e, o->constant);
    const char *const add = o->visit ? "fmls" : "fmla", *const name = NAMES[o->letter == 'f'][o->visit];
    if (e->dialect->packed)
        emit(e, o->effect, "%s %s, %s%s, %s", add, to.text, is_sve(e) ? "p0/m, " : "", step.text, constant.text);
    else if (o->letter == 'f')
        emit(e, o->effect, "%s %s, %s, %s, %s", name, to.text, to.text, constant.text, step.text);
    else
        emit(e, o->effect, "%s %s, %s, %s, %s", name, to.text, step.text, constant.text, to.text);
}

/* Comparisons of vectors write vectors, of SVE predicates in turn. */
static void write_comparison(struct emitter *e, const struct operation *o) {
    enum { PREDICATES = 7 };
    const struct operand_text to = register_text(e, o->to), constant = register_text(e, o->constant);
    const char *const name = o->letter == 'e' ? "eq" : "gt";
    if (emit_is_general(e))
        emit(e, o->effect, "cmp %s, %s", to.text, constant.text);
    else if (is_sve(e))
        emit(e, o->effect, "cmp%s p%u.%c, p0/z, %s, %s", name, 1 + o->to % PREDICATES,
             LETTERS[element_table[e->kernel.type].bytes], to.text, constant.text);
    else
        emit(e, o->effect, "cm%s %s, %s, %s", name, to.text, to.text, constant.text);
}

static void write_shift(struct emitter *e, const struct operation *o) {
    enum { SHIFT_BITS = 3 };
    static const char *const NAMES[2][2] = {{"lsl", "lsr"}, {"shl", "ushr"}};
    const bool neon = !emit_is_general(e) && !is_sve(e);
    const struct operand_text to = register_text(e, o->to);
    emit(e, o->effect, "%s %s, %s, #%d", NAMES[neon][o->visit], to.text, to.text, SHIFT_BITS);
}

/* Three operands; of SVE, quotients, roots and products of integers go to their first operand. */
static void write_plain(struct emitter *e, const struct operation *o, const char *name) {
    const struct operand_text to = register_text(e, o->to), from = register_text(e, o->from),
                              constant = register_text(e, o->constant);
    const bool integer = element_table[e->kernel.type].integer, root = o->effect == EFFECT_SQRT;
    const bool masked = is_sve(e) && (root || o->effect == EFFECT_DIV || (integer && o->effect == EFFECT_MUL));
    emit(e, o->effect, "%s%s %s, %s%s%s%s", integer ? "" : "f", name, to.text, masked ? "p0/m, " : "",
         root ? "" : from.text, root ? "" : ", ", constant.text);
}

void write_operation(struct emitter *e, const struct operation *o) {
    static const char *const NAMES[][2] = {[EFFECT_ADD] = {"add", "sub"},
                                           [EFFECT_MUL] = {"mul", "mul"},
                                           [EFFECT_DIV] = {"div", "div"},
                                           [EFFECT_SQRT] = {"sqrt", "sqrt"}};
    if (o->effect == EFFECT_OUTER)
        write_outer(e, o);
    else if (o->dot != NULL)
        write_products(e, o);
    else if (o->effect == EFFECT_FMA)
        write_fused(e, o);
    else if (o->effect <= EFFECT_SQRT)
        write_plain(e, o, NAMES[o->effect][o->visit]);
    else if (o->effect == EFFECT_SHIFT)
        write_shift(e, o);
    else
        write_comparison(e, o);
}

void write_source(struct emitter *e, unsigned index, bool nontemporal, bool zeros) {
    (void)nontemporal;
    write_predicate(e);
    if (zeros && is_sve(e))
        emit(e, EFFECT_NONE, "dup z%u.d, #0", index);
    else if (zeros)
        emit(e, EFFECT_NONE, "movi v%u.2d, #0", index);
    else
        write_operand(e, 0, index);
}

/* What immediate offsets reach, in accesses: of one register, of pairs, of SVE's and of its nontemporal ones. */
enum { REACH = 4096, REACH_PAIRS = 64, REACH_SVE = 256, REACH_SVE_NONTEMPORAL = 8 };

static unsigned reachable_accesses(const struct emitter *e, bool nontemporal) {
    if (is_sve(e))
        return nontemporal ? REACH_SVE_NONTEMPORAL : REACH_SVE;
    return e->pairs ? REACH_PAIRS : REACH;
}

/* Narrow elements of general registers: "ldrb". */
static const char *narrow_suffix(const struct emitter *e) {
    const unsigned bytes = emit_data_bytes(e);
    return !emit_is_general(e) || bytes > 2 ? "" : bytes == 2 ? "h" : "b";
}

void write_load(struct emitter *e, unsigned offset_bytes, unsigned index) {
    const struct generated_address address = address_text(e, offset_bytes, reachable_accesses(e, false));
    if (e->pairs)
        emit(e, EFFECT_LOAD, "ldp %s, %s, %s", whole_text(e, 2 * index).text, whole_text(e, 2 * index + 1).text,
             address.text);
    else
        emit(e, EFFECT_LOAD, "ldr%s %s, %s", narrow_suffix(e), whole_text(e, index).text, address.text);
}

void write_store(struct emitter *e, unsigned offset_bytes, unsigned index, bool nontemporal) {
    const struct generated_address address = address_text(e, offset_bytes, reachable_accesses(e, nontemporal));
    const struct operand_text data = whole_text(e, index);
    if (nontemporal && is_sve(e))
        emit(e, EFFECT_STORE, "stnt1d {%s.d}, p0, %s", data.text, address.text);
    else if (e->pairs)
        emit(e, EFFECT_STORE, "st%s %s, %s, %s", nontemporal ? "np" : "p", data.text, data.text, address.text);
    else
        emit(e, EFFECT_STORE, "str%s %s, %s", narrow_suffix(e), data.text, address.text);
}

void write_fence(struct emitter *e) {
    emit(e, EFFECT_NONE, "dsb ishst");
}

void write_line_of_zeros(struct emitter *e) {
    emit(e, EFFECT_NONE, "dc zva, %%[cursor]");
}

/* No instruction moves a line to an outer cache (dialect_features). */
void write_demote(struct emitter *e, unsigned offset_bytes) {
    (void)e, (void)offset_bytes;
}

/* Linear congruential generators from x6 on; x10 and x11 are their constants, x2 is the line. The high half of state ×
 * lines is an index below any number of lines. */
enum { FACTOR = 10, ADDEND = 11 };

void write_random_begin(struct emitter *e, unsigned states) {
    static const unsigned PARTS[] = {0x7f2d, 0x4c95, 0xf42d, 0x5851}; /* 6364136223846793005 */
    for (unsigned i = 0; i < sizeof PARTS / sizeof *PARTS; i++)
        emit(e, EFFECT_NONE, "mov%c x%d, #%u, lsl #%u", i == 0 ? 'z' : 'k', FACTOR, PARTS[i], 16 * i);
    emit(e, EFFECT_NONE, "movz x%d, #%u", ADDEND, 0x387); /* 1442695 */
    emit(e, EFFECT_NONE, "movk x%d, #%u, lsl #16", ADDEND, 0x16);
    emit(e, EFFECT_NONE, "mov x%d, %%[seed]", FIRST_GENERAL);
    for (unsigned i = FIRST_GENERAL + 1; i < FIRST_GENERAL + states; i++)
        emit(e, EFFECT_NONE, "madd x%u, x%u, x%d, x%d", i, i - 1, FACTOR, FACTOR); /* no successor of the one before */
    if (is_sve(e))
        emit(e, EFFECT_NONE, "ptrue p0.b, vl%u", emit_data_bytes(e));
}

void write_random_line(struct emitter *e, unsigned state) {
    const unsigned own = FIRST_GENERAL + state;
    emit(e, EFFECT_NONE, "umulh x2, x%u, %%[lines]", own);
    emit(e, EFFECT_NONE, "madd x%u, x%u, x%d, x%d", own, own, FACTOR, ADDEND);
    emit(e, EFFECT_NONE, "add x2, %%[buffer], x2, lsl #6");
}

/* Of vectors that are longer than a line, p0 has a line's elements. */
void write_random_load(struct emitter *e, unsigned offset_bytes, unsigned index) {
    if (is_sve(e))
        emit(e, EFFECT_LOAD, "ld1b {z%u.b}, p0/z, [x2, #%u, mul vl]", index, offset_bytes / emit_data_bytes(e));
    else
        emit(e, EFFECT_LOAD, "ldr %s, [x2, #%u]", whole_text(e, index).text, offset_bytes);
}

void write_hop(struct emitter *e) {
    emit(e, EFFECT_LOAD, "ldr %%[cursor], [%%[cursor]]");
}

/* The first chains wait in registers. */
void write_chains_begin(struct emitter *e, unsigned count) {
    for (unsigned i = 0; i < count && i < GENERAL_COUNT; i++)
        emit(e, EFFECT_NONE, "ldr x%u, [%%[cursor], #%u]", FIRST_GENERAL + i, 8 * i);
}

/* Where a chain waits in the array, a hop takes as long as a store and its load in addition. */
void write_chains_hop(struct emitter *e, unsigned chain) {
    if (chain < GENERAL_COUNT) {
        emit(e, EFFECT_LOAD, "ldr x%u, [x%u]", FIRST_GENERAL + chain, FIRST_GENERAL + chain);
    } else {
        emit(e, EFFECT_LOAD, "ldr x2, [%%[cursor], #%u]", 8 * chain);
        emit(e, EFFECT_LOAD, "ldr x2, [x2]");
        emit(e, EFFECT_STORE, "str x2, [%%[cursor], #%u]", 8 * chain);
    }
}

void write_chains_end(struct emitter *e, unsigned count) {
    for (unsigned i = 0; i < count && i < GENERAL_COUNT; i++)
        emit(e, EFFECT_NONE, "str x%u, [%%[cursor], #%u]", FIRST_GENERAL + i, 8 * i);
}
