/* SPDX-License-Identifier: BSD-3-Clause
 * What starts programs on the nodes of a cluster: a row each for Slurm, the launchers of MPI and ClusterShell. A row
 * says which command lines it takes, and what it prints; nothing is executed here. */
#ifndef CARM_ENGINE_H
#define CARM_ENGINE_H

#include <stdbool.h>
#include <stddef.h>

#include "command_words.h"

enum { ENGINE_NODE_BYTES = 64, ENGINE_WHY_BYTES = 96 };

/* What is asked of it. */
struct engine_request {
    const char *program;                 /* the launcher, where there are several by other names: "mpiexec.hydra" */
    const char *partition;               /* NULL: the usual one */
    const char *nodes;                   /* as it was given: "node[1-64]"; NULL: all that it has */
    const char *job;                     /* what its jobs are called, to be cancelled by */
    bool allocated;                      /* this is a job itself, that has the nodes already */
    unsigned at_once;                    /* nodes that are measured at a time; 0: as many as the engine takes */
    const struct command_words *measure; /* what each node executes */
};

/* A node as the engine lists it. */
struct engine_node {
    char name[ENGINE_NODE_BYTES];
    unsigned cpus;                      /* that a job may have; 0: not told */
    bool busy;                          /* it is not idle: a job for it waits in the engine's queue */
    char unavailable[ENGINE_WHY_BYTES]; /* "down*: Not responding"; "": it can be had */
};

/* A job of ours that waits in the engine's queue. */
struct engine_pending {
    char node[ENGINE_NODE_BYTES];
    char reason[ENGINE_WHY_BYTES]; /* "Resources" */
    bool never;                    /* no time that passes lets it start: "PartitionDown" */
};

/* How many nodes are behind one process of the engine. */
enum engine_share {
    ENGINE_NODE_EACH, /* one; the engine queues them */
    ENGINE_BATCH,     /* those that are measured at a time; when they are done, the next */
    ENGINE_ALL        /* all; the engine itself keeps to so many at a time */
};

struct engine {
    const char *name;    /* "Slurm" */
    const char *program; /* to be found along PATH, unless the request names another */
    enum engine_share share;
    unsigned usual_at_once; /* 0: all */
    int stop_signal;        /* at which its process ends what it started */
    const char *final;      /* a line that holds this tells why a node failed, and that a second try fails, too */
    /* The command whose output lists the nodes, a line each. False: there is none, the request names them. */
    bool (*list)(const struct engine_request *request, struct command_words *out);
    /* The command whose output are all names that the request's nodes stand for, a line each, whether there are such
     * nodes or not. False: the list has them all. NULL: always. */
    bool (*names)(const struct engine_request *request, struct command_words *out);
    void (*launch)(const struct engine_request *request, const struct engine_node *const *nodes, size_t count,
                   struct command_words *out);
    /* The command that tells how many CPUs a job may have of each node, a line each. NULL: nobody asks for them. */
    void (*cpus)(const struct engine_request *request, struct command_words *out);
    /* The command whose output lists our jobs that have not started, a line each. NULL: there is no queue. */
    void (*pending)(const struct engine_request *request, struct command_words *out);
    void (*cancel)(const struct engine_request *request, struct command_words *out); /* NULL: the signal does */
};
extern const struct engine engine_slurm, engine_open_mpi, engine_hydra, engine_clush;

/* Of launchers of MPI, by what they print for --version: Open MPI's, or the one of MPICH and Intel MPI. NULL: neither.
 */
const struct engine *engine_of_mpi(const char *version);

/* A line that lists a node: "NODE" or "NODE|STATE|CPUS|REASON". False: it does not. */
bool engine_read_node(const char *line, struct engine_node *out);

/* A line that tells a node's CPUs: "NodeName=NODE … CPUEfctv=71 …". False: it does not. */
bool engine_read_cpus(const char *line, char name[ENGINE_NODE_BYTES], unsigned *cpus);

/* A line that lists a job that has not started: "NODE|REASON". False: it does not. */
bool engine_read_pending(const char *line, struct engine_pending *out);

#endif
