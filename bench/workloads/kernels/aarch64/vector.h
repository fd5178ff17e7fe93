/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors of AArch64 (see vector.h above, which includes this). */
#pragma once

enum { VECTOR_BYTES = 16, VECTOR_REGISTERS = 32 };
/* STNP stores a pair of registers: both halves of the vector. */
#define VECTOR_STREAM(to, value)                                                                                       \
    __asm__ volatile("mov d31, %1.d[1]\n\tstnp %d1, d31, %0" : "=Q"(*(vector *)(to)) : "w"(value) : "v31")
#define VECTOR_STREAM_END() __asm__ volatile("dsb ishst" ::: "memory")

#define IN_REGISTER(value) __asm__("" : "+w"(value))
