/* SPDX-License-Identifier: BSD-3-Clause
 * Names of functions as their source has them: of C++ by its runtime, where this machine has one, and of gfortran's
 * modules. */
#ifndef BENCH_PROFILE_DEMANGLE_H
#define BENCH_PROFILE_DEMANGLE_H

#include <stddef.h>

/* "_ZN5solve3runEv" → "solve::run()" and "__grid_MOD_saxpy" → "grid::saxpy", cut to `size`; any other name as
 * it is. Returns `out`. */
const char *demangle(const char *name, char *out, size_t size);

/* The length of the name without what its function takes: of "solve::run(int) const" 10. */
size_t demangle_short(const char *name);

#endif
