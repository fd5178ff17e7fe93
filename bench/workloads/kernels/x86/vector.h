/* SPDX-License-Identifier: BSD-3-Clause
 * Vectors of x86-64 (see vector.h above, which includes this). */
#pragma once

#include <immintrin.h>

#if defined __AVX512F__
enum { VECTOR_BYTES = 64, VECTOR_REGISTERS = 32 };
#define VECTOR_STREAM(to, value) _mm512_stream_si512((void *)(to), (__m512i)(value))
#elif defined __AVX__
enum { VECTOR_BYTES = 32, VECTOR_REGISTERS = 16 };
#define VECTOR_STREAM(to, value) _mm256_stream_si256((void *)(to), (__m256i)(value))
#else
enum { VECTOR_BYTES = 16, VECTOR_REGISTERS = 16 };
#define VECTOR_STREAM(to, value) _mm_stream_si128((void *)(to), (__m128i)(value))
#endif
#define VECTOR_STREAM_END() _mm_sfence()

#define IN_REGISTER(value) __asm__("" : "+x"(value))
