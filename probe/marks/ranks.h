/* SPDX-License-Identifier: BSD-3-Clause
 * The rank of this process in a parallel program, from the launcher's environment variables. Uses neither MPI nor
 * libc, since the collectors use it too. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A launcher of ranks, and the variables by which each rank gets its number. */
struct rank_launcher {
    const char *name;
    const char *rank, *count; /* variables: this rank, from 0, and the number of ranks */
    const char *count_here;   /* variable: number of ranks on this node; NULL: there is none */
};
extern const struct rank_launcher rank_launchers[];
enum { RANK_LAUNCHERS = 3, RANKS_MOST = 1 << 20 };

struct rank {
    uint32_t number;   /* from 0 */
    uint32_t count;    /* of the launch; 0: the process is not a rank */
    uint32_t launcher; /* row of rank_launchers */
};

/* Uses the first launcher in the table whose variables are set: mpirun may itself be started by Slurm. */
struct rank rank_find(char *const *environment);

/* Whether ranks of its launch are known to run on other nodes. */
bool rank_elsewhere(struct rank rank, char *const *environment);

/* The variable's value; NULL: not set. */
const char *rank_variable(char *const *environment, const char *name);
