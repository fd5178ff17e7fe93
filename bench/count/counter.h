/* SPDX-License-Identifier: BSD-3-Clause
 * libcarmine-count.so as a whole: preparations before it takes over a program, and what its parts do while it runs. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"
#include "bench/count/code/links.h"

/* Opens the report in this folder, and makes the tables and the first thread's context; the program's environment lists
 * the enabled marks. False: the report cannot be written, and the program runs uncounted. Ends the process if it cannot
 * be counted for another reason. */
bool counter_prepare(const char *folder, char **environment);

/* The program's system calls: those that create or end threads and processes, change code, or handle signals. */

/* The thread has left the cache by this exit for a system call. Returns the address in the cache to continue at: at the
 * call, or after it if the call was made here. */
uint64_t syscalls_enter(struct context *context, struct exit *exit);

/* Where the program continues after it left the cache because its code did not know. */

/* The address in the cache at which a thread continues that left it by this exit; NULL: by an indirect branch. Next
 * time its code knows the way, if possible. */
uint64_t follow_exit(struct context *context, struct exit *exit);

/* Translates in advance what forked children had to request, so that the next child need not. */
void follow_lessons(struct context *context);

/* Writes the counts into the report (see bench/count/base/dump_file.h). */

/* Replaces the report's content with the current counts of all threads. Called under the lock, also repeatedly. */
void dump_write(void);

/* Maps the needed memory. Call once, before all others: a program may have no memory left when it ends. */
void dump_write_prepare(void);

/* The program's vector, x87 and tile registers. */

/* Call once, before all others. Ends the program if the CPU has more vector state than fits. */
void vector_state_prepare(void);

/* Saved in the context while libraries may use them. */
void vector_state_save(struct context *context);
void vector_state_restore(struct context *context);

/* Sets them to the values with which the kernel enters a signal's handler. */
void vector_state_clear(struct context *context);

/* What a process learns from its forked children. They start with its copies and enter the dispatcher for everything
 * that it has not reached itself. A shell forks again and again, and each child would translate the same code anew. So
 * children report their requests, in memory shared with their creator, and the creator makes the same requests before
 * its next fork. */

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
