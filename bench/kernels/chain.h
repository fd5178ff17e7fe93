/* SPDX-License-Identifier: BSD-3-Clause
 * The linked list of a pointer chase: a cycle through lines of a buffer in random order. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 64 MiB of lines of 64 bytes, so that a chain fills most caches; fewer if they are flushed, which is slow. */
enum { CHAIN_MAX_ELEMENTS = 1 << 20, CHAIN_MAX_FLUSHED = 1 << 18 };

struct chain {
    size_t count;
    void ***elements; /* in the order of the chase */
};

/* Divides the buffer into at most `most` equal cells of whole lines, and links one random line of each. With fewer
 * lines, links every line. The caller ends with chain_free(). */
struct chain chain_make(void *buffer, uint64_t bytes, unsigned line_bytes, size_t most);
void chain_free(struct chain *chain);

/* Removes `count` elements from the `from`th on, in the order of the chase, from all caches. */
void chain_flush(const struct chain *chain, size_t from, size_t count);

/* The same as one call for a chase that lasts as long as its buffer, at most CHAIN_MAX_ELEMENTS (flushed:
 * CHAIN_MAX_FLUSHED). Returns the first element. */
void *chain_build(void *buffer, uint64_t bytes, unsigned line_bytes, bool flush);

/* Zeroes all elements of the cycle: as operands of floating-point code, the pointers would be denormal numbers. */
void chain_erase(void *element);
