/* SPDX-License-Identifier: BSD-3-Clause
 * C = A B with OpenBLAS: dgemm [N] [REPETITIONS], in region "dgemm". Prints the flop that it has at least, and on
 * stderr the region's time. Status 77: built without OpenBLAS. */
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"
#include "work.h"

#ifdef WITH_OPENBLAS
#include <cblas.h>

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 512, repetitions = argc > 2 ? atoi(argv[2]) : 1;
    size_t elements = (size_t)n * (size_t)n;
    double *a = malloc(8 * elements), *b = malloc(8 * elements), *c = malloc(8 * elements), sum = 0;
    for (size_t i = 0; i < elements; i++) {
        a[i] = 1.0 / (double)(i % 97 + 1);
        b[i] = (double)(i % 13) - 6;
        c[i] = 0;
    }
    double begin_s = now_s();
    carmine_region_begin("dgemm");
    for (int r = 0; r < repetitions; r++)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, c, n);
    carmine_region_end("dgemm");
    fprintf(stderr, "%.6f s\n", now_s() - begin_s);
    for (size_t i = 0; i < elements; i++)
        sum += c[i];
    fprintf(stderr, "sum %.15g\n", sum);
    printf("region \"dgemm\" flop %.0f\n", repetitions * (2.0 * n * n * n + 2.0 * n * n));
    return 0;
}
#else
int main(void) {
    return 77;
}
#endif
