/* SPDX-License-Identifier: BSD-3-Clause
 * Files of ranks merged into the points of a program, kept and told. */
#ifndef CARM_CLI_RANKS_MERGE_H
#define CARM_CLI_RANKS_MERGE_H

#include "bench/programs/app.h"
#include "carm/options/cli.h"
#include "carm/session/app_results.h"

/* `mpirun … carmine app -- PROGRAM`: carmine is a rank, and so is its program, which can be run but once. Each rank
 * leaves its points in a file; the last one of the node's launch merges them. */

/* The rank that this process is; its `count` is 0 where it is none, or where the program is a launcher itself. */
struct rank rank_launch_find(const char *program);

/* Runs the program and keeps its points. Returns the exit status: the program's own; CLI_ERROR: err says why, as of
 * options that need several runs. */
int rank_launch(const struct app_request *request, const struct arguments *arguments, struct app_target *target,
                struct error *err);

/* The files, to be freed. */
struct rank_results {
    size_t count;
    char **paths;
    struct result *results; /* as many as were read */
};
bool rank_results_read(struct rank_results *out, char **paths, size_t count, struct error *err);
void rank_results_free(struct rank_results *results);

/* Merges the points of ranks, adds them to the target, prints and draws what the options ask for. Error: they do not go
 * together (bench/programs/app_merge.h), or cannot be kept; then they are told all the same. */
bool ranks_merge(const struct rank_results *results, struct app_target *target, const struct arguments *arguments,
                 struct error *err);

/* `carmine app --merge FILE… -o FILE`. */
bool ranks_merge_files(const struct arguments *arguments, struct error *err);

#endif
