/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes that are to be measured, how far each is, and which comes next. */
#ifndef CARM_NODE_LIST_H
#define CARM_NODE_LIST_H

#include "engine.h"
#include "parcel.h"

#include "probe/error.h"

enum { NODE_TRIES = 2, NODE_WORDS_BYTES = 400 };
enum node_state { NODE_WAITS, NODE_LAUNCHED, NODE_RUNS, NODE_DONE, NODE_FAILED, NODE_STATES };

struct listed_node {
    struct engine_node is;
    enum node_state state;
    unsigned tries;               /* launches that have ended */
    double began_s;               /* when it said that it measures; now_s() */
    double took_s;                /* of a node that is done */
    bool was_there;               /* an earlier call measured it */
    bool queued;                  /* a job for it has waited in the engine's queue */
    bool final;                   /* its last words say that a second try would fail, too */
    bool partial;                 /* it was stopped: its result is what it had until then */
    char words[NODE_WORDS_BYTES]; /* the last that were said of it; of a node that is done how its launch failed; "" */
    struct parcel_parts result;   /* as far as it has come in */
};
struct node_list {
    size_t count, capacity;
    struct listed_node *nodes;
};

/* Unless it is there already. */
void node_list_add(struct node_list *list, const struct engine_node *node);
void node_list_free(struct node_list *list);

/* The node of this name, else the one whose name is the same up to the first dot; NULL. */
struct listed_node *node_list_find(struct node_list *list, const char *name);

size_t node_list_count(const struct node_list *list, enum node_state state);
/* Whether a job for the node can start now, as far as is known. */
bool node_is_idle(const struct listed_node *node);

/* Up to `most` of those that wait, the idle ones first: of these and of the others first those that were never tried,
 * together; a node that failed comes alone, lest it takes others with it. They are launched from then on. Returns how
 * many. */
size_t node_list_next(struct node_list *list, size_t most, size_t *indices);

/* Its last words; what they hold that steers terminals is taken out. */
void node_list_say(struct listed_node *node, const char *words);
/* A launch of the node has ended without a result: it waits for its second try, or has failed. */
void node_list_failed_try(struct listed_node *node);
/* It will not be had. */
void node_list_give_up(struct listed_node *node, const char *words);

/* Seconds that the rest takes, so many at a time, by those that are done; 0: nobody knows yet. */
double node_list_left_s(const struct node_list *list, size_t at_once);

/* Many nodes measured through an engine: which it has, its processes, what comes back, who fails. */

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
