/* SPDX-License-Identifier: BSD-3-Clause
 * a = b + s c over OpenMP threads, with known counts: triad [N] [REPETITIONS]. Of each repetition 2 N flop, 16 N bytes
 * loaded and 8 N stored are marked as region "triad", whose time it prints on stderr. */
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"
#include "work.h"

static __attribute__((noinline)) void triad(double *restrict a, const double *restrict b, const double *restrict c,
                                            double s, long n) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 1000000, repetitions = argc > 2 ? atol(argv[2]) : 10;
    double *a = malloc(8 * (size_t)n), *b = malloc(8 * (size_t)n), *c = malloc(8 * (size_t)n), sum = 0;
    for (long i = 0; i < n; i++)
        a[i] = 0, b[i] = (double)i, c[i] = 2.0 * (double)i;
    triad(a, b, c, 3, n);
    double begin_s = now_s();
    carmine_region_begin("triad");
    for (long r = 0; r < repetitions; r++)
        triad(a, b, c, 3, n);
    carmine_region_end("triad");
    fprintf(stderr, "%.6f s\n", now_s() - begin_s);
    for (long i = 0; i < n; i++)
        sum += a[i];
    printf("sum %.15g\n", sum);
    free(a), free(b), free(c);
    return 0;
}
