/* SPDX-License-Identifier: BSD-3-Clause
 * Parts of the cache that are not copies of the program. */
#pragma once

#include <stdint.h>

#include "links.h"

struct stubs {
    uint64_t mask;                 /* sets the signal mask to passing.mask and continues at passing.after */
    uint64_t mask_set, mask_end;   /* the mask is set, but the program's registers are still in passing.unmask */
    uint64_t target;               /* continues at passing.target, an address in the program */
    uint64_t anew;                 /* looks up passing.target at its first place, then continues at `again` */
    uint64_t again, again_returns; /* look up passing.target at its second place; rcx and r11 are in passing */
    uint64_t again_returned;       /* last instruction of `again_returns`: the address to continue at is on the stack */
    uint64_t wild;                 /* jumps to passing.target itself, which is not executable: the CPU faults */
    uint64_t step;                 /* room for an instruction that place.c executes */
};

/* Makes them, once, near an address: the dispatcher's. */
void stubs_make(uint64_t near);
const struct stubs *stubs_get(void);

/* Where a thread created by this exit's system call starts, on its new stack; it calls `begin`. `number`: the exit's.
 * Made once per exit. Called under the lock. */
uint64_t stubs_child(struct exit *exit, uint32_t number, void (*begin)(void));
