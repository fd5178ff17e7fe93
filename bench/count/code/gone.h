/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of code that is gone, has changed, or may change. Called under the lock, except gone_find_unchanged(). */
#pragma once

#include "links.h"

/* Reserves address space. Call once, before all others. */
void gone_prepare(void);

/* The address of the copy of a checked block whose code is at this address now; 0: none yet. */
uint64_t gone_find_unchanged(uint64_t address);

/* The code between these addresses in the program is gone or may change: from now on cache_find() finds no block there.
 * Counts stay. */
void gone_forget(uint64_t low, uint64_t high);

/* The block that began at this address of the object, up to `high`, before its code was gone; from now on cache_find()
 * finds it again. NULL: there was none, or the code differs. */
const struct block *gone_revive(uint64_t address, uint32_t object, uint64_t high);

/* From now on the block's copy, which begins with gone_emit_entry(), is not entered, not even from other copies, until
 * it is revived. */
void gone_leave(uint32_t index);

/* Emits the begin of a copy that may be left and revived: it does nothing. */
void gone_emit_entry(void);

/* Sets the index of the block's next block on the same page. */
void gone_chain(uint32_t index, uint32_t next);

/* The code between these addresses in the program has changed: from now on none of its copies is entered, not even from
 * other copies. Code executed there next gets a new copy. */
void gone_change(uint64_t low, uint64_t high);

/* How often code was gone or has changed. A process shares the changes before a fork with the forked process. */
uint32_t gone_changes(void);

/* The block's branch leads to `target`, read from `place`, which does not change: the copy does not read it.
 * `follower`: index of the block in between that has no copy; 0: none. Returns the value for block.constant. */
uint32_t gone_rely(uint32_t index, uint64_t place, uint64_t target, uint32_t follower);

/* That target, and that block; NULL: none. */
uint64_t gone_constant(const struct block *block);
const struct block *gone_follower(const struct block *block);

/* From now on no copy is entered that relies on the values between these addresses. */
void gone_change_constants(uint64_t low, uint64_t high);

/* Makes a copy that must not be entered jump to its replacement, if there is one and the copy is still hidden. */
void gone_link_left(const struct exit *exit);
