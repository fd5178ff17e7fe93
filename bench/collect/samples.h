/* SPDX-License-Identifier: BSD-3-Clause
 * Samples of the CPU time: a timer of each thread's CPU time sends a signal, whose handler records the address. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

/* Installs the signal's handler, unless the program handles that signal already. */
void samples_start(void);

/* Starts the timer of the thread, which has to call this itself, under the lock of the list of threads. */
void samples_begin(struct thread *thread);

/* Stops the thread's timer; under the same lock. */
void samples_end(struct thread *thread);

/* Ends sampling for good and records why, as when the program itself uses the signal. */
void samples_give_way(const char *why);

/* Whether samples are taken. */
bool samples_running(void);

/* For the child of a fork, on its only thread: drops the parent's samples and restarts. */
void samples_after_fork(struct thread *thread);

/* Why samples are missing; "": none are. */
const char *samples_failure(void);

/* Receives an address as a file's path and the offset in it in bytes, a region, and the number of samples there. For
 * code that the program wrote itself, and for code that is no longer mapped, the path is as in COLLECTOR_WRITTEN and
 * the offset is the address. */
typedef void sample_visitor(const char *path, uint64_t file_offset, unsigned region, unsigned hits);

/* Calls `each` for every sampled address. */
void samples_each(sample_visitor *each);

/* Afterwards: which of these calls, from 0, was for the place of this index (ticks.h). */
uint32_t samples_order(uint32_t place);
