/* SPDX-License-Identifier: BSD-3-Clause
 * The prefetch instructions of x86-64 (asm/kernel.h), and the proof of a kernel's prefetches, a part of decode.c's.
 */
#ifndef ASM_PREFETCHES_H
#define ASM_PREFETCHES_H

#include <Zydis/Zydis.h>

#include "asm/kernel.h"
#include "listing.h"

/* A row per hint. */
struct prefetch_form {
    const char *instruction, *suffix;
    ZydisMnemonic mnemonic;
};
extern const struct prefetch_form prefetch_table[PREFETCH_HINTS];

/* Whether the loop [first, last] prefetches what the kernel declares and nothing else: every line of a block once, by
 * the declared instruction, at the declared distance in its own stream. Says the first difference. */
bool prefetches_verify(const struct kernel *kernel, const struct listing *listing, size_t first, size_t last,
                       struct error *err);

#endif
