/* SPDX-License-Identifier: BSD-3-Clause
 * The plan that tries the model: mixed kernels of rising intensity in every level, with the two roofs that bound them
 * measured again and again in between. Pure. */
#ifndef BENCH_KERNELS_PLAN_VALIDATE_H
#define BENCH_KERNELS_PLAN_VALIDATE_H

#include "plan.h"

#include "asm/kernel.h"

/* flop per byte that the core asks for. */
double plan_intensity(const struct kernel *mixed);

/* The operation of the compute kernel, and of the memory kernel, whose instructions a mixed kernel is made of: "fma" or
 * "addmul"; "load" or "2ld1st". */
const char *plan_mixed_peak(const struct kernel *mixed);
const char *plan_mixed_pattern(const struct kernel *mixed);

/* The kernels of that ISA, type and pattern whose intensities are nearest to the powers of two from 1/64 to 64 (when
 * quick: to every second one), by rising intensity. Returns how many; at most `max` are written. */
size_t plan_mixed_kernels(const struct isa *isa, enum element_type type, const char *pattern, bool quick,
                          const struct kernel **out, size_t max);

/* For each placement, level, ISA, type and pattern: both roofs, a few mixed kernels, both roofs, … and both roofs at
 * the end, all with one working set, but
 * for a smaller one in outer levels where a kernel is mostly arithmetic. A mixed kernel's step has the kind
 * SAMPLE_COMPUTE and a level. Defaults: one thread, the widest ISA, f64, load. Errors: as plan_roofs(), and a mix that
 * no mixed kernel has. */
bool plan_validate(struct plan *out, const struct machine *machine, const struct levels *levels,
                   const struct plan_options *options, struct error *err);

#endif
