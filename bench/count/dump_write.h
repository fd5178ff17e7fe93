/* SPDX-License-Identifier: BSD-3-Clause
 * What was counted, into the report (see bench/count/base/dump_file.h). */
#ifndef BENCH_COUNT_DUMP_WRITE_H
#define BENCH_COUNT_DUMP_WRITE_H

/* Writes the counts of all threads, as of now, into the report in place of what it says. Called under the lock; may be
 * called more than once. */
void dump_write(void);

/* Maps what that needs. To be called once, first: a program may have used up all memory when it ends. */
void dump_write_prepare(void);

#endif
