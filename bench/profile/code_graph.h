/* SPDX-License-Identifier: BSD-3-Clause
 * The code that ran as a graph: pieces that do not overlap, each with how often it ran, and the ways between them.
 * Blocks of a dump do overlap: the first passage of a loop is part of the block that leads into it. So they are cut
 * wherever another one begins, which also tells how often one piece was followed by the next. */
#ifndef BENCH_PROFILE_CODE_GRAPH_H
#define BENCH_PROFILE_CODE_GRAPH_H

#include <stdbool.h>

#include "code_instructions.h"
#include "profile_cost.h"

/* How a program's blocks led to each other: each block of a dump, what it does as far as loops are concerned, and where
 * its last instruction leads. Blocks may overlap: where a branch leads into the middle of one, the rest of it is a
 * block of its own. */

enum { FLOW_WAYS = 2 }; /* on from a block */

#define FLOW_NOWHERE ((size_t)-1)
struct flow_block {
    uint64_t address, end; /* end: behind its last instruction */
    size_t block;          /* of the dump */
    uint32_t object;
    uint64_t executions;
    size_t next[FLOW_WAYS]; /* blocks that it leads to: the one behind it, and by its jump; FLOW_NOWHERE */
    size_t calls;           /* the block that it calls at its end; FLOW_NOWHERE */
    enum flow leaves;       /* where its last instruction leads */
    bool pauses;
    bool returns;       /* or leads where nobody knows */
    bool jumps_unknown; /* of these, by a jump through a register or memory */
    bool calls_unknown; /* through a register or memory */
    bool calls_any;
    bool innocent; /* it neither computes nor stores where others see it */
};

struct code_flow {
    size_t count;
    struct flow_block *blocks; /* by rising address */
};

/* Of a dump that was checked, and of its code. Code that does not decode leads away. */
void flow_build(const struct dump *dump, const struct code_block *code, struct code_flow *out);

void flow_free(struct code_flow *flow);

/* The first block at or behind the address; `count` where there is none. */
size_t flow_from(const struct code_flow *flow, uint64_t address);

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

/* How often each way between pieces of code was taken, where the pieces' own counts determine it: what enters a piece
 * leaves it again. */

/* Sets `count` and `known` of edges. `contradicts`, all false to begin with, gets of each piece whether the counts
 * around it, as far as ways lead, do not add up, as where something unseen entered or left (longjmp, exceptions, a case
 * of a `switch`): then none of its edges is to be believed. */
void edge_counts_find(struct code_graph *graph, bool *contradicts);

#endif
