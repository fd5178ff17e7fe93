/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine fleet run`: its options, and what is said of nodes that gave no result. */
#ifndef CARM_FLEET_RUN_H
#define CARM_FLEET_RUN_H

#include <stdbool.h>

#include "node_list.h"
#include "parcel.h"

#include "carm/options/cli.h"
#include "probe/error.h"

/* What an engine starts on a node: it measures, and prints the result in parcels (parcel.h). No file is left there. */

/* What the engine calls this node: by SLURMD_NODENAME, else the host's name. */
void send_result_node(char out[PARCEL_NODE_BYTES]);

/* Runs `carmine run` with these words, up to NULL, and prints its result, or its last words. A measurement that fails
 * is told in the parcels alone: a launcher that hears of it ends all other nodes, too. Error: there is no place for the
 * result, or a signal came. */
bool send_result(char *const *run_words, struct error *err);

/* The rows of a command's options that fleet_run_open() reads; fleet_run_refuse() says that they need `run`. */
#define CHOICE_FLEET_RUN                                                                                               \
    {"slurm", 0, NULL, "run: measure by Slurm: an srun for each node, which has the node for itself"},                 \
        {"mpi", 0, "[=PROGRAM]", "run: measure by MPI's launcher (default: mpirun or mpiexec), a rank on each node"},  \
        {"clush", 0, "NODES", "run: measure by ClusterShell, which reaches these nodes by ssh"},                       \
        {"partition", 'p', "NAME", "run --slurm: nodes of this partition (default: all)"},                             \
        {"nodes", 'w', "NODES", "run: only these: 'node[1-64]' of Slurm, NODE,NODE,… of MPI (default: all)"},          \
        {"at-once", 0, "N", "run: at most so many nodes at a time (default: all; 64 by Slurm)"},                       \
        {"output", 'o', "DIR", "run: the folder of the results, one a node (default: nodes/)"}, {                      \
        "dry-run", 0, NULL, "run: print the commands and start nothing but the listing of nodes"                       \
    }

/* Error: one of them is given where nothing is measured. */
bool fleet_run_refuse(const struct arguments *arguments, struct error *err);

struct fleet_run {
    struct node_campaign campaign;
    struct command_words measure;
    char job[96], program[4096];
};

/* Reads the options and finds the nodes. `run_words`: what is handed on to `carmine run`, up to NULL. The caller ends
 * with fleet_run_close() in any case. Errors: of options; as of measure_nodes_find(). */
bool fleet_run_open(struct fleet_run *run, const struct arguments *arguments, char *const *run_words,
                    struct error *err);
void fleet_run_close(struct fleet_run *run);

/* Measures, and says so. Errors: as of measure_nodes(); no node has a result. */
bool fleet_run_measure(struct fleet_run *run, struct error *err);

/* Names the nodes whose launch failed after their result, those that were stopped before all was measured, and those
 * without a result, with their last words; returns how many of the last two there are. */
size_t fleet_run_print_failed(const struct fleet_run *run, size_t columns, FILE *out);

#endif
