/* SPDX-License-Identifier: BSD-3-Clause
 * Compute kernels: arithmetic on registers alone, in several numbers of accumulators and degrees of unrolling. Which is
 * best depends on latency × ports of the core, so it is searched at run time. */
#include "generate.h"

#include <string.h>

/* Accumulators × unroll by the number of parts, the first guess at the best first. Thirteen is
 * what sixteen registers have room for (seen: 11.6 flop/cycle of adds and multiplications, 11.4 with twelve). Every
 * accumulator is visited an even number of times, as its two constants take turns. */
static const struct shape {
    unsigned parts, accumulators, unroll;
} shape_table[] = {
    {1, 12, 4},  {1, 16, 2}, {1, 10, 4}, {1, 8, 4},  {1, 12, 2}, {1, 24, 2}, {1, 28, 2}, {1, 8, 2},   {2, 13, 12},
    {2, 12, 4},  {2, 16, 2}, {2, 10, 4}, {2, 8, 4},  {2, 12, 2}, {2, 24, 2}, {3, 12, 4}, {4, 13, 12}, {4, 12, 4},
    {6, 13, 12}, {6, 12, 4}, {3, 12, 2}, {3, 24, 2}, {3, 9, 4},  {3, 6, 4},  {3, 18, 2}, {3, 27, 2},
};
enum { SHAPE_COUNT = sizeof shape_table / sizeof *shape_table };

/* Seven accumulators beside the constant: four for multiplications, whose latency is four cycles. */
static const struct shape x87_shape_table[] = {{0, 7, 6}, {0, 6, 8}, {0, 6, 4}, {0, 6, 2}};
enum { X87_SHAPE_COUNT = sizeof x87_shape_table / sizeof *x87_shape_table };

static void compute_kernel(struct emitter *e, enum element_type type, const struct arithmetic *arithmetic,
                           unsigned accumulators, unsigned unroll) {
    char variant[16]; /* as long as a sample keeps it */
    arithmetic_variant(arithmetic, accumulators, unroll, variant, sizeof variant);
    emit_begin(e, KERNEL_COMPUTE, type, arithmetic->name, variant);
    e->kernel.accumulators = accumulators;
    e->kernel.unroll = unroll;
    arithmetic_start(e, arithmetic, accumulators);
    emit_loop(e);
    for (unsigned n = 0; n < arithmetic_operations(arithmetic, accumulators, unroll); n++)
        arithmetic_emit(e, arithmetic, accumulators, n);
    emit_loop_end(e, 0);
    arithmetic_finish(e, accumulators);
    emit_end(e, "");
}

void generate_compute(struct emitter *e) {
    bool x87 = e->dialect->coding == CODING_X87;
    for (enum element_type type = TYPE_F64; type <= (x87 ? TYPE_F64 : TYPE_F32); type++)
        for (size_t i = 0; i < arithmetic_count; i++) {
            const struct arithmetic *arithmetic = &arithmetic_table[i];
            if (arithmetic->fused ? !e->dialect->fused : !e->dialect->plain)
                continue;
            if (x87 && strlen(arithmetic->parts) <= 3)
                for (size_t s = 0; s < X87_SHAPE_COUNT; s++)
                    compute_kernel(e, type, arithmetic, x87_shape_table[s].accumulators, x87_shape_table[s].unroll);
            for (size_t s = 0; s < SHAPE_COUNT && !x87; s++)
                if (shape_table[s].parts == strlen(arithmetic->parts) &&
                    shape_table[s].accumulators <= arithmetic_accumulators_max(e))
                    compute_kernel(e, type, arithmetic, shape_table[s].accumulators, shape_table[s].unroll);
        }
}
