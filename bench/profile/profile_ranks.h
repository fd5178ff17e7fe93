/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of a program that a launcher started as many ranks: whose a file is, and what each rank did. */
#ifndef BENCH_PROFILE_RANKS_H
#define BENCH_PROFILE_RANKS_H

#include <dirent.h>

#include "probe/marks/ranks.h"
#include "profile.h"

/* Of the files of counts in the folder keeps those of ranks, where there are any, and frees the others: they are of
 * what started them. Returns how many there are now. */
int profile_ranks_alone(const char *folder, struct dirent **files, int count);

/* Adds what a thread of the rank, if it is one, did in the region: inside of MPI's calls, or as the program. False: no
 * memory. */
bool profile_rank_add(struct profile_region *region, struct rank rank, const struct count *thread, bool in_mpi);

#endif
