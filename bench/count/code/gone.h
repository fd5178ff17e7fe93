/* SPDX-License-Identifier: BSD-3-Clause
 * Copies of code that is gone, has changed, or may change. Called under the lock, but for gone_find_unchanged(). */
#ifndef BENCH_COUNT_GONE_H
#define BENCH_COUNT_GONE_H

#include "links.h"

/* Reserves address space. To be called once, first. */
void gone_prepare(void);

/* The address of the copy of a checked block whose code is at this address now; 0: there is none yet. */
uint64_t gone_find_unchanged(uint64_t address);

/* From now on cache_find() finds no block between these addresses in the program, whose code is gone or may change.
 * Counts stay. */
void gone_forget(uint64_t low, uint64_t high);

/* The block that began at this address of the object, up to `high`, before its code was gone; from now on cache_find()
 * finds it again. NULL: there was none, or the code is not the same. */
const struct block *gone_revive(uint64_t address, uint32_t object, uint64_t high);

/* From now on the copy of this block, which begins with gone_emit_entry(), is not entered, not by way of other copies
 * either, until it is revived. */
void gone_leave(uint32_t index);

/* Emits what the copy of a block begins with that may be left and revived: it does nothing. */
void gone_emit_entry(void);

/* Says of a block of which index the next one of its page is. */
void gone_chain(uint32_t index, uint32_t next);

/* From now on no copy is entered of a block between these addresses in the program, where code has changed: not by way
 * of other copies either. What is executed there next has a copy made anew. */
void gone_change(uint64_t low, uint64_t high);

/* How often code was gone or has changed so, which a process has in common with those that it forked before. */
uint32_t gone_changes(void);

/* The branch of this block leads to `target`, since that stands at `place`, which does not change: its copy does not
 * look there. `follower`: the index of the block that it passes on its way, and that has no copy; 0: none. Gives what
 * block.constant is to be. */
uint32_t gone_rely(uint32_t index, uint64_t place, uint64_t target, uint32_t follower);

/* That target, and that block; NULL: none. */
uint64_t gone_constant(const struct block *block);
const struct block *gone_follower(const struct block *block);

/* From now on no copy is entered that relies on what stands between these addresses. */
void gone_change_constants(uint64_t low, uint64_t high);

/* Makes a copy that is not entered any more lead to the one that has taken its place, as long as both are that. */
void gone_link_left(const struct exit *exit);

#endif
