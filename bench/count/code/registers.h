/* SPDX-License-Identifier: BSD-3-Clause
 * The program's general registers, as signals' frames hold them and as the dispatcher does. */
#ifndef BENCH_COUNT_REGISTERS_H
#define BENCH_COUNT_REGISTERS_H

#include <ucontext.h>

#include "context.h"

/* All of struct registers, which is all of a frame's but rip. */
void registers_take(const greg_t *frame, struct registers *out);
void registers_put(const struct registers *registers, greg_t *frame);

/* The register in a frame that instructions give this number, 0 to 15. */
greg_t *registers_by_number(greg_t *frame, unsigned number);

#endif
