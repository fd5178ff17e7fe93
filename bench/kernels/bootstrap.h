/* SPDX-License-Identifier: BSD-3-Clause
 * Where the median of repetitions lies, told from these alone: whatever way they are spread. */
#ifndef BENCH_KERNELS_BOOTSTRAP_H
#define BENCH_KERNELS_BOOTSTRAP_H

#include <stddef.h>

struct median_interval {
    double low, high; /* in 95 of 100 cases between these; 0, 0 of fewer than BOOTSTRAP_LEAST */
};

/* Of five values resampling tells no more than their extremes. */
enum { BOOTSTRAP_LEAST = 6, BOOTSTRAP_DRAWS = 2000 };

/* The percentile bootstrap (Efron 1979): so many times as many values are drawn from these, each as often as chance has
 * it; of the draws' medians 95 % lie between the two. The same values give the same answer, in whatever order. */
struct median_interval bootstrap_median(const double *values, size_t n);

#endif
