/* SPDX-License-Identifier: BSD-3-Clause
 * From the cache back to the program: at a signal's interruption, the program's next instruction and its registers. */
#pragma once

#include <stdint.h>
#include <ucontext.h>

#include "bench/count/code/context.h"

/* Sets the registers of a thread that was interrupted in the cache to the program's, including rip, and finds the
 * interrupted block. Completes counts of finished instructions. Executes an instruction that cannot be undone any more,
 * unless it is the one that `faults`. Call once per interruption, with all signals blocked. Uses Zydis. */
void place_find(struct context *context, greg_t *registers, bool faults, struct origin *out);

/* The address in the program of the instruction whose copy contains an address in the cache; 0: no copy does. */
uint64_t place_address(uint64_t code);
