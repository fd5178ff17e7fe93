/* SPDX-License-Identifier: BSD-3-Clause
 * What the families are written in: the element type `real`, vectors of the widest registers that this compilation may
 * use, and loops over them. Vectors are explicit (the Makefile forbids others), so that flop and bytes are as stated
 * whatever the compiler. */
#ifndef BENCH_WORKLOADS_VARIANT_H
#define BENCH_WORKLOADS_VARIANT_H

#include <float.h>
#include <immintrin.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench/threads/team.h"
#include "library.h"
#include "workload.h"

#ifdef TYPE_f64 /* from the compiler's command line */
typedef double real;
#else
typedef float real;
#endif

#if defined __AVX512F__
enum { VECTOR_BYTES = 64, VECTOR_REGISTERS = 32 };
#elif defined __AVX__
enum { VECTOR_BYTES = 32, VECTOR_REGISTERS = 16 };
#else
enum { VECTOR_BYTES = 16, VECTOR_REGISTERS = 16 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(real), IS_F64 = sizeof(real) == 8 };

/* Loads and stores of a vector need no alignment; arithmetic does not see the difference. */
typedef real vector __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(real)), may_alias));

/* `body` for every element of [from, to): eight vectors a round, then one at a time, then element by element. In it
 * AT(pointer) is what stands at the current position. The empty asm keeps compilers from making calls of memcpy of it,
 * or another loop. */
#define AT(pointer) (*(at_type *)((pointer) + at))
#define MAP(from, to, body)                                                                                            \
    do {                                                                                                               \
        enum { UNROLL = 8 };                                                                                           \
        uint64_t at = (from);                                                                                          \
        const uint64_t map_end = (to);                                                                                 \
        MAP_LOOP(vector, at + UNROLL * LANES <= map_end, for (int u = 0; u < UNROLL; u++, at += LANES), body)          \
        MAP_LOOP(vector, at + LANES <= map_end, for (int u = 0; u < 1; u++, at += LANES), body)                        \
        MAP_LOOP(real, at < map_end, for (int u = 0; u < 1; u++, at++), body)                                          \
    } while (0)
#define MAP_LOOP(type, more, times, body)                                                                              \
    while (more) {                                                                                                     \
        times {                                                                                                        \
            typedef type at_type;                                                                                      \
            __asm__ volatile("");                                                                                      \
            body;                                                                                                      \
        }                                                                                                              \
    }

/* Before a loop of at most 16 rounds: so that an array that it goes through can be in registers. */
#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

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

static inline uint64_t size_n(const struct task *task) {
    return task->n;
}
static inline uint64_t size_n_squared(const struct task *task) {
    return task->n * task->n;
}

static inline double worst_of(double error, double other) {
    return isnan(error) || other <= error ? error : other; /* NaN is the worst */
}

#endif
