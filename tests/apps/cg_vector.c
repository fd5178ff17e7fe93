/* SPDX-License-Identifier: BSD-3-Clause
 * cg.c with gathers and sums in vectors, for the widest registers that the CPU has: which sums up in another order, and
 * executes more flop than the formulas have. */
#define KERNEL static __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))

#include "cg.c"
