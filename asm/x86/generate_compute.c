/* SPDX-License-Identifier: BSD-3-Clause
 * Compute kernels: arithmetic on registers, with several numbers of accumulators and degrees of unrolling. The best
 * depends on the core's latency × ports, so it is searched at run time. */
#include "generate.h"

#include <string.h>

/* Accumulators × unroll by the number of parts or owners, the first guess first. Sixteen registers have room for
 * thirteen accumulators (seen: 11.6 flop/cycle of adds and multiplications, 11.4 with twelve). Every accumulator is
 * visited an even number of times, since its two constants alternate. */
static const struct compute_shape {
    unsigned parts, accumulators, unroll;
} shape_table[] = {
    {1, 12, 4},  {1, 16, 2}, {1, 10, 4},  {1, 8, 4},  {1, 12, 2}, {1, 24, 2}, {1, 28, 2}, {1, 8, 2},
    {2, 13, 12}, {2, 12, 4}, {2, 16, 2},  {2, 10, 4}, {2, 8, 4},  {2, 12, 2}, {2, 24, 2}, {3, 12, 4},
    {4, 13, 12}, {4, 12, 4}, {6, 13, 12}, {6, 12, 4}, {3, 12, 2}, {3, 24, 2}, {3, 9, 4},  {3, 6, 4},
    {3, 18, 2},  {3, 27, 2}, {7, 14, 6},  {7, 28, 6}, {5, 10, 4},
};
enum { SHAPE_COUNT = sizeof shape_table / sizeof *shape_table };

/* A product of tiles starts every 16 cycles. Four in flight are enough (seen on Redwood Cove: 1024 flop per cycle with
 * four and with five). With three factors, eight tiles leave five. */
static const struct compute_shape amx_shape_table[] = {{1, 4, 4}, {1, 5, 4}, {1, 4, 8}};

/* Seven accumulators beside the constant: four of them for multiplications, whose latency is four cycles. */
static const struct compute_shape x87_shape_table[] = {{0, 7, 6}, {0, 6, 8}, {0, 6, 4}, {0, 6, 2}};
enum { X87_SHAPE_COUNT = sizeof x87_shape_table / sizeof *x87_shape_table };

/* General registers: the ports are at least as many as an instruction's latency. The loop's own two instructions use
 * the same ports, so bodies are long. */
static const struct compute_shape general_shape_table[] = {{1, 7, 16}, {1, 6, 16}, {1, 8, 16}, {1, 4, 24}, {1, 5, 48}};

static bool shape_fits(const struct emitter *e, const struct arithmetic_order *order,
                       const struct compute_shape *shape) {
    return shape->parts == arithmetic_shape_parts(order) &&
           shape->accumulators + arithmetic_writes_fresh(order) <= arithmetic_accumulators_max(e, order);
}

static void compute_kernel(struct emitter *e, enum element_type type, const struct arithmetic *arithmetic,
                           const struct arithmetic_order *order, unsigned accumulators, unsigned unroll) {
    char variant[16]; /* the length of a sample's variant */
    arithmetic_variant(order, accumulators, unroll, variant, sizeof variant);
    emit_begin(e, KERNEL_COMPUTE, type, arithmetic->op, variant);
    e->kernel.needs |= arithmetic_needs(e, type, arithmetic);
    e->kernel.accumulators = accumulators;
    e->kernel.unroll = unroll;
    arithmetic_start(e, order, accumulators);
    emit_loop(e);
    for (unsigned n = 0; n < arithmetic_operations(order, accumulators, unroll); n++)
        arithmetic_emit(e, order, accumulators, n);
    emit_loop_end(e, 0);
    arithmetic_finish(e, accumulators);
    bool masks = e->dialect->evex && strpbrk(order->parts, "eg");
    emit_end(e, e->dialect->coding == CODING_AMX       ? ", \"rdx\""
                : e->dialect->coding == CODING_GENERAL ? GENERAL_CLOBBERS
                : masks                                ? MASK_CLOBBERS
                                                       : "");
}

static void compute_shapes(struct emitter *e, enum element_type type, const struct arithmetic *arithmetic,
                           const struct arithmetic_order *order, const struct compute_shape *shapes, size_t count) {
    for (size_t s = 0; s < count; s++)
        if (shape_fits(e, order, &shapes[s]))
            compute_kernel(e, type, arithmetic, order, shapes[s].accumulators, shapes[s].unroll);
}

static void compute_x87(struct emitter *e, const struct arithmetic *arithmetic, const struct arithmetic_order *order) {
    bool copies = strchr(order->parts, 's'); /* the copy needs an eighth register */
    for (size_t s = 0; s < X87_SHAPE_COUNT && strlen(order->parts) <= 3 && !arithmetic_writes_fresh(order); s++)
        if (!copies || x87_shape_table[s].accumulators < arithmetic_accumulators_max(e, order))
            compute_kernel(e, TYPE_F64, arithmetic, order, x87_shape_table[s].accumulators, x87_shape_table[s].unroll);
}

static void compute_order(struct emitter *e, enum element_type type, const struct arithmetic *arithmetic,
                          const struct arithmetic_order *order) {
    if (e->dialect->coding == CODING_X87)
        compute_x87(e, arithmetic, order);
    else if (e->dialect->coding == CODING_GENERAL)
        compute_shapes(e, type, arithmetic, order, general_shape_table,
                       sizeof general_shape_table / sizeof *general_shape_table);
    else if (e->dialect->coding == CODING_AMX)
        compute_shapes(e, type, arithmetic, order, amx_shape_table, sizeof amx_shape_table / sizeof *amx_shape_table);
    else
        compute_shapes(e, type, arithmetic, order, shape_table, SHAPE_COUNT);
}

void generate_compute(struct emitter *e) {
    for (enum element_type type = TYPE_F64; type < TYPE_COUNT; type++)
        for (size_t i = 0; i < arithmetic_count; i++) {
            const struct arithmetic *arithmetic = &arithmetic_table[i];
            for (size_t o = 0; o < ARITHMETIC_MAX_ORDERS && arithmetic->orders[o].parts; o++)
                if (arithmetic_exists(e, type, arithmetic))
                    compute_order(e, type, arithmetic, &arithmetic->orders[o]);
        }
}
