/* SPDX-License-Identifier: BSD-3-Clause
 * Adds up decoded instructions, and compares them with a kernel's descriptor (see proof.h). */
#include "proof.h"

#include "probe/error.h"

void proof_add(struct cost *cost, const struct proof_step *step) {
    struct uarch_mix *mix = &cost->mix;
    unsigned *counts[] = {[SORT_ADD] = &mix->add,        [SORT_MUL] = &mix->mul,     [SORT_FMA] = &mix->fma,
                          [SORT_DIV] = &mix->div,        [SORT_SQRT] = &mix->sqrt,   [SORT_DOT] = &mix->dot,
                          [SORT_SHIFT] = &mix->shift,    [SORT_EQUAL] = &mix->equal, [SORT_GREATER] = &mix->greater,
                          [SORT_COMPARE] = &mix->compare};
    cost->instructions++;
    if (step->sort != SORT_FREE)
        ++*counts[step->sort];
    cost->flop += step->flop;
    cost->load_bytes += step->load_bytes;
    cost->store_bytes += step->store_bytes;
    mix->load += step->load_bytes > 0 ? step->accesses : 0;
    mix->store += step->store_bytes > 0 ? step->accesses : 0;
    mix->vector_bytes = mix->vector_bytes > step->data_bytes ? mix->vector_bytes : step->data_bytes;
    mix->x87 |= step->x87;
    mix->matrix |= step->matrix;
    mix->outer |= step->outer;
}

bool proof_of_cost(const struct cost *declared, const struct cost *executed, struct error *err) {
    const struct uarch_mix *d = &declared->mix, *e = &executed->mix;
    const struct {
        const char *name;
        unsigned declared, executed;
    } fields[] = {
        {"flop", declared->flop, executed->flop},
        {"load_bytes", declared->load_bytes, executed->load_bytes},
        {"store_bytes", declared->store_bytes, executed->store_bytes},
        {"instructions", declared->instructions, executed->instructions},
        {"vector_bytes", d->vector_bytes, e->vector_bytes},
        {"x87", d->x87, e->x87},
        {"add", d->add, e->add},
        {"mul", d->mul, e->mul},
        {"fma", d->fma, e->fma},
        {"div", d->div, e->div},
        {"sqrt", d->sqrt, e->sqrt},
        {"dot", d->dot, e->dot},
        {"matrix", d->matrix, e->matrix},
        {"outer", d->outer, e->outer},
        {"shift", d->shift, e->shift},
        {"equal", d->equal, e->equal},
        {"greater", d->greater, e->greater},
        {"compare", d->compare, e->compare},
        {"load", d->load, e->load},
        {"store", d->store, e->store},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].declared != fields[i].executed)
            return error_set(err, "%s per iteration: declared %u, executed %u", fields[i].name, fields[i].declared,
                             fields[i].executed);
    return true;
}

bool proof_of_walk(const struct kernel *kernel, const struct proof_walk *walk, struct error *err) {
    const int64_t block_bytes = kernel->block_bytes;
    if (kernel->kind == KERNEL_COMPUTE || kernel->kind == KERNEL_RANDOM)
        return block_bytes == 0 ||
               error_set(err, "block_bytes: declared %u, but the kernel walks no buffer", kernel->block_bytes);
    if (kernel->kind == KERNEL_CHASE)
        return block_bytes == KERNEL_LINE_BYTES * (int64_t)kernel_hops(kernel) ||
               error_set(err, "block_bytes: declared %u for %u hops", kernel->block_bytes, kernel_hops(kernel));
    if (walk->irregular)
        return error_set(err, "the accesses are not all at fixed distances from one register that moves by a constant");
    if (walk->step_bytes != block_bytes)
        return error_set(err, "block_bytes: declared %u, the pointer moves by %lld", kernel->block_bytes,
                         (long long)walk->step_bytes);
    if (walk->low_bytes != 0 || walk->high_bytes != block_bytes)
        return error_set(err, "accesses from %lld to %lld are not all of the block of %u bytes",
                         (long long)walk->low_bytes, (long long)walk->high_bytes, kernel->block_bytes);
    return true;
}
