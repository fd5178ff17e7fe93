/* SPDX-License-Identifier: BSD-3-Clause */
#include "ranks.h"

#include <stddef.h>

/* Open MPI: mpirun(1), "Exported Environment Variables". Hydra, of MPICH, Intel MPI and MVAPICH: observed with MPICH
 * 4.0.2. Slurm: srun(1), "Output environment variables"; SLURM_STEP_NUM_TASKS instead of SLURM_NTASKS: a batch
 * script is not a rank but has SLURM_NTASKS and SLURM_PROCID too. */
const struct rank_launcher rank_launchers[] = {
    {"Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"Hydra", "PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"Slurm", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", NULL},
};
_Static_assert(sizeof rank_launchers / sizeof rank_launchers[0] == RANK_LAUNCHERS, "a row each");

const char *rank_variable(char *const *environment, const char *name) {
    for (; environment && *environment; environment++) {
        size_t length = 0;
        while (name[length] && (*environment)[length] == name[length])
            length++;
        if (!name[length] && (*environment)[length] == '=')
            return *environment + length + 1;
    }
    return NULL;
}

/* A number below RANKS_MOST; -1: not a number. */
static int32_t number(const char *text) {
    int32_t value = 0;
    if (!text || !*text)
        return -1;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        value = value * 10 + (*text - '0');
        if (value >= RANKS_MOST)
            return -1;
    }
    return value;
}

bool rank_elsewhere(struct rank rank, char *const *environment) {
    const char *variable = rank.count > 0 ? rank_launchers[rank.launcher].count_here : NULL;
    const int32_t here = variable ? number(rank_variable(environment, variable)) : -1;
    return here >= 0 && (uint32_t)here < rank.count;
}

struct rank rank_find(char *const *environment) {
    for (uint32_t i = 0; i < RANK_LAUNCHERS; i++) {
        const int32_t rank = number(rank_variable(environment, rank_launchers[i].rank)),
                      count = number(rank_variable(environment, rank_launchers[i].count));
        if (rank >= 0 && rank < count)
            return (struct rank){(uint32_t)rank, (uint32_t)count, i};
    }
    return (struct rank){.count = 0};
}
