/* SPDX-License-Identifier: BSD-3-Clause
 * Where CPU time is spent. */
#ifndef BENCH_COLLECT_SAMPLES_H
#define BENCH_COLLECT_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "collect.h"

void samples_start(void);
void samples_begin(struct thread *thread); /* on the thread itself */
void samples_end(struct thread *thread);
void samples_give_way(const char *why); /* the program wants the signal */
bool samples_running(void);
void samples_after_fork(struct thread *thread);
const char *samples_failure(void);
typedef void sample_visitor(const char *path, uint64_t file_offset, unsigned region, unsigned hits);
void samples_each(sample_visitor *each); /* path "": of code that is no longer there */

#endif
