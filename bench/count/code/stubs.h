/* SPDX-License-Identifier: BSD-3-Clause
 * Pieces of the cache that are no copies of the program. */
#ifndef BENCH_COUNT_STUBS_H
#define BENCH_COUNT_STUBS_H

#include <stdint.h>

#include "links.h"

struct stubs {
    uint64_t mask;                 /* sets passing.mask as the signal mask and goes on at passing.after */
    uint64_t mask_set, mask_end;   /* the mask is set, and the program's registers still are in passing.unmask */
    uint64_t target;               /* goes on at passing.target, an address of the program */
    uint64_t anew;                 /* looks up passing.target at its first place, and goes on to `again` */
    uint64_t again, again_returns; /* look up passing.target again, at its second place; rcx and r11 are in passing */
    uint64_t again_returned;       /* the last instruction of `again_returns`, at which where to go on is pushed */
    uint64_t wild; /* goes there outside of the cache: nothing can be executed there, and the CPU says so */
    uint64_t step; /* room for an instruction that place.c executes */
};

/* Makes them, once, near an address: that of the dispatcher. */
void stubs_make(uint64_t near);
const struct stubs *stubs_get(void);

/* Where a thread starts that is created by the system call of this exit, which has this number, once per place; it runs
 * on the new stack. `begin` is called there. Called under the lock. */
uint64_t stubs_child(struct exit *exit, uint32_t number, void (*begin)(void));

#endif
