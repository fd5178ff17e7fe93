/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine fleet run`: its options, its measurement, and its list of nodes without a result. */
#pragma once

#include <stdbool.h>

#include "node_list.h"
#include "parcel.h"

#include "carm/options/cli.h"

struct error;

/* The part that an engine starts on a node: it measures, and prints the result in parcels (parcel.h). It leaves no
 * file. */

/* Runs `carmine run` with these words, up to NULL, and prints its result or its last words. A failed measurement is
 * reported only in the parcels: a failed exit status would make a launcher end all other nodes. Error: no place for
 * the result, or a signal. */
bool send_result(char *const *run_words, struct error *err);

/* The options of fleet_run_open(); fleet_run_refuse() reports that they need `run`. */
#define CHOICE_FLEET_RUN                                                                                               \
    {"by", 0, "ENGINE",                                                                                                \
     "run: what starts programs on the nodes: {} (Slurm; MPI, by mpirun or mpiexec, or mpi=PROGRAM; ClusterShell on "  \
     "the --nodes)"},                                                                                                  \
        {"partition", 'p', "NAME", "run --by slurm: nodes of this partition (default: all)"},                          \
        {"nodes", 'w', "NODES",                                                                                        \
         "run: only these nodes: 'node[1-64]' of Slurm and ClusterShell, NODE,NODE,… of MPI (default: all)"},          \
        {"at-once", 0, "N", "run: nodes measured at a time, at most (default: all; 64 by Slurm)"},                     \
        {"output", 'o', "DIR", "run: the folder of the results, one a node (default: nodes/)"}, {                      \
        "dry-run", 0, NULL, "run: print the commands; only the listing of nodes is started"                            \
    }

/* Error: one of them is given without `run`. */
bool fleet_run_refuse(const struct arguments *arguments, struct error *err);

struct fleet_run {
    struct node_campaign campaign;
    struct command_words measure;
    char job[96], program[4096];
};

/* Reads the options and finds the nodes. `run_words`: passed on to `carmine run`, up to NULL. The caller ends with
 * fleet_run_close() in any case. Errors: of options; as of measure_nodes_find(). */
bool fleet_run_open(struct fleet_run *run, const struct arguments *arguments, char *const *run_words,
                    struct error *err);
void fleet_run_close(struct fleet_run *run);

/* Measures and reports. Errors: as of measure_nodes(); no node has a result. */
bool fleet_run_measure(struct fleet_run *run, struct error *err);

/* Lists the nodes whose launch failed after their result, the nodes stopped before the end, and the nodes without a
 * result, with their last words; returns the number of the latter two. */
size_t fleet_run_print_failed(const struct fleet_run *run, size_t columns, FILE *out);
