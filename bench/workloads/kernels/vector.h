/* SPDX-License-Identifier: BSD-3-Clause
 * The element type `real`, and vectors of it for the widest registers of this compilation. Each architecture has a
 * header in its own folder, chosen here. */
#pragma once

#ifdef TYPE_f64 /* from the compiler's command line */
typedef double real;
#else
typedef float real;
#endif

/* VECTOR_BYTES, VECTOR_REGISTERS   of the compilation's instruction set
 * IN_REGISTER(value)               forces a vector or a number into a register, with a value unknown to the compiler
 * VECTOR_STREAM(to, value)         stores a vector, aligned to its size, past the caches
 * VECTOR_STREAM_END()              completes these stores before later ones, and before the clock is read */
#if defined __x86_64__
#include "x86/vector.h"
#elif defined __aarch64__
#include "aarch64/vector.h"
#else
#error "no architecture but x86-64 and AArch64 yet: docs/ARCHITECTURE.md lists what another one needs"
#endif

enum { LANES = VECTOR_BYTES / sizeof(real), IS_F64 = sizeof(real) == 8 };

/* Loads and stores of a vector need no alignment; arithmetic is not affected. */
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
