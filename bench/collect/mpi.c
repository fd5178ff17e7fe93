/* SPDX-License-Identifier: BSD-3-Clause
 * Time in MPI calls, as reported by libcarmine-mpi.so. */
#include <errno.h>

#include "probe/marks/collector.h"
#include "process.h"
#include "threads.h"

static void begin(void) {
    const int saved_errno = errno;
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread) {
        change_begin(&thread->changes);
        if (thread->mpi.depth++ == 0) {
            thread->mpi.calls++;
            thread->mpi.start_ns = clock_ns();
        }
        change_end(&thread->changes);
    }
    errno = saved_errno;
}

static void end(void) {
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (!thread || thread->mpi.depth == 0)
        return;
    change_begin(&thread->changes);
    if (--thread->mpi.depth == 0)
        thread->mpi.ns += clock_ns() - thread->mpi.start_ns;
    change_end(&thread->changes);
}

/* The call was left by a jump at an unknown time: it counts no time rather than too much. */
static void left(void) {
    struct thread *thread = collecting() ? thread_self() : NULL;
    if (thread && thread->mpi.depth > 0)
        thread->mpi.depth--;
}

__attribute__((visibility("default"))) extern const struct carmine_mpi_clock carmine_mpi_clock;
const struct carmine_mpi_clock carmine_mpi_clock = {begin, end, left};
