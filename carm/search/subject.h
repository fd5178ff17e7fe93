/* SPDX-License-Identifier: BSD-3-Clause
 * The subjects of `carmine sweep`: the requested operations, as kernels of the program, and a plan of one step for
 * each. */
#pragma once

#include "carm/options/measure_options.h"
#include "carm/session/measure.h"

/* All requested kernels, at most `most`, in each named ISA, else in the widest that has the operation. Without a
 * request: the first of `defaults` (ends with NULL) that this CPU has. Returns their number. Error: none of them
 * runs here; returns 0. */
size_t subject_kernels(const struct session *session, const struct plan_options *options, const char *const *defaults,
                       const struct kernel **out, size_t most, struct error *err);

/* The plan of `carmine run` for the kernel at that level (arithmetic: ""), with the requested threads. */
bool subject_plan(const struct session *session, const struct plan_options *options, const struct kernel *kernel,
                  const char *level, struct plan *out, struct error *err);

/* Allocates buffers and finds the clock for these plans; from here on signals stop the session. */
bool subject_start(struct session *session, const struct arguments *arguments, const struct plan *const *plans,
                   size_t count, struct error *err);
