/* SPDX-License-Identifier: BSD-3-Clause
 * What a process learns from those that it forks. They begin with its copies, and have to ask the dispatcher for all
 * that it has not come to itself: shells fork again and again, and each child would translate the same code anew. So
 * children tell what they asked for, in memory that they share with their creator, which asks for the same before it
 * forks the next one. */
#ifndef BENCH_COUNT_LESSONS_H
#define BENCH_COUNT_LESSONS_H

#include <stdbool.h>
#include <stdint.h>

struct lesson {
    uint64_t target; /* an address in the program, in code that both have at the same place */
    uint32_t exit;   /* by which the cache was left for it; 0: an indirect branch */
    uint32_t check;  /* of all that; a child may be killed meanwhile, or write anywhere */
};
#define LESSON_NO_EXIT 0xffffffffu /* that the creator knows */

/* The process is about to fork: its child may tell it. */
void lessons_offer(void);

/* To be called in the child of a fork, as long as it is as its creator. */
void lessons_forked(void);

/* The process has been at the dispatcher. Tells its creator, if that would have been so there, too. */
void lessons_tell(uint64_t target, uint64_t exit);

/* The next of those that its children told this process, the newest first: what is translated then finds what it leads
 * to. False: there is none. */
bool lessons_next(struct lesson *out);

#endif
