/* SPDX-License-Identifier: BSD-3-Clause
 * `carmine fleet run`: its options, its measurement, and its list of nodes without a result. */
#pragma once

#include "campaign.h"
#include "node_programs.h"

#include "carm/options/cli.h"

struct error;

/* The part that an engine starts on a node: runs `carmine run` with these words, up to NULL, and writes its result into
 * the folder under the engine's name of the node; or, with NULL, prints it or its last words in parcels (parcel.h).
 * Error: no place for the result, or a signal; with a folder also that there is none. */
bool send_result(const char *folder, char *const *run_words, struct error *err);

/* The options of fleet_run_open(); fleet_run_refuse() reports that they need `run`. */
#define CHOICE_FLEET_RUN                                                                                               \
    {"by", 0, "ENGINE",                                                                                                \
     "run: what starts programs on the nodes: {} (Slurm; MPI, by mpirun or mpiexec, or mpi=PROGRAM; ClusterShell or "  \
     "pdsh on the --nodes)"},                                                                                          \
        {"partition", 'p', "NAME", "run --by slurm: nodes of this partition (default: all)"},                          \
        {"nodes", 'w', "NODES", "run: only these nodes: 'node[1-64]'; of MPI NODE,NODE,… (default: all)"},             \
        {"detach", 0, NULL, "run --by slurm: submit the jobs and end; the same command without it reports"},           \
        {"output", 'o', "DIR", "run: the folder of the results, one a node (default: nodes/)"}, {                      \
        "dry-run", 0, NULL, "run: print the commands; only the listing of nodes is started"                            \
    }

/* Error: one of them is given without `run`. */
bool fleet_run_refuse(const struct arguments *arguments, struct error *err);

struct fleet_run {
    struct node_campaign campaign;
    char *measure, *own;
    char folder[4200], job[64];
    struct node_programs programs;
};

/* Reads the options and finds the nodes. `run_words` are passed on to `carmine run`, `own_words` to the engine, both up
 * to NULL. The caller ends with fleet_run_close() in any case. Errors: of options; as of campaign_find_nodes(). */
bool fleet_run_open(struct fleet_run *run, const struct arguments *arguments, char *const *run_words,
                    char *const *own_words, struct error *err);
void fleet_run_close(struct fleet_run *run);

/* Measures, and stores a file a node. Errors: as of campaign_launch(); no node has a result. */
bool fleet_run_measure(struct fleet_run *run, struct error *err);

/* Lists the nodes stopped before the end, and those without a result, with their last words; returns their number. */
size_t fleet_run_print_failed(const struct fleet_run *run, size_t columns, FILE *out);
