/* SPDX-License-Identifier: BSD-3-Clause
 * One operation measured over its surface: accumulators (or streams) × unroll, each cell a kernel of its own, assembled
 * when its turn comes. The search says which cells, this measures them, and the best ones again properly. */
#ifndef BENCH_SURFACE_H
#define BENCH_SURFACE_H

#include "../asm/kernel.h"
#include "run.h"
#include "search.h"

struct surface_request {
    const struct isa *isa;
    enum element_type type; /* TYPE_NONE for memory */
    const char *op;
    unsigned threads;
    int core_kind;                  /* index, or TEAM_ANY_KIND */
    uint64_t working_set_bytes;     /* of one thread; 0 for arithmetic */
    bool paced;                     /* by the core clock: registers, L1 and L2 */
    const struct kernel *reference; /* measured in turns with the best cells; NULL: none */
    double until_s;                 /* CLOCK_MONOTONIC: no new cell after that */
};

struct surface {
    enum kernel_kind kind; /* COMPUTE: widths are accumulators, values flop/cycle; MEMORY: streams, bytes/cycle */
    struct search search;  /* rows by width, columns by unroll; values per cycle and core */
    unsigned widths[SEARCH_MAX_SIDE], unrolls[SEARCH_MAX_SIDE];
    unsigned row, column;               /* of the winner: the highest when measured properly, of equals the shortest */
    unsigned enough_row, enough_column; /* the first width, and its first unroll, that come within SURFACE_ENOUGH */
    struct sample winner, reference;    /* 100 repetitions each, in turns */
    struct cost winner_cost;
    uint64_t working_set_bytes; /* as asked for; each kernel walks the whole blocks of its own that fit */
    bool settled, complete;     /* the neighbourhood of the best is known; every cell is */
};

#define SURFACE_ENOUGH 0.01 /* of the winner */

/* Errors: no such operation, no executable memory, a thread cannot be pinned, nothing measured before `until_s`. */
bool surface_measure(struct bench *bench, const struct surface_request *request, struct surface *out,
                     struct error *err);

/* The cells that there are: as many accumulators as registers hold; blocks that fill the buffer, or nearly so. */
void surface_grid(struct surface *out, const struct surface_request *request);

/* Finds the first cell, by width and then by unroll, within SURFACE_ENOUGH of the winner. */
void surface_find_enough(struct surface *surface);

/* The highest value among the cells of one row; 0 when none is known. */
double surface_row_best(const struct surface *surface, unsigned row);

#endif
