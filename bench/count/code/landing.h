/* SPDX-License-Identifier: BSD-3-Clause
 * Where functions return to. A call in the cache is also a call for the CPU (emit_call()), which predicts a return to
 * the jump after it, its landing. So returns lead to the landing, and from there to the block. */
#pragma once

#include <stdint.h>

/* Reserves address space. Call once, before all others. */
void landing_prepare(void);

/* Stores the place of the jump after the call at the end of the block's copy; `return_address`: in the program. Called
 * under the lock. */
struct block;
void landing_keep(uint64_t return_address, const struct block *block, const uint8_t *jump);

/* The return address whose landing was replaced since the last call, by another copy of the same call: earlier results
 * of landing_find() are then less useful. 0: none. Called under the lock. */
uint64_t landing_moved(void);

/* Where indirect branches to the block with this copy should lead: its landing, which leads there from now on, or the
 * copy itself if it has none. */
uint64_t landing_find(uint64_t address, uint64_t code);
