/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors of AArch64 (see vector.h above, which includes this). */
#pragma once

enum { VECTOR_REGISTERS = 32 };
#ifdef __ARM_FEATURE_SVE_BITS
#include <arm_sve.h>
enum { VECTOR_BYTES = __ARM_FEATURE_SVE_BITS / 8 };
#define VECTOR_STREAM(to, value)                                                                                       \
    __asm__ volatile("stnt1d {%1.d}, %2, %0" : "=Q"(*(vector *)(to)) : "w"(value), "Upl"(svptrue_b8()))
#else
enum { VECTOR_BYTES = 16 };
/* STNP stores a pair of registers: both halves of the vector. */
#define VECTOR_STREAM(to, value)                                                                                       \
    __asm__ volatile("mov d31, %1.d[1]\n\tstnp %d1, d31, %0" : "=Q"(*(vector *)(to)) : "w"(value) : "v31")
#endif
#define VECTOR_STREAM_END() __asm__ volatile("dsb ishst" ::: "memory")

#define IN_REGISTER(value) __asm__("" : "+w"(value))
