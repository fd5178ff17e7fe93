/* SPDX-License-Identifier: BSD-3-Clause
 * Files of ranks merged into the points of a program, kept and told. */
#ifndef CARM_CLI_RANKS_MERGE_H
#define CARM_CLI_RANKS_MERGE_H

#include "carm/options/cli.h"
#include "carm/session/app_results.h"

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
