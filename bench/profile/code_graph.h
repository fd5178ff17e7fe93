/* SPDX-License-Identifier: BSD-3-Clause
 * The executed code as a graph: pieces that do not overlap, with their execution counts, and the edges between them.
 * Blocks of a dump do overlap: the first pass through a loop is part of the block that leads into it. So each block is
 * cut where another one begins. This also gives the count of each edge within a block. */
#pragma once

#include <stdbool.h>

#include "profile_cost.h"

/* The blocks of a dump, their properties that matter to loops, and where their last instructions lead. Blocks may
 * overlap: when a branch leads into the middle of a block, the rest is a block of its own. */

enum { FLOW_WAYS = 2 }; /* successors of a block */

#define FLOW_NOWHERE ((size_t)-1)
struct flow_block {
    uint64_t address, end; /* end: after its last instruction */
    size_t block;          /* index in the dump */
    uint32_t object;
    uint64_t executions;
    size_t next[FLOW_WAYS]; /* successors: the next block, and its jump's target; FLOW_NOWHERE */
    size_t calls;           /* block called at its end; FLOW_NOWHERE */
    enum flow leaves;       /* where its last instruction leads */
    bool pauses;
    bool returns;       /* or leads to an unknown place */
    bool jumps_unknown; /* of these, by a jump through a register or memory */
    bool calls_unknown; /* calls through a register or memory */
    bool calls_any;
    bool innocent; /* no computation, and no store that others could see */
};

struct code_flow {
    size_t count;
    struct flow_block *blocks; /* by rising address */
};

/* For a checked dump and its code. Code that does not decode leaves its function. */
void flow_build(const struct dump *dump, const struct code_block *code, struct code_flow *out);

void flow_free(struct code_flow *flow);

struct graph_piece {
    uint64_t address;
    uint32_t object, function; /* in the code's cost; a function includes its cold part */
    uint64_t executions;
    bool starts;        /* a function may begin here */
    bool entered_apart; /* it may have been entered without an edge, an unknown number of times */
    bool left_apart;    /* it may have been left without an edge: calls that may not return, returns, jumps through
                           registers */
};
struct graph_edge {
    uint32_t from, to; /* indices of pieces */
    uint64_t count;    /* executions, if known */
    bool known;
};
struct code_graph {
    size_t piece_count, edge_count;
    struct graph_piece *pieces; /* by rising address */
    struct graph_edge *edges;   /* by `from`, then `to`; each pair once */
};

/* `steps`: by counter of the dump. */
void code_graph_build(const struct dump *dump, const struct code_cost *cost, const uint64_t *steps,
                      struct code_graph *out);
void code_graph_free(struct code_graph *graph);

#define GRAPH_NO_PIECE UINT32_MAX
/* The piece that begins at an address of the object; GRAPH_NO_PIECE. */
uint32_t code_graph_find(const struct code_graph *graph, uint32_t object, uint64_t address);
/* Likewise, for a series of rising addresses: the search begins at piece `*from`, which must not be beyond the address,
 * and advances it. */
uint32_t code_graph_find_behind(const struct code_graph *graph, uint32_t *from, uint32_t object, uint64_t address);

/* How often each edge was taken, if the counts of the pieces determine it: as much leaves a piece as enters it. */

/* Sets `count` and `known` of the edges. `contradicts` must be all false before. It becomes true for each piece whose
 * connected counts do not add up because something unseen entered or left (longjmp, exceptions, a case of a `switch`).
 * Then none of its edges is reliable. */
void edge_counts_find(struct code_graph *graph, bool *contradicts);

/* The natural loops of the executed code. A loop is entered through its header alone, and each of its pieces has a path
 * back to the header. Loops with the same header are one loop. Cycles with several entries (irreducible) are not loops
 * here; they are counted. */

#define LOOP_NONE UINT32_MAX

struct natural_loop {
    uint32_t header;     /* index of its first piece */
    uint32_t parent;     /* index of the enclosing loop; LOOP_NONE */
    unsigned depth;      /* 1: outermost */
    uint64_t iterations; /* executions of its header: if the loop tests at its top, one more than its body per entry */
    uint64_t entries;
    bool entries_known; /* the counts of the pieces determine them */
};
struct natural_loops {
    size_t count;
    struct natural_loop *loops; /* outer loops first */
    uint32_t *innermost;        /* by piece; LOOP_NONE */
    size_t irreducible_count;   /* back edges that make no loop */
    uint64_t irreducible_turns; /* executions of their targets */
};

/* `contradicts`: by piece, from edge_counts_find(). */
void loops_find(const struct code_graph *graph, const bool *contradicts, struct natural_loops *out);
void loops_free(struct natural_loops *loops);

/* Whether the piece is in the loop or in an inner one. */
bool loops_contain(const struct natural_loops *loops, uint32_t loop, uint32_t piece);

/* The blocks of a program that only wait for another thread: loops around `pause`, as in the C library's locks and in
 * the OpenMP runtimes' barriers. Their number of iterations is chance, and none of it is the program's work. */

/* Sets `waits` for each block of a checked dump; all must be false before. A block waits if it pauses, or if it lies on
 * a path from a pausing block back to it, and nothing on this path computes or stores to visible memory. */
void waiting_find(const struct dump *dump, const struct code_block *code, bool *waits);
