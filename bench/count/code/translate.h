/* SPDX-License-Identifier: BSD-3-Clause
 * Translates the program's blocks into the code cache: copies each with a counter, and rewrites the parts that depend
 * on the code's address. Called under the lock, after the program's vector state was saved. */
#pragma once

#include <stdint.h>

#include "links.h"

/* The copy of the block at an address that this exit (NULL: none) leads to; 0: nothing is executable there. Ends the
 * program if it can't be counted. */
uint64_t translate(uint64_t address, struct exit *from);

/* Where functions return to. A call in the cache is also a call for the CPU (emit_call()), which predicts a return to
 * the jump after it, its landing. So returns lead to the landing, and from there to the block. */

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
