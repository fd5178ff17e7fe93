/* SPDX-License-Identifier: BSD-3-Clause
 * Counts inside MPI calls are separate: during a call, another context with its own counters is at the thread's gs. */
#ifndef BENCH_COUNT_MPI_H
#define BENCH_COUNT_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/count/code/context.h"

/* Call when counting begins, before the program's first instruction. If an MPI library is loaded, everything until the
 * stack is as short as at the program's start (`argv` is there) counts as inside a call: the loader calls the
 * libraries' constructors, some of which measure the speed of a clock. */
void mpi_start(struct context *context, char *const *argv);

/* Whether the mark belongs to libcarmine-mpi.so. */
bool mpi_is_mark(uint32_t mark);

/* If the thread has left its MPI call, by a long jump or otherwise, as its stack shows: returns to the outer context.
 * Call whenever the thread leaves the cache. Returns the context that counts from now on. */
struct context *mpi_notice_jump(struct context *context);

/* The thread has reached such a mark. Returns the context that counts from now on; gs points to it. */
struct context *mpi_mark(struct context *context, uint32_t mark);

#endif
