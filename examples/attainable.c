/* SPDX-License-Identifier: BSD-3-Clause
 * How far is this loop from the roof? It times a triad over arrays of 32 MiB and asks a result file what the machine
 * can do at that intensity: attainable RESULT.json
 *
 *     gcc -O2 attainable.c $(pkg-config --cflags --libs carmine-roofs) */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <carmine_roofs.h>

enum { COUNT = 4 << 20, REPEAT = 10 };

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    double *a = calloc(COUNT, sizeof *a), *b = calloc(COUNT, sizeof *b), *c = calloc(COUNT, sizeof *c),
           best_s = INFINITY;
    struct carmine_roofs *roofs = carmine_roofs_open(argc > 1 ? argv[1] : "result.json");
    if (!roofs || !a || !b || !c) {
        fprintf(stderr, "attainable: %s\n", carmine_roofs_error());
        return 1;
    }
    for (int repeat = 0; repeat < REPEAT; repeat++) {
        const double began_s = now_s();
        for (size_t i = 0; i < COUNT; i++)
            a[i] = b[i] + (repeat + 1) * c[i];
        const double time_s = now_s() - began_s;
        best_s = time_s < best_s ? time_s : best_s;
    }
    const char *memory = isnan(carmine_roof_value(roofs, "DRAM", 1)) ? "HBM" : "DRAM"; /* A64FX has HBM alone */
    const double flop_per_s = 2.0 * COUNT / best_s,
                 attainable = carmine_roof_attainable(roofs, memory, "f64", 2.0 / 24, 1);
    printf("%.3g Gflop/s of %.3g that one core can reach at 1/12 flop/B: %.0f %% (checked: %g)\n", flop_per_s / 1e9,
           attainable / 1e9, 100 * flop_per_s / attainable, a[COUNT - 1]);
    carmine_roofs_close(roofs);
    free(a), free(b), free(c);
    return 0;
}
