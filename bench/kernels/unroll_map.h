/* SPDX-License-Identifier: BSD-3-Clause
 * One operation over its map: accumulators (or streams) × unroll. A campaign of a single step tries every shape for as
 * long as its budget allows; this is the result. */
#pragma once

#include "plan.h"
#include "run.h"
#include "shapes.h"

#include "asm/kernel.h"

struct unroll_map {
    enum kernel_kind kind;       /* COMPUTE: widths are accumulators, values flop/cycle; MEMORY: streams, bytes/cycle */
    struct unroll_search search; /* rows by width, columns by unroll; values per cycle and core */
    unsigned widths[SEARCH_MAX_SIDE], unrolls[SEARCH_MAX_SIDE];
    unsigned row, column;               /* of the winner: the highest in a full measurement; the shortest of equals */
    unsigned enough_row, enough_column; /* the first width, and its first unroll, close to the winner */
    struct sample winner, reference;    /* the best shape; the best of the program's own kernels */
    struct cost winner_cost;
    uint64_t working_set_bytes; /* as requested; each kernel walks the whole blocks that fit */
    bool settled, complete;     /* the neighbourhood of the best is known; every cell is known */
};

/* Finds the first cell, by width and then by unroll, close to the winner. */
void unroll_map_find_enough(struct unroll_map *map);

/* Measures the plan's only step. Errors: no such operation, no executable memory, a thread cannot be pinned, nothing
 * measured within the budget. */
bool unroll_map_measure(struct bench *bench, const struct plan *plan, double budget_s, struct unroll_map *out,
                        struct error *err);

/* The highest value among the cells of one row; 0 if none is known. */
double unroll_map_row_best(const struct unroll_map *map, unsigned row);
