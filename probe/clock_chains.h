/* SPDX-License-Identifier: BSD-3-Clause
 * The chains of dependent instructions that measure the core clock (see clock.h). For clock.c, and for the clock within
 * programs (bench/collect/pace.c). */
#pragma once

#include <stdint.h>

#include "clock.h"

/* Adds, vector adds, and ARCH_LAST_CHAIN: of x86-64 each on another unit of the core. A chain is called piece by piece
 * to keep its code small in the caches. The core predicts calls and returns and runs them ahead of the dependent
 * instructions. A chain may take longer than expected, such as one of slow vector adds: it is then never the fastest.
 */
enum { CLOCK_PIECE_CYCLES = 252 }; /* of any chain: a twelfth of a microsecond at 3 GHz */
extern void (*const clock_chains[CLOCK_SLICES])(uint64_t pieces);

/* Independent no-ops: they take as long as the core needs to rename them, and up to twice as long while another program
 * uses the same core. */
enum { CLOCK_PIECE_NOOPS = 504 };
extern void (*const clock_noops)(uint64_t pieces);

/* Otherwise the CPU's time counter follows the core clock, or stops in idle states. */
bool clock_counter_is_invariant(void);
