/* SPDX-License-Identifier: BSD-3-Clause
 * The chains of dependent instructions that tell the core clock (see clock.h). Private to clock.c. */
#ifndef PROBE_CLOCK_CHAINS_H
#define PROBE_CLOCK_CHAINS_H

#include <stdint.h>

#include "clock.h"

/* Adds, vector adds, multiplies: each on another unit of the core. A chain is called piece by piece, so that little
 * code has to be in the caches; calls and returns are predicted, and run ahead of the chain, whose instructions depend
 * on each other. Where a chain takes longer, as where a vector add does, it is never the fastest. */
enum { CLOCK_PIECE_CYCLES = 252 }; /* of any chain: a twelfth of a microsecond at 3 GHz */
extern void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces);

/* Else the CPU's counter of time follows the core clock, or stops in idle states. */
bool clock_counter_is_invariant(void);

#endif
