/* SPDX-License-Identifier: BSD-3-Clause
 * The element type `real`, and vectors of it of the widest registers that this compilation may use. What the
 * architecture has of its own is in a header of its folder, which this one chooses. */
#ifndef BENCH_WORKLOADS_KERNELS_VECTOR_H
#define BENCH_WORKLOADS_KERNELS_VECTOR_H

#ifdef TYPE_f64 /* from the compiler's command line */
typedef double real;
#else
typedef float real;
#endif

/* VECTOR_BYTES, VECTOR_REGISTERS   of the instruction set that is compiled for
 * IN_REGISTER(value)               makes a vector or a number stand in a register, as what the compiler knows nothing
 * of VECTOR_STREAM(to, value)         stores a vector, aligned to its size, past the caches VECTOR_STREAM_END() what
 * was stored so is seen before what is stored later */
#if defined __x86_64__
#include "x86/vector.h"
#else
#error "no architecture but x86-64 yet: docs/ARCHITECTURE.md says what another one has to bring"
#endif

enum { LANES = VECTOR_BYTES / sizeof(real), IS_F64 = sizeof(real) == 8 };

/* Loads and stores of a vector need no alignment; arithmetic does not see the difference. */
typedef real vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

static inline vector vector_load(const real *from) {
    return *(const vector *)from;
}

/* Adds LANES - 1 times. */
static inline real vector_sum(vector v) {
    real sum = v[0];
    for (int i = 1; i < LANES; i++)
        sum += v[i];
    return sum;
}

#endif
