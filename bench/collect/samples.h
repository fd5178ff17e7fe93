/* SPDX-License-Identifier: BSD-3-Clause
 * Samples of where CPU time is spent: a timer of each thread's CPU time sends a signal, whose handler notes the
 * address. */
#ifndef BENCH_COLLECT_SAMPLES_H
#define BENCH_COLLECT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

/* Installs the signal's handler, unless the program handles that signal already. */
void samples_start(void);

/* Starts the timer of the thread, which has to call this itself. */
void samples_begin(struct thread *thread);

/* Stops the thread's timer. */
void samples_end(struct thread *thread);

/* Ends sampling for good and says why, as when the program itself wants the signal. */
void samples_give_way(const char *why);

/* Whether samples are taken. */
bool samples_running(void);

/* To be called in the child of a fork, for its only thread: drops the parent's samples and starts again. */
void samples_after_fork(struct thread *thread);

/* Why there are no samples, or not all; "": nothing is lacking. */
const char *samples_failure(void);

/* Called with a place in a file, by the file's path and the offset in it in bytes, a region, and the number of samples
 * there. Of code that the program wrote itself, and of code that is no longer mapped, the path is as COLLECTOR_WRITTEN
 * says, and the offset its address. */
typedef void sample_visitor(const char *path, uint64_t file_offset, unsigned region, unsigned hits);

/* Calls `each` for every place where a sample fell. */
void samples_each(sample_visitor *each);

#endif
