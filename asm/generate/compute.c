/* SPDX-License-Identifier: BSD-3-Clause
 * Compute kernels: arithmetic on registers, with several numbers of accumulators and degrees of unrolling. The best
 * depends on the core's latency × ports, so it is searched at run time. */
#include "generate.h"

#include <string.h>

/* Accumulators × unroll by the number of parts or owners, the first guess first. Sixteen registers have room for
 * thirteen accumulators (seen: 11.6 flop/cycle of adds and multiplications, 11.4 with twelve). Every accumulator is
 * visited an even number of times, since its two constants alternate. */
static const struct compute_shape vector_shapes[] = {
    {1, 12, 4},  {1, 16, 2}, {1, 10, 4},  {1, 8, 4},  {1, 12, 2}, {1, 24, 2}, {1, 28, 2}, {1, 8, 2},
    {2, 13, 12}, {2, 12, 4}, {2, 16, 2},  {2, 10, 4}, {2, 8, 4},  {2, 12, 2}, {2, 24, 2}, {3, 12, 4},
    {4, 13, 12}, {4, 12, 4}, {6, 13, 12}, {6, 12, 4}, {3, 12, 2}, {3, 24, 2}, {3, 9, 4},  {3, 6, 4},
    {3, 18, 2},  {3, 27, 2}, {7, 14, 6},  {7, 28, 6}, {5, 10, 4}, {0, 0, 0},
};

static bool shape_fits(const struct emitter *e, const struct arithmetic_order *order,
                       const struct compute_shape *shape) {
    const bool fresh = arithmetic_writes_fresh(order);
    return (shape->parts > 0 ? shape->parts == arithmetic_shape_parts(order) : strlen(order->parts) <= 3 && !fresh) &&
           shape->accumulators + fresh <= arithmetic_accumulators_max(e, order);
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
    write_loop_begin(e);
    for (unsigned n = 0; n < arithmetic_operations(order, accumulators, unroll); n++)
        arithmetic_emit(e, order, accumulators, n);
    write_loop_end(e, 0);
    write_end(e);
}

static void compute_order(struct emitter *e, enum element_type type, const struct arithmetic *arithmetic,
                          const struct arithmetic_order *order) {
    const struct compute_shape *shape = e->dialect->shapes != NULL ? e->dialect->shapes : vector_shapes;
    e->kernel.type = type; /* which tells how many tiles there are */
    for (; shape->accumulators > 0; shape++)
        if (shape_fits(e, order, shape))
            compute_kernel(e, type, arithmetic, order, shape->accumulators, shape->unroll);
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
