/* SPDX-License-Identifier: BSD-3-Clause
 * Hand-written kernels that test the tester: each but the first is wrong in one way, which its verification must name.
 * They are only decoded, never run. */
#ifndef TESTS_BROKEN_KERNELS_H
#define TESTS_BROKEN_KERNELS_H

#include "asm/kernel.h"

struct broken_kernel {
    struct kernel kernel;
    const char *message; /* a part of what decode_verify must say; NULL when the kernel is right */
};

extern const struct broken_kernel broken_kernels[];
extern const size_t broken_kernel_count;

#endif
