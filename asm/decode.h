/* SPDX-License-Identifier: BSD-3-Clause
 * Machine code → cost: proves that a kernel executes what its descriptor declares. */
#pragma once

#include <stdio.h>

#include "kernel.h"

struct error;

/* Whether this program decodes kernels. Error: why not. */
bool decode_readable(struct error *err);

/* Decodes the kernel and compares cost, block_bytes (the pointer's step), vector width, register class of its ISA, and
 * prefetches. Checks that no instruction needs a feature outside `needs`. Reports the first difference. */
bool decode_verify(const struct kernel *kernel, struct error *err);

/* Prints the function as assembly, with the loop marked. */
bool decode_print(const struct kernel *kernel, FILE *out, struct error *err);
