/* SPDX-License-Identifier: BSD-3-Clause
 * The prefetch instructions of x86-64 (asm/kernel.h), and the proof of a kernel's prefetches, which is a part of
 * decode.c. */
#pragma once

#include <Zydis/Zydis.h>

#include "asm/kernel.h"
#include "listing.h"

/* One row per hint. */
struct prefetch_form {
    const char *instruction, *suffix;
    ZydisMnemonic mnemonic;
};
extern const struct prefetch_form prefetch_table[PREFETCH_HINTS];

/* Whether the loop [first, last] prefetches exactly what the kernel declares: every line of a block once, by the
 * declared instruction, at the declared distance in its own stream. Reports the first difference. */
bool prefetches_verify(const struct kernel *kernel, const struct listing *listing, size_t first, size_t last,
                       struct error *err);
