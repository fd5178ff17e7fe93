/* SPDX-License-Identifier: BSD-3-Clause
 * What `carmine sweep` searches: the operations that were asked for, as kernels of the program, and a plan of one step
 * for each. */
#ifndef CARM_SEARCH_SUBJECT_H
#define CARM_SEARCH_SUBJECT_H

#include "carm/options/measure_options.h"
#include "carm/session/measure.h"

/* All that was asked for, at most `most`, in each ISA that was named, else in the widest that has it. Where nothing was
 * asked for, the first of `defaults` (NULL ends them) that this CPU has. Error: nothing of it can run here: returns 0.
 */
size_t subject_kernels(const struct session *session, const struct plan_options *options, const char *const *defaults,
                       const struct kernel **out, size_t most, struct error *err);

/* What `carmine run` would measure of the kernel at that level (arithmetic: ""), by the threads that were asked for. */
bool subject_plan(const struct session *session, const struct plan_options *options, const struct kernel *kernel,
                  const char *level, struct plan *out, struct error *err);

/* Buffers and the clock for these plans; from here on signals stop it. */
bool subject_start(struct session *session, const struct arguments *arguments, const struct plan *const *plans,
                   size_t count, struct error *err);

#endif
