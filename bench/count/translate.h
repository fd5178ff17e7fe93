/* SPDX-License-Identifier: BSD-3-Clause
 * The program's blocks → the code cache: copied as they are, with a counter each; what depends on where the code lies
 * is rewritten. Called under the lock, with the program's vector state put aside. */
#ifndef BENCH_COUNT_TRANSLATE_H
#define BENCH_COUNT_TRANSLATE_H

#include <stdint.h>

#include "cache.h"

/* The copy of the block at an address; 0 where nothing can be executed. Ends the program where it can't be counted. */
uint64_t translate(uint64_t address);

/* Pieces of the cache that are no copies. */
struct stubs {
    uint64_t mask;     /* sets passing.mask as the signal mask and goes on at passing.after */
    uint64_t mask_end; /* from here, the system call behind it, the program's registers are in passing.unmask */
    uint64_t target;   /* goes on at passing.target, an address of the program */
    uint64_t wild;     /* goes there outside of the cache: nothing can be executed there, and the CPU says so */
};
const struct stubs *translate_stubs(void);

/* Where a thread starts that a system call creates, once per place; it runs on the new stack. `begin` is called there.
 */
uint64_t translate_child(struct exit *exit, void (*begin)(void));

#endif
