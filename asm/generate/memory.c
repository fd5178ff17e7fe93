/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels that move data: patterns of loads and stores, with and without arithmetic, random lines, and the pointer
 * chase. The layout of a block decides which of its lines are loaded and stored. */
#include "generate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "asm/pattern.h"

enum { ACCESS_MAX = 640, SPACED_GROUPS = 32 }; /* per block */

struct line_access {
    unsigned offset_bytes;
    bool store;
};

struct access_block {
    struct line_access *accesses;
    unsigned count, bytes;
    unsigned stretch_bytes; /* 0: only one stretch */
};

/* The accesses of one block in execution order: `pieces` groups of the pattern's loads and stores, each of the vector's
 * width. Each load and each store of a group walks its own stretches of the block, as with arrays, of `stretch_pieces`
 * pieces. With neighbouring lines in one group instead, the L2 gives 8 to 15 % less (seen: 1ld1st, axpy), and the other
 * levels the same. A store and a later load have the same low 12 address bits only after dozens of groups. */
static struct access_block block_make(const struct pattern *pattern, unsigned pieces, unsigned data_bytes,
                                      unsigned stretch_pieces) {
    unsigned per_group = pattern->loads + pattern->stores, stretches = per_group - pattern->in_place;
    unsigned stretch_bytes = stretch_pieces * data_bytes;
    struct access_block block = {.accesses = calloc((size_t)pieces * per_group, sizeof *block.accesses),
                                 .bytes = stretches * pieces * data_bytes,
                                 .stretch_bytes = stretches > 1 ? stretch_bytes : 0};
    assert(block.accesses != NULL && pieces % stretch_pieces == 0);
    for (unsigned piece = 0; piece < pieces; piece++)
        for (unsigned k = 0; k < per_group; k++) {
            unsigned own = k >= pattern->loads && pattern->in_place ? k - 1 : k;
            unsigned stretch = piece / stretch_pieces * stretches + own;
            block.accesses[block.count++] = (struct line_access){
                stretch * stretch_bytes + piece % stretch_pieces * data_bytes, k >= pattern->loads};
        }
    return block;
}

/* Loads use these registers in turn, and their values are not used. Stores write a constant: storing loaded values is
 * as fast on every level, but would spread unsuitable numbers from a buffer. */
struct vector_registers {
    unsigned first, count, source;
};

static void access_emit(struct emitter *e, const struct pattern *pattern, const struct line_access *access, unsigned n,
                        const struct vector_registers *registers) {
    if (access->store)
        write_store(e, access->offset_bytes, registers->source, pattern->nontemporal);
    else
        write_load(e, access->offset_bytes, registers->first + n % registers->count);
}

/* Spaced: each group of loads and stores ends with a no-op. Without, a Zen 5 moves 174 to 177 bytes per cycle of
 * `2ld1st` in its L1, with it 190.7 of 192, as with any instruction there (seen); programs have such instructions.
 * Paired: as memcpy() and compilers do where an instruction loads or stores two registers. */
enum memory_way { WAY_SINGLE, WAY_SPACED, WAY_PAIRED };

/* Vectors may be longer than a line. */
static bool pattern_fits(const struct pattern *pattern, unsigned groups, unsigned access_bytes) {
    const unsigned lines = (pattern->loads + pattern->stores) * groups;
    return groups * LINE_BYTES % access_bytes == 0 && lines * LINE_BYTES / access_bytes <= ACCESS_MAX;
}

static void memory_kernel(struct emitter *e, enum element_type type, const struct pattern *pattern, unsigned groups,
                          enum memory_way way) {
    static const char *const FORMATS[] = {[WAY_SINGLE] = "%u", [WAY_SPACED] = "%u.n", [WAY_PAIRED] = "%u.p"};
    char variant[32];
    snprintf(variant, sizeof variant, FORMATS[way], groups);
    const bool general = emit_is_general(e);
    struct vector_registers registers = {
        .first = 0, .count = 8, .source = general ? 0 : e->dialect->register_count - 1};
    emit_begin(e, KERNEL_MEMORY, type, pattern->op, variant);
    e->kernel.unroll = groups;
    if (!general || pattern->stores > 0)
        write_source(e, registers.source, pattern->nontemporal, false);
    write_loop_begin(e);
    e->pairs = way == WAY_PAIRED || (pattern->nontemporal && e->dialect->pairs);
    const unsigned pieces = groups * LINE_BYTES / emit_access_bytes(e);
    struct access_block block = block_make(pattern, pieces, emit_access_bytes(e), pieces);
    e->kernel.stretch_bytes = block.stretch_bytes;
    for (unsigned i = 0; i < block.count; i++) {
        access_emit(e, pattern, &block.accesses[i], i, &registers);
        if (way == WAY_SPACED && (i + 1) % (pattern->loads + pattern->stores) == 0)
            emit(e, EFFECT_NONE, "nop");
    }
    write_loop_end(e, block.bytes);
    free(block.accesses);
    if (pattern->nontemporal)
        write_fence(e);
    write_end(e);
}

