/* SPDX-License-Identifier: BSD-3-Clause
 * The nodes of a campaign: found, measured through their engine, and their states. */
#pragma once

#include "engine.h"
#include "parcel.h"

struct error;

enum { NODE_WORDS_BYTES = 400 };
/* NODE_PARTIAL: its measurement was stopped before the end, and a part of its result is there. */
enum node_state { NODE_WAITS, NODE_QUEUED, NODE_RUNS, NODE_DONE, NODE_PARTIAL, NODE_FAILED };

struct listed_node {
    struct engine_node is;
    enum node_state state;
    bool stopped;                 /* a launcher's node: what follows is a part of its result */
    char words[NODE_WORDS_BYTES]; /* why it has failed, or was stopped */
    char job[ENGINE_JOB_BYTES];   /* in the engine's queue; "": none */
    bool listed;                  /* the queue's last answer has its job */
    double never_s;               /* since when the engine calls its job impossible; 0: it does not; now_s() */
    double ended_s;               /* end of its job, while its file is awaited; now_s() */
    struct parcel_parts result;   /* the parts received so far */
};
struct node_campaign {
    const struct engine *engine;
    struct engine_request request;
    const char *folder; /* of the results: NODE.json */
    bool detach;        /* leave the jobs to the engine's queue */
    size_t count, capacity;
    struct listed_node *nodes;
};

/* Lists the nodes and marks those that have a result. Error: the engine is missing, or has no such nodes. */
bool campaign_find_nodes(struct node_campaign *campaign, struct error *err);

/* Prints the command lines that would be executed. */
void campaign_print(const struct node_campaign *campaign);

/* Measures all nodes without a result: one process of a launcher serves many nodes, whose results are in its output;
 * an engine with a queue gets a job for each node, which writes the result. Error: interrupted, and the engine's
 * jobs are cancelled; or a result cannot be written. Failed nodes are no error: they have their last words. */
bool campaign_launch(struct node_campaign *campaign, struct error *err);
bool campaign_queue(struct node_campaign *campaign, struct error *err);

/* FOLDER/NODE.json: NODE_WAITS if there is no result. */
enum node_state campaign_file(const char *folder, const char *node);

/* Writes the file; the result gets this name as its host. Error: it cannot be written. */
struct result;
bool campaign_file_put(const char *folder, const char *node, struct result *result, struct error *err);

size_t campaign_nodes(const struct node_campaign *campaign, enum node_state state);
void campaign_free(struct node_campaign *campaign);

/* The node of this name, else a node whose name is equal up to the first dot; NULL: none. */
struct listed_node *campaign_node(struct node_campaign *campaign, const char *name);

/* Stores words without control characters of terminals. */
void campaign_say(struct listed_node *node, const char *words);
/* It has no result, for good. */
void campaign_give_up(struct listed_node *node, const char *words);
/* "interrupted: …" */
bool campaign_interrupted(const struct node_campaign *campaign, struct error *err);
void campaign_show(const struct node_campaign *campaign);

/* The command that starts this node, or with NULL all nodes that wait. To be freed. */
char *campaign_command(const struct node_campaign *campaign, const struct listed_node *one);
