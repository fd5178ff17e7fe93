/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes of a campaign: their states, and the order in which they are measured. */
#pragma once

#include "engine.h"
#include "parcel.h"

struct error;

enum { NODE_TRIES = 2, NODE_WORDS_BYTES = 400 };
enum node_state { NODE_WAITS, NODE_LAUNCHED, NODE_RUNS, NODE_DONE, NODE_FAILED, NODE_STATES };

struct listed_node {
    struct engine_node is;
    enum node_state state;
    unsigned tries;               /* finished launches */
    double began_s;               /* start of its measurement; now_s() */
    double took_s;                /* if it is done */
    bool was_there;               /* measured by an earlier call */
    bool queued;                  /* its job has waited in the engine's queue */
    bool final;                   /* a second try would fail, too */
    bool partial;                 /* stopped: its result has only a part */
    char words[NODE_WORDS_BYTES]; /* last line about it; for a node that is done: how its launch failed; "" */
    struct parcel_parts result;   /* the parts received so far */
};
struct node_list {
    size_t count, capacity;
    struct listed_node *nodes;
};

/* Does nothing if the list has the node. */
void node_list_add(struct node_list *list, const struct engine_node *node);
void node_list_free(struct node_list *list);

/* The node of this name, else a node whose name is equal up to the first dot; NULL: none. */
struct listed_node *node_list_find(struct node_list *list, const char *name);

size_t node_list_count(const struct node_list *list, enum node_state state);
/* Whether a job for the node can start now, as far as is known. */
bool node_is_idle(const struct listed_node *node);

/* Launches up to `most` waiting nodes: idle nodes before others, and of both the untried ones first, together. A
 * node that failed is launched alone, because it might make others fail. Returns their number. */
size_t node_list_next(struct node_list *list, size_t most, size_t *indices);

/* Stores its last words without control characters of terminals. */
void node_list_say(struct listed_node *node, const char *words);
/* A launch of the node ended without a result: the node waits for its second try, if it has one, or has failed. */
void node_list_failed_try(struct listed_node *node);
/* It has failed for good. */
void node_list_give_up(struct listed_node *node, const char *words);

/* Estimated seconds for the rest, with so many nodes at a time; 0: unknown yet. */
double node_list_left_s(const struct node_list *list, size_t at_once);

/* Many nodes measured through an engine. */

struct node_campaign {
    const struct engine *engine;
    struct engine_request request;
    const char *folder; /* results are written there, as NODE.json */
    struct node_list nodes;
};

/* Lists the nodes and marks those that have a result. Error: the engine is missing, or has no such nodes. */
bool measure_nodes_find(struct node_campaign *campaign, struct error *err);

/* Prints the command lines that would be executed. */
void measure_nodes_print(const struct node_campaign *campaign);

/* Measures all nodes without a result. Through MPI and ClusterShell a failed node gets a second try. Through Slurm
 * it does not, and a stopped node's partial result is stored. Error: interrupted, and the engine's jobs are
 * cancelled; or a result cannot be written. Failed nodes are no error: they are in the list, with their last words. */
bool measure_nodes(struct node_campaign *campaign, struct error *err);