static void memory_variants(struct emitter *e, enum element_type type, const struct pattern *pattern) {
    enum { PAIRED_VARIANTS = 2 };
    const unsigned bytes = type == TYPE_NONE ? e->isa->vector_bytes : element_table[type].bytes;
    for (const unsigned *groups = pattern->groups; *groups != 0; groups++)
        if (pattern_fits(pattern, *groups, bytes))
            memory_kernel(e, type, pattern, *groups, WAY_SINGLE);
    for (unsigned i = 0; i < PAIRED_VARIANTS && e->dialect->pairs && !pattern->nontemporal; i++)
        if (pattern->groups[i] != 0 && pattern_fits(pattern, pattern->groups[i], 2 * bytes))
            memory_kernel(e, type, pattern, pattern->groups[i], WAY_PAIRED);
    if (pattern->loads > 0 && pattern->stores > 0 && pattern_fits(pattern, SPACED_GROUPS, bytes))
        memory_kernel(e, type, pattern, SPACED_GROUPS, WAY_SPACED);
}

/* General registers load and store single integers of each size. */
void generate_memory(struct emitter *e) {
    if (emit_is_general(e)) {
        for (enum element_type type = TYPE_I8; type <= TYPE_I64; type++) {
            memory_variants(e, type, pattern_find("load"));
            memory_variants(e, type, pattern_find("store"));
        }
        return;
    }
    for (size_t i = 0; i < pattern_count; i++)
        if (!pattern_table[i].nontemporal || !emit_is(e, ISA_STACK))
            memory_variants(e, TYPE_NONE, &pattern_table[i]);
}

/* Independent lines: four generators of random numbers run four chains of index arithmetic in parallel. */
void generate_random(struct emitter *e) {
    enum { STATES = 4 };
    emit_begin(e, KERNEL_RANDOM, TYPE_NONE, "random", "4");
    const unsigned parts = LINE_BYTES / emit_data_bytes(e);
    e->kernel.unroll = STATES;
    write_random_begin(e, STATES);
    write_loop_begin(e);
    for (unsigned i = 0; i < STATES; i++) {
        write_random_line(e, i);
        for (unsigned part = 0; part < parts; part++)
            write_random_load(e, part * emit_data_bytes(e), (i * parts + part) % 8);
    }
    write_loop_end(e, 0);
    write_end(e);
}

/* A pointer chase over the lines of its buffer makes one round in floor(lines / hops) blocks. */
void generate_chase(struct emitter *e) {
    enum { HOPS = 8 };
    emit_begin(e, KERNEL_CHASE, TYPE_NONE, "chase", "8");
    e->kernel.unroll = HOPS;
    e->kernel.block_bytes = HOPS * LINE_BYTES;
    write_loop_begin(e);
    for (unsigned i = 0; i < HOPS; i++)
        write_hop(e);
    write_loop_end(e, 0);
    write_end(e);
}

/* Chains of `count` independent pointer chases, a hop of each in turn. */
static void chases_kernel(struct emitter *e, unsigned count) {
    char op[32];
    snprintf(op, sizeof op, "chase%u", count);
    const unsigned hops = count < 8 ? 8 / count : 1;
    emit_begin(e, KERNEL_CHASE, TYPE_NONE, op, "1");
    e->kernel.accumulators = count;
    e->kernel.unroll = hops;
    e->kernel.block_bytes = count * hops * LINE_BYTES;
    write_chains_begin(e, count);
    write_loop_begin(e);
    for (unsigned hop = 0; hop < hops; hop++)
        for (unsigned i = 0; i < count; i++)
            write_chains_hop(e, i);
    write_loop_end(e, 0);
    write_chains_end(e, count);
    write_end(e);
}

void generate_chases(struct emitter *e) {
    for (size_t i = 0; pattern_chases[i]; i++)
        if (pattern_chases[i] > 1)
            chases_kernel(e, pattern_chases[i]);
}

static void whole_line_kernel(struct emitter *e, const struct store_way *way) {
    emit_begin(e, KERNEL_MEMORY, TYPE_NONE, way->op, "1");
    e->kernel.needs |= way->needs;
    e->kernel.unroll = 1;
    write_loop_begin(e);
    write_line_of_zeros(e);
    e->kernel.cost.store_bytes = LINE_BYTES;
    e->kernel.cost.mix.store = 1;
    write_loop_end(e, LINE_BYTES);
    write_fence(e);
    write_end(e);
}

