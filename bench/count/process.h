/* SPDX-License-Identifier: BSD-3-Clause
 * The process that is counted. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Signals that end a process without a handler: the counts until then are reported first. */

/* From now on the kernel delivers those signals to `entry` that would end the process. */
void endings_prepare(uint64_t entry);

/* Whether a signal is one of them while the program has no handler for it. */
bool endings_include(uint64_t number);

/* Makes the kernel deliver it to the counter; returns the result of rt_sigaction. `old`: the program's argument, or
 * NULL. */
long endings_watch(uint64_t number, void *old);

/* Reports and ends by this signal. Do not call within the dispatcher. */
_Noreturn void endings_end(int number);

/* From now on the calling process is counted. */
void process_start(void);

/* Whether the calling process is counted; false for a child of vfork that borrows its memory. */
bool process_is_own(void);

/* Call in the child of a fork, on its only thread: the child is counted from zero and has its own report. */
void process_forked(struct context *context);
