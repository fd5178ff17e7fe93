/* SPDX-License-Identifier: BSD-3-Clause
 * The natural loops of the code that ran: a loop has one header, through which alone it is entered, and from each of
 * its pieces a way leads back there. Loops with one header are one. What goes round and has several entries
 * (irreducible) is no loop here, and is counted. */
#ifndef BENCH_PROFILE_LOOPS_H
#define BENCH_PROFILE_LOOPS_H

#include "code_graph.h"

#define LOOP_NONE UINT32_MAX

struct natural_loop {
    uint32_t header;     /* piece */
    uint32_t parent;     /* the loop that it is in; LOOP_NONE */
    unsigned depth;      /* 1: it is in none */
    uint64_t iterations; /* executions of its header: of a loop that asks at its top, one more than of its body */
    uint64_t entries;
    bool entries_known; /* whether the counts of its pieces determine them */
};
struct natural_loops {
    size_t count;
    struct natural_loop *loops; /* none before the one that it is in */
    uint32_t *innermost;        /* of each piece; LOOP_NONE */
    size_t irreducible_count;   /* ways back that make no loop */
    uint64_t irreducible_turns; /* executions of what these lead to */
};

/* `contradicts`: of each piece, as edge_counts_find() left it with the edges. */
void loops_find(const struct code_graph *graph, const bool *contradicts, struct natural_loops *out);
void loops_free(struct natural_loops *loops);

/* Whether the piece is in the loop, or in one within it. */
bool loops_contain(const struct natural_loops *loops, uint32_t loop, uint32_t piece);

#endif