/* Vector stores to consecutive lines. */
static void store_way_kernel(struct emitter *e, const struct store_way *way) {
    enum { LINES = 32 };
    const unsigned source = e->dialect->register_count - 1;
    emit_begin(e, KERNEL_MEMORY, TYPE_NONE, way->op, "32");
    e->kernel.needs |= way->needs;
    e->kernel.unroll = LINES;
    e->pairs = way->nontemporal && e->dialect->pairs;
    const unsigned bytes = emit_access_bytes(e);
    write_source(e, source, way->nontemporal, way->zeros);
    write_loop_begin(e);
    for (unsigned at = 0; at < LINES * LINE_BYTES; at += bytes) {
        write_store(e, at, source, way->nontemporal);
        if (way->demoted && (at + bytes) % LINE_BYTES == 0)
            write_demote(e, at / LINE_BYTES * LINE_BYTES);
    }
    write_loop_end(e, LINES * LINE_BYTES);
    if (way->nontemporal)
        write_fence(e);
    write_end(e);
}

void generate_store_ways(struct emitter *e) {
    for (const struct store_way *way = store_ways; way->op; way++)
        if ((way->needs & ~dialect_features) != 0)
            continue;
        else if (e->isa == NULL && way->whole_line)
            whole_line_kernel(e, way);
        else if (e->isa != NULL && !way->whole_line && e->dialect->packed)
            store_way_kernel(e, way);
}

/* Arithmetic spread evenly among loads, or among groups of two loads and a store: kernels of known intensity that
 * validate the model, in steps of two from 2^LOW to 2^HIGH flop per byte. */
enum { INTENSITY_LOG2_LOW = -6, INTENSITY_LOG2_HIGH = 6 };

struct mixture {
    const struct pattern *pattern;
    const struct arithmetic_order *order;
    const char *op;
    unsigned operations, accesses; /* their ratio; an access is a load or a group of the pattern */
};

static const struct {
    struct pattern pattern;
    const char *format; /* of the name: operations, their sort, groups */
} mixed_table[] = {
    {{.op = "ld", .loads = 1}, "%u%s%uld"},
    {{.op = "2ld1st", .loads = 2, .stores = 1}, "%u%s%ux2ld1st"},
};
enum { MIXED_COUNT = sizeof mixed_table / sizeof *mixed_table };

/* Fused operations add products to sums, and a store writes one of the sums, as in programs. Beside stores arithmetic
 * comes in bursts, and the sums are so few that each waits for its own addition: on a Zen 3 an FMA's addend and a
 * store's data share a register read, which a value that was just written does not need. Seen there, 256-bit, L1, flop
 * per cycle at 1/8 and 1/4 flop per byte, of 12 and 16: 7.0 and 9.6 with a constant stored and sums as factors; 7.0
 * and 10.7 with twelve sums, stored; 11.1 and 15.0 with the six and eight needed. Plain operations have two operands,
 * and lose nothing. If they need no copy, products that nothing reads leave more registers to the sums. */
static const struct arithmetic_order fused_order = {"t", NULL}, fresh_order = {"ma", "a"}, plain_order = {"ma", NULL};
enum { FUSED_BURST = 6, FUSED_CYCLES = 4, FUSED_UNITS = 2, PLAIN_SUMS = 12 };

static bool mixture_is_fused(const struct mixture *mixture) {
    return mixture->order == &fused_order;
}

static bool mixture_is_crowded(const struct mixture *mixture) {
    return mixture_is_fused(mixture) && mixture->pattern->stores > 0;
}

/* Groups per iteration, halved until block and body are small enough. With multiples of three, twelve accumulators are
 * visited evenly, unless the operations already allow it; with powers of two, rare operations reach an even number. A
 * body of two operations per byte is long even with one group: 1,536 of them at 64 flop per byte.
 * Two lengths for the L2: Zen 5's gives 32 bytes per cycle to load instructions that each advance by 30 to 110 lines
 * per iteration, and 48 otherwise (seen). Short blocks with the lines of a group side by side, and all accesses before
 * the arithmetic, for two loads and a store near the ridge: from its L2 23.5 of 24 flop per cycle at 1/2 flop per byte,
 * 16 with the others (seen). */
