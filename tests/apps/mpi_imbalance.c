/* SPDX-License-Identifier: BSD-3-Clause
 * Ranks of known work: mpi_imbalance FLOP. Each does FLOP in the region "solve", the last one twice as many, in ten
 * parts with a barrier behind each, and sends what it has around a ring. Rank 0 prints the sum of all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"
#include "work.h"

enum { PARTS = 10 };

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long least = argc > 1 ? atol(argv[1]) : 1000, flop = rank == size - 1 ? 2 * least : least;
    for (int i = 0; i < PARTS; i++) {
        long got = 0;
        carmine_region_begin("solve");
        work(flop / PARTS);
        MPI_Barrier(MPI_COMM_WORLD);
        carmine_region_end("solve");
        /* 12 arguments: some are on the stack */
        MPI_Sendrecv(&flop, 1, MPI_LONG, (rank + 1) % size, 7, &got, 1, MPI_LONG, (rank + size - 1) % size, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (got != (rank == 0 ? 2 * least : least))
            MPI_Abort(MPI_COMM_WORLD, 3);
    }
    long all = 0;
    MPI_Reduce(&flop, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld flop\n", all);
    MPI_Finalize();
    return 0;
}
