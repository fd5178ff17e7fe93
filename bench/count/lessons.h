/* SPDX-License-Identifier: BSD-3-Clause
 * What a process learns from its forked children. They start with its copies and enter the dispatcher for everything
 * that it has not reached itself. A shell forks again and again, and each child would translate the same code anew. So
 * children report their requests, in memory shared with their creator, and the creator makes the same requests before
 * its next fork. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct lesson {
    uint64_t target; /* an address in the program, in code that both have at the same address */
    uint32_t exit;   /* exit by which the cache was left for it; 0: an indirect branch */
    uint32_t check;  /* checksum: a child may be killed meanwhile, or write anywhere */
};
#define LESSON_NO_EXIT 0xffffffffu /* none that the creator knows */

/* The process is about to fork: its child may report lessons. */
void lessons_offer(void);

/* Call in the child of a fork while it is the same as its creator. */
void lessons_forked(void);

/* The process has entered the dispatcher. Reports it to its creator, if the creator would have entered it, too. */
void lessons_tell(uint64_t target, uint64_t exit);

/* The next lesson from the children, the newest first: a translation then finds its successors. False: none is left. */
bool lessons_next(struct lesson *out);
