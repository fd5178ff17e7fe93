/* SPDX-License-Identifier: BSD-3-Clause
 * Carmine as a rank: stores the points of each rank and merges them. */
#pragma once

#include "bench/programs/app.h"
#include "carm/options/cli.h"
#include "carm/session/app_results.h"

/* In `mpirun … carmine app -- PROGRAM` carmine and its program are ranks, and the program runs only once. Each rank
 * stores its points in a file. The last rank of the launch on this node merges them. */

/* The rank of this process. `count` is 0 if it is no rank, or if the program is a launcher itself. */
struct rank rank_launch_find(const char *program);

/* Runs the program and stores its points. Returns the program's exit status, or CLI_ERROR, for example if an option
 * needs several runs. */
int rank_launch(const struct app_request *request, const struct arguments *arguments, struct app_target *target,
                struct error *err);

/* to be freed by rank_results_free() */
struct rank_results {
    size_t count;
    char **paths;
    struct result *results; /* results read so far */
};

/* Merges the points of ranks, adds them to the target, prints and draws. Error: they do not fit together
 * (app_merge()), or cannot be stored; in the second case they are printed all the same. */
bool ranks_merge(const struct rank_results *results, struct app_target *target, const struct arguments *arguments,
                 struct error *err);

/* `carmine app --merge FILE… -o FILE`. */
bool ranks_merge_files(const struct arguments *arguments, struct error *err);
