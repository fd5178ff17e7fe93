/* SPDX-License-Identifier: BSD-3-Clause
 * `mpirun … carmine app -- PROGRAM`: carmine is a rank, and so is its program, which can be run but once. Each rank
 * leaves its points in a file; the last one of the node's launch merges them. */
#ifndef CARM_CLI_RANK_LAUNCH_H
#define CARM_CLI_RANK_LAUNCH_H

#include "bench/programs/app.h"
#include "carm/options/cli.h"
#include "carm/session/app_results.h"

/* The rank that this process is; its `count` is 0 where it is none, or where the program is a launcher itself. */
struct rank rank_launch_find(const char *program);

/* Runs the program and keeps its points. Returns the exit status: the program's own; CLI_ERROR: err says why, as of
 * options that need several runs. */
int rank_launch(const struct app_request *request, const struct arguments *arguments, struct app_target *target,
                struct error *err);

#endif
