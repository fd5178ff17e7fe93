/* SPDX-License-Identifier: BSD-3-Clause
 * From the cache back to the program: which of its instructions come next where a signal interrupts, and what its
 * registers hold there. */
#ifndef BENCH_COUNT_PLACE_H
#define BENCH_COUNT_PLACE_H

#include <stdint.h>
#include <ucontext.h>

#include "bench/count/code/context.h"

/* Makes the registers of a thread that was interrupted in the cache those of the program, its rip included, and says of
 * what block that is the middle. Counts of instructions that are over are finished; an instruction that cannot be
 * undone any more is executed, unless it is what `faults`. To be called once for each interruption, with all signals
 * blocked. Uses Zydis. */
void place_find(struct context *context, greg_t *registers, bool faults, struct origin *out);

/* The address in the program of the instruction whose copy is at an address in the cache; 0: it is in no copy. */
uint64_t place_address(uint64_t code);

#endif
