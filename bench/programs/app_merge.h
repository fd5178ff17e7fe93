/* SPDX-License-Identifier: BSD-3-Clause
 * Points of single ranks, which launches and nodes left apart → those of each rank and of all together. Pure. */
#ifndef BENCH_PROGRAMS_APP_MERGE_H
#define BENCH_PROGRAMS_APP_MERGE_H

#include "app_points.h"

#include "probe/error.h"

/* A file of points; those that are of no rank are passed over. */
struct merge_source {
    const char *path, *cpu; /* cpu: the brand of its node's */
    const struct app_point *points;
    size_t count;
};

/* Of each rank the counts of its newest counted launch, and statistics over the times of its timed ones. Of all
 * together: the sum of the counts, and the time of the slowest. Errors: no points of ranks; of several programs,
 * command lines, numbers of ranks or kinds of CPU; a rank is lacking, or has been timed more often than another. */
bool app_merge(const struct merge_source *sources, size_t count, struct app_points *out, struct error *err);

#endif