enum { MIXED_LINES_DENSE = 96, MIXED_LINES_RARE = 64, MIXED_BODY_MAX = 420 };
static const struct mixed_variant {
    const char *format;     /* of the variant: pieces, and those of a stretch */
    unsigned stream_lines;  /* of each load and each store of the group, at most */
    unsigned stretch_lines; /* at most; 0: no limit. Short ones are for memory (asm/pattern.c) */
    bool accesses_first;    /* before all arithmetic of the block: short blocks alone */
    unsigned accumulators;  /* at least; 0: no more than needed */
} mixed_variant_table[] = {
    {"%u", 96, 0, false, 0}, {"%u", 16, 0, false, 0},    {"%u.%u", 48, 2, false, 0},
    {"%u.m", 4, 1, true, 0}, {"%u.a", 16, 0, false, 12},
};
enum { MIXED_VARIANTS = sizeof mixed_variant_table / sizeof *mixed_variant_table };

/* The smallest numbers with that ratio. */
static struct mixture mixture_make(const struct emitter *e, enum element_type type, const struct pattern *pattern,
                                   int intensity_log2) {
    const bool fused = e->dialect->fused;
    const struct arithmetic_order *order = fused                       ? &fused_order
                                           : e->dialect->keeps_sources ? &fresh_order
                                                                       : &plain_order;
    struct mixture mixture = {pattern, order, fused ? "fma" : "addmul", 1, 1};
    mixture.operations = (pattern->loads + pattern->stores) * element_table[type].bytes / (fused ? 2 : 1);
    for (int i = 0; i < intensity_log2; i++)
        mixture.operations *= 2;
    for (int i = 0; i > intensity_log2; i--)
        if (mixture.operations % 2 == 0)
            mixture.operations /= 2;
        else
            mixture.accesses *= 2;
    return mixture;
}

/* The operations of each accumulator per iteration are a multiple of this. A multiplication is undone by the next one,
 * or stands beside a sum. A sum is never undone: it grows, but not beyond the range of its type. */
static unsigned least_operations(const struct mixture *mixture) {
    return (unsigned)strlen(mixture->order->parts);
}

/* Accumulators that can all take the same multiple: `wanted` or the next number above, otherwise the next below. One
 * register is the loads' target. */
static unsigned accumulators_for(const struct emitter *e, const struct mixture *mixture, unsigned operations,
                                 unsigned wanted) {
    const unsigned most = arithmetic_accumulators_max(e, mixture->order) - 1,
                   step = arithmetic_shape_parts(mixture->order), least = least_operations(mixture);
    unsigned below = 0;
    for (unsigned count = step; count <= most; count += step)
        if (operations % (least * count) == 0) {
            if (count >= wanted)
                return count;
            below = count;
        }
    assert(below > 0);
    return below;
}

/* Sums that keep the units busy, but beside stores no more than one group per cycle needs. */
static unsigned sums_needed(const struct mixture *mixture) {
    const unsigned n = mixture->accesses, most = FUSED_CYCLES * FUSED_UNITS,
                   beside_stores = (FUSED_CYCLES * mixture->operations + n - 1) / n;
    if (!mixture_is_fused(mixture))
        return PLAIN_SUMS;
    return mixture_is_crowded(mixture) && beside_stores < most ? beside_stores : most;
}

static unsigned mixed_pieces(const struct emitter *e, const struct mixture *mixture, unsigned stream_lines) {
    unsigned m = mixture->operations, n = mixture->accesses,
             visits = least_operations(mixture) * arithmetic_shape_parts(mixture->order);
    unsigned per_group = mixture->pattern->loads + mixture->pattern->stores, data_bytes = emit_data_bytes(e);
    unsigned lines = m < n || m % 3 == 0 ? MIXED_LINES_RARE : MIXED_LINES_DENSE;
    unsigned pieces = lines * LINE_BYTES / data_bytes;
    while (pieces * m % (visits * n) != 0) /* of vectors that are longer than a line */
        pieces *= 2;
    while ((pieces * data_bytes > stream_lines * LINE_BYTES || pieces * (per_group * n + m) > MIXED_BODY_MAX * n) &&
           pieces % 2 == 0 && pieces / 2 * m % (visits * n) == 0)
        pieces /= 2;
    return pieces;
}

/* The register that a store writes after so many operations: the sum of the last but one, or a constant. */
static unsigned stored_register(const struct emitter *e, const struct mixture *mixture, unsigned accumulators,
                                unsigned done) {
    return mixture_is_fused(mixture) ? (done + 2 * accumulators - 2) % accumulators
                                     : arithmetic_accumulators_max(e, mixture->order);
}

/* One iteration: `operations` among `pieces` accesses. */
struct mixed_block {
    unsigned pieces, stretch_pieces, operations, accumulators;
};

