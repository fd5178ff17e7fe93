/* SPDX-License-Identifier: BSD-3-Clause
 * Where the ranks of a launch leave their points, each in a file of its own, a result: so that the one that ends last
 * finds all of them, and `carmine app --merge` those of several nodes. */
#ifndef CARM_CLI_RANK_FILES_H
#define CARM_CLI_RANK_FILES_H

#include "carm/store/results.h"
#include "probe/marks/ranks.h"

struct rank_files {
    char folder[4096];
    char launch[64]; /* the same for all ranks of this node's launch, and for no other */
    struct rank rank;
    bool kept; /* the folder is the user's */
};

/* "my.json.ranks" beside the result that -o names; without one (NULL) a temporary folder of the launch. Error: it
 * cannot be made, or is another user's. */
bool rank_files_open(struct rank_files *out, const char *output, struct rank rank, struct error *err);

/* Keeps this rank's points. `*last`: those of all ranks of the launch are there now, which one rank alone is told. */
bool rank_files_put(const struct rank_files *files, const struct result *result, bool *last, struct error *err);

/* The files of all launches that are complete; each and the list to be freed. */
bool rank_files_list(const struct rank_files *files, char ***paths, size_t *count, struct error *err);

/* Removes what was temporary. */
void rank_files_close(const struct rank_files *files);

#endif
