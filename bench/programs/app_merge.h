/* SPDX-License-Identifier: BSD-3-Clause
 * Points of single ranks, from separate launches and nodes → points of each rank and of all together. Pure. */
#pragma once

#include "app_points.h"

struct error;

/* A file of points; points without a rank are ignored. */
struct merge_source {
    const char *path, *cpu; /* cpu: its node's brand string */
    const struct app_point *points;
    size_t count;
};

/* For each rank: the counts of its newest counted launch, and statistics over its timed launches. For all together: the
 * sum of the counts, and the time of the slowest. Errors: no points of ranks; different programs, command lines,
 * numbers of ranks or kinds of CPU; a rank is missing, or has been timed more often than another. */
bool app_merge(const struct merge_source *sources, size_t count, struct app_points *out, struct error *err);
