/* SPDX-License-Identifier: BSD-3-Clause
 * What a thread does inside of MPI's calls is counted apart: meanwhile another context lies at its gs, with counters of
 * its own. */
#ifndef BENCH_COUNT_MPI_H
#define BENCH_COUNT_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* To be called when counting begins, before the first instruction of the program's is entered. Where an MPI library is
 * loaded, what happens until the stack is as short as at the program's start (`argv` lies there) is counted as if
 * inside of a call: the loader calls the constructors of libraries, of which some measure how fast a clock is. */
void mpi_start(struct context *context, char *const *argv);

/* Whether the mark is one of libcarmine-mpi.so's. */
bool mpi_is_mark(uint32_t mark);

/* Where the thread has left its call of MPI by a long jump, or however its stack shows it: goes back to the context
 * that counts outside. To be called whenever the thread leaves the cache; gives the context that counts from now on. */
struct context *mpi_notice_jump(struct context *context);

/* The thread has come to such a mark. Gives the context that counts from now on, and lies at gs. */
struct context *mpi_mark(struct context *context, uint32_t mark);

#endif