static void mixed_kernel(struct emitter *e, const struct mixture *mixture, const struct mixed_block *shape,
                         bool accesses_first) {
    struct access_block block = block_make(mixture->pattern, shape->pieces, emit_data_bytes(e), shape->stretch_pieces);
    struct vector_registers registers = {.first = arithmetic_accumulators_max(e, mixture->order) - 1, .count = 1};
    e->kernel.accumulators = shape->accumulators;
    e->kernel.unroll = shape->pieces;
    e->kernel.stretch_bytes = block.stretch_bytes;
    arithmetic_start(e, mixture->order, shape->accumulators);
    write_loop_begin(e);
    for (unsigned i = 0, done = 0; i < block.count; i++) {
        const bool last = i + 1 == block.count;
        registers.source = stored_register(e, mixture, shape->accumulators, done);
        access_emit(e, mixture->pattern, &block.accesses[i], i, &registers);
        unsigned turn = accesses_first && !last ? 0 : (i + 1) * shape->operations / block.count;
        for (turn -= last || !mixture_is_crowded(mixture) ? 0 : turn % FUSED_BURST; done < turn; done++)
            arithmetic_emit(e, mixture->order, shape->accumulators, done);
    }
    write_loop_end(e, block.bytes);
    free(block.accesses);
    write_end(e);
}

static unsigned most_sums(const struct emitter *e, const struct mixed_variant *way) {
    return e->dialect->sums > way->accumulators ? e->dialect->sums : way->accumulators;
}

static struct mixed_block mixed_block(const struct emitter *e, const struct mixed_variant *way,
                                      const struct mixture *mixture) {
    struct mixed_block block = {.pieces = mixed_pieces(e, mixture, way->stream_lines)};
    block.operations = block.pieces * mixture->operations / mixture->accesses;
    block.accumulators = accumulators_for(e, mixture, block.operations,
                                          way->accumulators > 0 ? most_sums(e, way) : sums_needed(mixture));
    block.stretch_pieces = way->stretch_lines > 0 ? way->stretch_lines * LINE_BYTES / emit_data_bytes(e) : block.pieces;
    block.stretch_pieces += block.stretch_pieces == 0; /* a vector may be longer than the stretch */
    while (block.pieces % block.stretch_pieces != 0)
        block.stretch_pieces /= 2;
    return block;
}

/* One that is not cut, one that cannot be short, or the same as an earlier one. */
static bool is_needless(const struct emitter *e, const struct mixture *mixture, const struct mixed_block *blocks,
                        unsigned row) {
    const struct mixed_variant *way = &mixed_variant_table[row];
    const struct mixed_block *block = &blocks[row];
    const bool one_stream = mixture->pattern->loads + mixture->pattern->stores == 1;
    if (way->accesses_first)
        return one_stream || block->pieces * emit_data_bytes(e) > way->stream_lines * LINE_BYTES;
    if (way->stretch_lines > 0)
        return one_stream || block->stretch_pieces >= block->pieces;
    for (unsigned i = 0; i < row; i++)
        if (blocks[i].pieces == block->pieces && blocks[i].accumulators == block->accumulators)
            return true;
    return false;
}

static void mixed_variants(struct emitter *e, enum element_type type, size_t row, int intensity_log2) {
    const struct mixture mixture = mixture_make(e, type, &mixed_table[row].pattern, intensity_log2);
    struct mixed_block blocks[MIXED_VARIANTS];
    char op[32], variant[32];
    snprintf(op, sizeof op, mixed_table[row].format, mixture.operations, mixture.op, mixture.accesses);
    e->kernel.type = type;
    for (unsigned v = 0; v < MIXED_VARIANTS; v++) {
        const struct mixed_variant *way = &mixed_variant_table[v];
        blocks[v] = mixed_block(e, way, &mixture);
        if (is_needless(e, &mixture, blocks, v))
            continue;
        snprintf(variant, sizeof variant, way->format, blocks[v].pieces, blocks[v].stretch_pieces);
        emit_begin(e, KERNEL_MIXED, type, op, variant);
        mixed_kernel(e, &mixture, &blocks[v], way->accesses_first);
    }
}

void generate_mixed(struct emitter *e) {
    enum element_type last = emit_is(e, ISA_STACK) ? TYPE_F64 : TYPE_F32;
    if (!e->dialect->plain && !e->dialect->fused)
        return;
    for (enum element_type type = TYPE_F64; type <= last; type++)
        for (size_t row = 0; row < MIXED_COUNT; row++)
            for (int log2 = INTENSITY_LOG2_LOW; log2 <= INTENSITY_LOG2_HIGH; log2++)
                mixed_variants(e, type, row, log2);
}
