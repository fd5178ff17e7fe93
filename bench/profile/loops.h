/* SPDX-License-Identifier: BSD-3-Clause
 * The natural loops of the executed code. A loop is entered through its header alone, and each of its pieces has a path
 * back to the header. Loops with the same header are one loop. Cycles with several entries (irreducible) are not loops
 * here; they are counted. */
#pragma once

#include "code_graph.h"

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
