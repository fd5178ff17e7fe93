/* SPDX-License-Identifier: BSD-3-Clause
 * A program that mpirun, or another launcher, started as many ranks: its name, a point for each rank, and what is known
 * of all together. */
#ifndef BENCH_PROGRAMS_APP_RANKS_H
#define BENCH_PROGRAMS_APP_RANKS_H

#include "app.h"

/* The name of its points: of the program that the ranks are, among the launcher's arguments. "" where the runs have no
 * ranks. */
void app_ranks_name(char *const *argv, const struct regions_report *report, char out[64]);

/* Error: ranks that left no report, since they were killed, or ran on other nodes. */
bool app_ranks_complete(const struct regions_report *report, struct error *err);

/* Sets what is known of the ranks together in the point of a region, "" of the program: how many, what they spend in
 * MPI, how uneven they are. Pure. */
void app_ranks_describe(const struct app_runs *runs, const char *region, struct app_point *point);

/* The point of one rank, as one of the program or, with a region, of that region. `whole` is the point of all ranks.
 * Pure. */
struct app_point app_ranks_point(const struct app_runs *runs, const struct app_point *whole, unsigned rank);

/* The slowest rank against the median one; 0 where there is but one. Sorts the times. Pure. */
double app_ranks_imbalance(double *seconds, size_t count);

/* What was counted of it; NULL: nothing. */
const struct profile_rank *app_ranks_counted(const struct app_runs *runs, const char *region, unsigned rank);

#endif
