/* SPDX-License-Identifier: BSD-3-Clause
 * The building blocks of the families: vectors (vector.h) and loops over them. Vectors are explicit (the Makefile
 * disables automatic ones), so flop and bytes are as stated with any compiler. */
#pragma once

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "vector.h"
#include "workload.h"

#include "bench/kernels/team.h"

/* `body` for every element of [from, to): eight vectors per round, then single vectors, then single elements. In it
 * AT(pointer) is the data at the current position. The empty asm keeps compilers from replacing it with calls of
 * memcpy or with another loop. */
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

/* Before a loop of at most 16 rounds: unrolls it, so that its array can stay in registers. */
#ifdef __clang__
#define UNROLLED _Pragma("unroll")
#else
#define UNROLLED _Pragma("GCC unroll 16")
#endif

static inline uint64_t size_n(const struct task *task) {
    return task->n;
}
static inline uint64_t size_n_squared(const struct task *task) {
    return task->n * task->n;
}

static inline double worst_of(double error, double other) {
    return isnan(error) || other <= error ? error : other; /* NaN counts as the worst */
}
