/* SPDX-License-Identifier: BSD-3-Clause
 * The linked list that a pointer chase follows. */
#ifndef BENCH_KERNELS_CHAIN_H
#define BENCH_KERNELS_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

/* 64 MiB of lines, so that a chain fills most caches; fewer where they are flushed, which is slow. */
enum { CHAIN_MAX_ELEMENTS = 1 << 20, CHAIN_MAX_FLUSHED = 1 << 18 };

/* Links one random line in each of at most CHAIN_MAX_ELEMENTS (flushed: CHAIN_MAX_FLUSHED) equal cells of the buffer
 * into one cycle in random order; every line where there are fewer. `flush` then puts them out of all caches. Returns
 * the first element. */
void *chain_build(void *buffer, uint64_t bytes, bool flush);

/* Zeroes all elements of the cycle. Left behind, pointers are denormal numbers to a floating-point load. */
void chain_erase(void *element);

#endif
