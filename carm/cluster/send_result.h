/* SPDX-License-Identifier: BSD-3-Clause
 * What an engine starts on a node: it measures, and prints the result in parcels (parcel.h). No file is left there. */
#ifndef CARM_SEND_RESULT_H
#define CARM_SEND_RESULT_H

#include <stdbool.h>

#include "parcel.h"
#include "probe/error.h"

/* What the engine calls this node: by SLURMD_NODENAME, else the host's name. */
void send_result_node(char out[PARCEL_NODE_BYTES]);

/* Runs `carmine run` with these words, up to NULL, and prints its result, or its last words. A measurement that fails
 * is told in the parcels alone: a launcher that hears of it ends all other nodes, too. Error: there is no place for the
 * result, or a signal came. */
bool send_result(char *const *run_words, struct error *err);

#endif
