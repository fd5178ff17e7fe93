/* SPDX-License-Identifier: BSD-3-Clause
 * Hand-written kernels that test the verification: each but the first is wrong in one way, which the verification must
 * name. They are only decoded, never run. */
#pragma once

#include "asm/kernel.h"

struct broken_kernel {
    struct kernel kernel;
    const char *message; /* part of the error from decode_verify; NULL if the kernel is right */
};

extern const struct broken_kernel broken_kernels[];
extern const size_t broken_kernel_count;
