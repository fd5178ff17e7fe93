/* SPDX-License-Identifier: BSD-3-Clause
 * Engines that start programs on the nodes of a cluster: a row each for Slurm, the launchers of MPI and ClusterShell. A
 * row builds an engine's command lines, and the functions below read its output; nothing is executed here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "command_words.h"

enum { ENGINE_NODE_BYTES = 64, ENGINE_WHY_BYTES = 100 };

/* One request to an engine. */
struct engine_request {
    const char *program;                 /* the launcher, if it has several names: "mpiexec.hydra" */
    const char *partition;               /* NULL: the default */
    const char *nodes;                   /* as the user gave them: "node[1-64]"; NULL: all */
    const char *job;                     /* name of its jobs, used to cancel them */
    bool allocated;                      /* this runs in a job that already has the nodes */
    unsigned at_once;                    /* nodes measured at a time; 0: the engine's limit */
    const struct command_words *measure; /* the command of each node */
};

/* A node as the engine lists it. */
struct engine_node {
    char name[ENGINE_NODE_BYTES];
    unsigned cpus;                      /* available to a job; 0: unknown */
    bool busy;                          /* not idle: its job would wait in the engine's queue */
    char unavailable[ENGINE_WHY_BYTES]; /* "down*: Not responding"; "": available */
};

/* Our job in the engine's queue. */
struct engine_pending {
    char node[ENGINE_NODE_BYTES];
    char reason[ENGINE_WHY_BYTES]; /* "Resources" */
    bool never;                    /* it will never start by itself: "PartitionDown" */
};

/* How many nodes one process of the engine serves. */
enum engine_share {
    ENGINE_NODE_EACH, /* one; the engine queues them */
    ENGINE_BATCH,     /* as many as are measured at a time; the next batch follows */
    ENGINE_ALL        /* all; the engine limits how many run at a time */
};

struct engine {
    const char *name;    /* "Slurm" */
    const char *program; /* found along PATH, unless the request names another */
    bool sends;          /* its standard input reaches all nodes of a launch */
    enum engine_share share;
    unsigned usual_at_once; /* 0: all */
    int stop_signal;        /* makes its process end everything that it started */
    const char *final;      /* a line with this text is the reason of a node's failure; a second try would fail, too */
    /* The command that lists the nodes, one a line. False: no such command; the request names the nodes. */
    bool (*list)(const struct engine_request *request, struct command_words *out);
    /* The command that prints all node names that the request expands to, one a line, whether the nodes exist or
     * not. False: the list has them all. NULL: always so. */
    bool (*names)(const struct engine_request *request, struct command_words *out);
    void (*launch)(const struct engine_request *request, const struct engine_node *const *nodes, size_t count,
                   struct command_words *out);
    /* The command that prints how many CPUs of each node a job may have, one node a line. NULL: not needed. */
    void (*cpus)(const struct engine_request *request, struct command_words *out);
    /* The command that lists our jobs that have not started, one a line. NULL: there is no queue. */
    void (*pending)(const struct engine_request *request, struct command_words *out);
    void (*cancel)(const struct engine_request *request, struct command_words *out); /* NULL: the signal cancels */
};
extern const struct engine engine_slurm, engine_open_mpi, engine_hydra, engine_clush;

/* The engine of an MPI launcher, by its output for --version: Open MPI, or MPICH and Intel MPI. NULL: neither. */
const struct engine *engine_of_mpi(const char *version);

/* Reads a node's line: "NODE" or "NODE|STATE|CPUS|REASON". False: another line. */
bool engine_read_node(const char *line, struct engine_node *out);

/* Reads a node's CPUs: "NodeName=NODE … CPUEfctv=71 …". False: another line. */
bool engine_read_cpus(const char *line, char name[ENGINE_NODE_BYTES], unsigned *cpus);

/* Reads a job that has not started: "NODE|REASON". False: another line. */
bool engine_read_pending(const char *line, struct engine_pending *out);
