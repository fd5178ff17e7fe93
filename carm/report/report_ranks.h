/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several ranks or threads: how even these are, what they spend in MPI, and what passed over each thread's
 * links. */
#ifndef CARM_REPORT_REPORT_RANKS_H
#define CARM_REPORT_REPORT_RANKS_H

#include "carm/model/model.h"

/* "4: the slowest takes 1.54 times as long as the median one outside of MPI, …"; "" where nothing is known of them. */
enum { REPORT_RANKS_BYTES = 256 };
const char *report_ranks_words(const struct app_point *point, char out[REPORT_RANKS_BYTES]);

/* How many of the points are threads. */
size_t report_threads_count(const struct app_point *points, size_t count);

/* "4; prog/thread 2 does 1.31 times the flop of the median one"; "" where there are less than two. Returns `out`. */
enum { REPORT_THREADS_BYTES = 192 };
const char *report_threads_words(const struct app_point *points, size_t count, char out[REPORT_THREADS_BYTES]);

#endif
