/* SPDX-License-Identifier: BSD-3-Clause
 * Where functions return to. A call in the cache is one of the CPU's own, too (emit_call()), so the CPU predicts that
 * the function returns to the jump behind it, its landing. So returns go there, and from there to the block. */
#ifndef BENCH_COUNT_LANDING_H
#define BENCH_COUNT_LANDING_H

#include <stdbool.h>
#include <stdint.h>

/* Reserves address space. To be called once, first. */
void landing_prepare(void);

/* Keeps the place of the jump behind a call, which the block's copy ends with, and whose return address in the program
 * is this one. Called under the lock. */
struct block;
void landing_keep(uint64_t return_address, const struct block *block, const uint8_t *jump);

/* The return address whose landing has become another one since this was last called, of another copy of the same call:
 * what landing_find() gave before is worth less. 0: none. Called under the lock. */
uint64_t landing_moved(void);

/* Where indirect branches go to whose block has this copy: its landing, which leads there from now on, or the copy
 * itself where it has none. */
uint64_t landing_find(uint64_t address, uint64_t code);

#endif
