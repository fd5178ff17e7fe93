/* SPDX-License-Identifier: BSD-3-Clause
 * Reports of a program that a launcher started as many ranks: which they are, and the time of each rank. */
#ifndef BENCH_PROGRAMS_REGION_RANKS_H
#define BENCH_PROGRAMS_REGION_RANKS_H

#include <dirent.h>

#include "region_intervals.h"

/* Of the reports in the folder keeps those of ranks, where there are any, and frees the others: they are of what
 * started them. Returns how many there are now. */
int region_ranks_alone(const char *folder, struct dirent **files, int count);

/* Into the report's rank_times. False: no memory. */
bool region_ranks_sum(const struct region_intervals *intervals, struct regions_report *report);

#endif
