/* SPDX-License-Identifier: BSD-3-Clause
 * The process that is counted. */
#ifndef BENCH_COUNT_PROCESS_H
#define BENCH_COUNT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Signals that end a process which does not handle them: what it did until then is reported before it ends so. */

/* From now on the kernel delivers those signals to `entry` that would end the process. */
void endings_prepare(uint64_t entry);

/* Whether a signal is one of them, when the program leaves it to the kernel. */
bool endings_include(uint64_t number);

/* Makes the kernel deliver it to the counter; gives what rt_sigaction does. `old` is what the program asks for, or
 * NULL. */
long endings_watch(uint64_t number, void *old);

/* Reports and ends by this signal. Not to be called within the dispatcher. */
_Noreturn void endings_end(int number);

/* From now on the calling process is the one that is counted. */
void process_start(void);

/* Whether the calling process is the one that is counted, and not a child of vfork that borrows its memory. */
bool process_is_own(void);

/* To be called in the child of a fork, on its only thread: the child is counted from zero and has a report of its own.
 */
void process_forked(struct context *context);

#endif
