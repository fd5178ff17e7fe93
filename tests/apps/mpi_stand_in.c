/* SPDX-License-Identifier: BSD-3-Clause
 * A library that stands in for an MPI where none is installed: one rank, which waits by spinning for a while that
 * differs from call to call, with a thread of its own that spins, too. */
#include <pthread.h>
#include <stdatomic.h>

#include "mpi_stand_in.h"
#include "work.h"

static pthread_t helper;
static atomic_bool ended;

static void *help(void *nothing) {
    while (!ended)
        work(100);
    return nothing;
}

int MPI_Init(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return pthread_create(&helper, NULL, help, NULL);
}

int MPI_Barrier(void *communicator) {
    static int calls;
    (void)communicator;
    const double until_s = now_s() + 1e-4 * (++calls % 7);
    while (now_s() < until_s)
        work(10);
    return 0;
}

/* By way of another call, as MPIs do it. An operation is a function of the program. */
int MPI_Allreduce(const void *from, void *to, int count, void *type, mpi_operation *operation, void *communicator) {
    (void)type;
    if (operation)
        operation();
    for (int i = 0; i < count; i++)
        ((double *)to)[i] = ((const double *)from)[i];
    return MPI_Barrier(communicator);
}

/* Tells what it was given, in registers and on the stack. */
int MPI_Sendrecv(const void *from, int a, void *b, int c, int d, void *to, int e, void *f, int g, int h, void *i,
                 void *j) {
    return *(const int *)from == 1 && *(int *)to == 2 && a == 3 && b == from && c == -4 && d == 5 && e == 6 && !f &&
                   g == -7 && h == 8 && i == to && j == from
               ? 0
               : 1;
}

int MPI_Finalize(void) {
    ended = 1;
    return pthread_join(helper, NULL);
}
