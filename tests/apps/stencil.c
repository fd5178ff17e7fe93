/* SPDX-License-Identifier: BSD-3-Clause
 * A five-point stencil on a square grid, from one copy of it to the other and back: stencil [SIDE] [SWEEPS], in region
 * "stencil". Prints the flop that it has, and on stderr the region's time. */
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"
#include "work.h"

static __attribute__((noinline)) void sweep(long side, const double *restrict in, double *restrict out) {
    for (long row = 1; row < side - 1; row++)
        for (long i = row * side + 1; i < (row + 1) * side - 1; i++)
            out[i] = 0.2 * (in[i] + in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
}

int main(int argc, char **argv) {
    const long side = argc > 1 ? atol(argv[1]) : 1000, sweeps = argc > 2 ? atol(argv[2]) : 10;
    double *grid[2];
    for (int copy = 0; copy < 2; copy++) {
        grid[copy] = malloc(sizeof(double) * (size_t)(side * side));
        for (long i = 0; i < side * side; i++)
            grid[copy][i] = (double)(i % 31);
    }
    const double begin_s = now_s();
    carmine_region_begin("stencil");
    for (long i = 0; i < sweeps; i++)
        sweep(side, grid[i % 2], grid[(i + 1) % 2]);
    carmine_region_end("stencil");
    fprintf(stderr, "%.6f s\n", now_s() - begin_s);
    fprintf(stderr, "middle %.15g\n", grid[sweeps % 2][side * side / 2]);
    printf("region \"stencil\" flop %ld\n", sweeps * 5 * (side - 2) * (side - 2));
    return 0;
}
