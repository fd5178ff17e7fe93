/* SPDX-License-Identifier: BSD-3-Clause
 * Calls of the MPI of mpi_stand_in.c: mpi_waits [interrupted]. 100 parts of 1,000 flop in the region "solve", 102 calls
 * of MPI besides and 200 in it; `interrupted` by a timer every 200 us. Prints the flop. With -DPLUGIN it is a library,
 * which mpi_plugin.c loads. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "carmine.h"
#include "mpi_stand_in.h"
#include "work.h"

static volatile sig_atomic_t ticks;

static void tick(int number) {
    (void)number;
    ticks++;
}

#ifdef PLUGIN
int run(int argc, char **argv);
int run(int argc, char **argv) {
#else
int main(int argc, char **argv) {
#endif
    enum { PARTS = 100 };
    double sum = 0, part = 1;
    int one = 1, two = 2, wrong = 0;
    if (argc > 1 && strcmp(argv[1], "interrupted") == 0) {
        const struct itimerval often = {{0, 200}, {0, 200}};
        signal(SIGALRM, tick);
        setitimer(ITIMER_REAL, &often, NULL);
    }
    wrong += MPI_Init(NULL, NULL);
    for (int i = 0; i < PARTS; i++) {
        carmine_region_begin("solve");
        work(1000);
        wrong += MPI_Barrier(NULL);
        wrong += MPI_Allreduce(&part, &sum, 1, NULL, NULL, NULL);
        carmine_region_end("solve");
        wrong += MPI_Sendrecv(&one, 3, &one, -4, 5, &two, 6, NULL, -7, 8, &two, &one);
    }
    wrong += MPI_Finalize();
    printf("%d flop%s\n", 1000 * PARTS, sum > 0 ? "" : "?");
    return wrong > 0;
}
