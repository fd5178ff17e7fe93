/* SPDX-License-Identifier: BSD-3-Clause
 * Which rank of a parallel program a process is: the launcher has put it into the environment. Needs no MPI, and no
 * libc: the collectors use it too. */
#ifndef PROBE_RANKS_H
#define PROBE_RANKS_H

#include <stdbool.h>
#include <stdint.h>

/* Who starts ranks, and the variables by which it tells each which one it is. */
struct rank_launcher {
    const char *name;
    const char *rank, *count; /* variables: this rank, from 0, and how many there are */
    const char *count_here;   /* variable: how many of them are on this node; NULL: there is none */
};
extern const struct rank_launcher rank_launchers[];
enum { RANK_LAUNCHERS = 3, RANKS_MOST = 1 << 20 };

struct rank {
    uint32_t number;   /* from 0 */
    uint32_t count;    /* of the launch; 0: the process is no rank */
    uint32_t launcher; /* row of rank_launchers */
};

/* By the first launcher, in the table's order, whose variables are there: mpirun may itself be started by Slurm. */
struct rank rank_find(char *const *environment);

/* Whether ranks of its launch are known to be on other nodes. */
bool rank_elsewhere(struct rank rank, char *const *environment);

/* The variable's value; NULL: it is not there. */
const char *rank_variable(char *const *environment, const char *name);

#endif
