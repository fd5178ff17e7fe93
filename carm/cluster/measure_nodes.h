/* SPDX-License-Identifier: BSD-3-Clause
 * Many nodes measured through an engine: which it has, its processes, what comes back, who fails. */
#ifndef CARM_MEASURE_NODES_H
#define CARM_MEASURE_NODES_H

#include "node_list.h"
#include "probe/error.h"

struct node_campaign {
    const struct engine *engine;
    struct engine_request request;
    const char *folder; /* results go there, as NODE.json */
    struct node_list nodes;
};

/* Lists the nodes, and which of them have a result already. Error: the engine is not there or has no such nodes. */
bool measure_nodes_find(struct node_campaign *campaign, struct error *err);

/* Prints the command lines that would be executed. */
void measure_nodes_print(const struct node_campaign *campaign);

/* Measures those that have no result; each may be tried twice. Error: interrupted, and the engine's jobs are cancelled;
 * a result cannot be written. Nodes that fail are no error: they are in the list, with their last words. */
bool measure_nodes(struct node_campaign *campaign, struct error *err);

#endif
