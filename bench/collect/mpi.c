/* SPDX-License-Identifier: BSD-3-Clause
 * Time in MPI calls, as reported by libcarmine-mpi.so. */
#include <errno.h>

#include "probe/marks/collector.h"
#include "process.h"
#include "threads.h"

static void begin(void) {
    const int saved_errno = errno;
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread && thread->mpi_depth++ == 0) {
        thread->mpi_calls++;
        thread->mpi_start_ns = clock_ns();
    }
    errno = saved_errno;
}

static void end(void) {
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread && thread->mpi_depth > 0 && --thread->mpi_depth == 0)
        thread->mpi_ns += clock_ns() - thread->mpi_start_ns;
}

/* The call was left by a jump at an unknown time: it counts no time rather than too much. */
static void left(void) {
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread && thread->mpi_depth > 0)
        thread->mpi_depth--;
}

__attribute__((visibility("default"))) extern const struct carmine_mpi_clock carmine_mpi_clock;
const struct carmine_mpi_clock carmine_mpi_clock = {begin, end, left};
