/* SPDX-License-Identifier: BSD-3-Clause
 * A complex transform with FFTW: fft [LOG2 N] [REPETITIONS] [scalar], in region "fft". Prints the flop that FFTW says
 * it has, and on stderr the region's time. Status 77: built without FFTW. */
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"
#include "work.h"

#ifdef WITH_FFTW
#include <fftw3.h>

int main(int argc, char **argv) {
    size_t n = (size_t)1 << (argc > 1 ? atoi(argv[1]) : 16);
    int repetitions = argc > 2 ? atoi(argv[2]) : 1;
    fftw_complex *in = fftw_malloc(sizeof *in * n), *out = fftw_malloc(sizeof *out * n);
    fftw_plan plan = fftw_plan_dft_1d((int)n, in, out, FFTW_FORWARD, FFTW_ESTIMATE | (argc > 3 ? FFTW_NO_SIMD : 0));
    for (size_t i = 0; i < n; i++) {
        in[i][0] = (double)(i % 31);
        in[i][1] = (double)(i % 17);
    }
    double begin_s = now_s();
    carmine_region_begin("fft");
    for (int r = 0; r < repetitions; r++)
        fftw_execute(plan);
    carmine_region_end("fft");
    fprintf(stderr, "%.6f s\n", now_s() - begin_s);
    double add, mul, fma, sum = 0;
    fftw_flops(plan, &add, &mul, &fma);
    for (size_t i = 0; i < n; i++)
        sum += out[i][0] * (double)(1 + i % 5);
    fprintf(stderr, "sum %.15g\n", sum);
    printf("region \"fft\" flop %.0f\n", repetitions * (add + mul + 2 * fma));
    return 0;
}
#else
int main(void) {
    return 77;
}
#endif
