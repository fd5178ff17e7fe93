/* SPDX-License-Identifier: BSD-3-Clause
 * Which cells of a map to measure next, given those that are known. Pure: it measures nothing, and no cell twice.
 *
 * First a coarse grid; then everything near the best, which may move on the way; then, while there is time, the gaps by
 * finer and finer grids, so that the map can be seen wherever the search is stopped. */
#ifndef BENCH_KERNELS_UNROLL_SEARCH_H
#define BENCH_KERNELS_UNROLL_SEARCH_H

#include <stdbool.h>

enum { SEARCH_MAX_SIDE = 32 };

struct unroll_search {
    unsigned rows, columns;
    double values[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE]; /* NaN: not measured */
    bool possible[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE]; /* false: there is no such cell */
    unsigned known;                                  /* cells measured */
};

/* All cells are possible until the caller says otherwise. */
void unroll_search_begin(struct unroll_search *search, unsigned rows, unsigned columns);

/* The next cell; false when all possible ones are known. */
bool unroll_search_next(const struct unroll_search *search, unsigned *row, unsigned *column);

/* A value of any finite size; the cell must not be known. */
void unroll_search_put(struct unroll_search *search, unsigned row, unsigned column, double value);

/* The highest cell; false when none is known. */
bool unroll_search_best(const struct unroll_search *search, unsigned *row, unsigned *column);

/* Whether the coarse grid and the whole neighbourhood of the best are known: what comes later only completes the
 * picture. */
bool unroll_search_settled(const struct unroll_search *search);

/* The highest `most` cells that lie within `share` of the best, highest first; returns how many. */
struct unroll_search_cell {
    unsigned row, column;
    double value;
};
unsigned unroll_search_top(const struct unroll_search *search, double share, unsigned most,
                           struct unroll_search_cell *out);

#endif
