/* SPDX-License-Identifier: BSD-3-Clause
 * Engines that start programs on the nodes of a cluster: a row each, in a file of its own, for Slurm, the launchers of
 * MPI, ClusterShell and pdsh. A row writes the engine's command lines, for a shell, and reads its answers; nothing is
 * executed here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { ENGINE_NODE_BYTES = 64, ENGINE_JOB_BYTES = 32, ENGINE_WHY_BYTES = 160 };

/* One request to an engine. */
struct engine_request {
    const char *program;   /* the launcher, if it has several names: "mpiexec.hydra" */
    const char *partition; /* NULL: the default */
    const char *nodes;     /* as the user gave them: "node[1-64]"; NULL: all */
    const char *own;       /* the user's options for the engine, quoted: " --time=10"; "" */
    const char *measure;   /* the command of each node, quoted */
    const char *input;     /* a file: its standard input, where the row says that all nodes get it; NULL: none */
    const char *job;       /* name of all jobs */
    const char *folder;    /* of the results; absolute */
    const char *names;     /* nodes of this launch: "node1,node2" */
    size_t count;          /* of these */
    const char *one_job;   /* to be cancelled; NULL: all */
};

/* A node as the engine lists it. */
struct engine_node {
    char name[ENGINE_NODE_BYTES];
    bool has_state;
    char unavailable[ENGINE_WHY_BYTES]; /* "down*: Not responding"; "": available */
};

enum engine_job_state { ENGINE_JOB_WAITS, ENGINE_JOB_RUNS, ENGINE_JOB_ENDED };

/* Our job of a node, as the engine's queue lists it. */
struct engine_job {
    char id[ENGINE_JOB_BYTES], node[ENGINE_NODE_BYTES];
    enum engine_job_state state;
    bool never;                 /* it waits, and will never start by itself */
    char why[ENGINE_WHY_BYTES]; /* "Resources"; "": not yet known; of an ended one also its state: "TIMEOUT (TimeLimit)"
                                 */
};

struct engine {
    const char *by;                     /* "slurm": its value of --by */
    const char *name;                   /* "Slurm" */
    const char *program;                /* found along PATH; */
    bool (*is_of)(const char *version); /* or, unless NULL, any that reports such a --version */
    bool unlisted;                      /* it knows no nodes of its own: --nodes names them */
    bool sends;                         /* its standard input reaches all nodes of a launch */
    int stop_signal;                    /* makes its process end all that it started */
    void (*list)(const struct engine_request *request, FILE *out); /* prints the nodes, one a line */
    /* Starts the command on the nodes. An engine with a queue prints its job's identity and ends. */
    void (*launch)(const struct engine_request *request, FILE *out);
    /* Only engines with a queue, else NULL: prints all our jobs, one a line; cancels. */
    void (*jobs)(const struct engine_request *request, FILE *out);
    void (*cancel)(const struct engine_request *request, FILE *out);
    bool (*read_job)(const char *line, struct engine_job *out); /* false: another line */
    const char *limited; /* in its refusal of further jobs while some are in the queue */
};
extern const struct engine engine_slurm, engine_slurm_step, engine_open_mpi, engine_hydra, engine_clush, engine_pdsh;

/* The command that `write`, a member of the row, writes. To be freed. */
char *engine_command(const struct engine_request *request,
                     void (*write)(const struct engine_request *request, FILE *out));

/* Writes a blank and a word, quoted if a shell needs that. */
void engine_word(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for each word, up to NULL. */
void engine_words(FILE *out, char *const *words);

/* Writes where the standard input comes from, if from a file. */
void engine_input(FILE *out, const struct engine_request *request);

/* Reads a node's line: "NODE" or "NODE|STATE|REASON". False: another line. */
bool engine_read_node(const char *line, struct engine_node *out);
