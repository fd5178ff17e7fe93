/* SPDX-License-Identifier: BSD-3-Clause
 * The code that ran as a graph: pieces that do not overlap, each with how often it ran, and the ways between them.
 * Blocks of a dump do overlap: the first passage of a loop is part of the block that leads into it. So they are cut
 * wherever another one begins, which also tells how often one piece was followed by the next. */
#ifndef BENCH_PROFILE_CODE_GRAPH_H
#define BENCH_PROFILE_CODE_GRAPH_H

#include "flow.h"
#include "profile_cost.h"

struct graph_piece {
    uint64_t address;
    uint32_t object, function; /* of the code's cost; what a compiler laid apart as cold belongs to its function */
    uint64_t executions;
    bool starts;        /* its function may begin here */
    bool entered_apart; /* it may have been entered otherwise than by an edge, nobody knows how often */
    bool left_apart;    /* likewise, left: calls that may not return, returns, jumps through registers */
};
struct graph_edge {
    uint32_t from, to; /* pieces */
    uint64_t count;    /* how often it was taken, where that is known */
    bool known;
};
struct code_graph {
    size_t piece_count, edge_count;
    struct graph_piece *pieces; /* by rising address */
    struct graph_edge *edges;   /* by `from`, then `to`, each pair once */
};

/* `steps`: of each counter of the dump. */
void code_graph_build(const struct dump *dump, const struct code_cost *cost, const uint64_t *steps,
                      struct code_graph *out);
void code_graph_free(struct code_graph *graph);

#define GRAPH_NO_PIECE UINT32_MAX
/* The piece that begins at an address of the object; GRAPH_NO_PIECE. */
uint32_t code_graph_find(const struct code_graph *graph, uint32_t object, uint64_t address);
/* The same of addresses that rise: looks from a piece on that is not behind the address, and moves it on. */
uint32_t code_graph_find_behind(const struct code_graph *graph, uint32_t *from, uint32_t object, uint64_t address);

#endif
