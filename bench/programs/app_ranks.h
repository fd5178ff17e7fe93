/* SPDX-License-Identifier: BSD-3-Clause
 * A program that a launcher such as mpirun started as ranks: its name, a point for each rank, and the values of all
 * together. */
#pragma once

#include "app.h"

/* The name of its points: that of the ranks' program, found in the launcher's arguments. "" if the runs have no
 * ranks. */
void app_ranks_name(char *const *argv, const struct regions_report *report, char out[64]);

/* Error: ranks left no report because they were killed or ran on other nodes. */
bool app_ranks_complete(const struct regions_report *report, struct error *err);

/* Sets the values of all ranks in a region's point ("": the program): their number, MPI time and imbalance. Pure. */
void app_ranks_describe(const struct app_runs *runs, const char *region, struct app_point *point);

/* The point of one rank in the program or in a region. `whole` is the point of all ranks. Pure. */
struct app_point app_ranks_point(const struct app_runs *runs, const struct app_point *whole, unsigned rank);

/* The slowest rank against the median one; 0 if there is only one. Sorts the times. Pure. */
double app_ranks_imbalance(double *seconds, size_t count);

/* Its counts; NULL: none. */
const struct profile_rank *app_ranks_counted(const struct app_runs *runs, const char *region, unsigned rank);
