/* SPDX-License-Identifier: BSD-3-Clause
 * Which code won on each microarchitecture, from results that were kept (results/): where a search begins. What a
 * campaign ends with rests on its own measurements: a wrong row costs time. Pure. */
#ifndef BENCH_KERNELS_WISDOM_H
#define BENCH_KERNELS_WISDOM_H

#include <stddef.h>

#include "probe/uarch.h"

struct wisdom_row {
    const char *uarch, *level; /* "Zen 5"; "" for compute, else "L1" … "DRAM" */
    const char *kernel, *variant;
};

/* wisdom_table.c, which `make wisdom` writes. */
extern const struct wisdom_row wisdom_table[];
extern const size_t wisdom_count;

/* The variant (one of the program's own, or a shape such as "2x48") that won for a kernel whose data lie in `level`: on
 * this core; on the nearest one of its vendor where no row is of this core and the kernel's instruction set. NULL:
 * nothing is known, or the program's first guess won. */
const char *wisdom_variant(const struct uarch *uarch, const char *level, const char *kernel);

#endif
