/* SPDX-License-Identifier: BSD-3-Clause
 * Which cells of a surface to measure next, given those that are known. Pure: it measures nothing, and no cell twice.
 *
 * First a coarse grid; then everything near the best, which may move on the way; then, while there is time, the gaps by
 * finer and finer grids, so that the surface can be seen wherever the search is stopped. */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include <stdbool.h>

enum { SEARCH_MAX_SIDE = 32 };

struct search {
    unsigned rows, columns;
    double values[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE]; /* NaN: not measured */
    bool possible[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE]; /* false: there is no such cell */
    unsigned known;                                  /* cells measured */
};

/* All cells are possible until the caller says otherwise. */
void search_begin(struct search *search, unsigned rows, unsigned columns);

/* The next cell; false when all possible ones are known. */
bool search_next(const struct search *search, unsigned *row, unsigned *column);

/* A value of any finite size; the cell must not be known. */
void search_put(struct search *search, unsigned row, unsigned column, double value);

/* The highest cell; false when none is known. */
bool search_best(const struct search *search, unsigned *row, unsigned *column);

/* Whether the coarse grid and the whole neighbourhood of the best are known: what comes later only completes the
 * picture. */
bool search_settled(const struct search *search);

/* The highest `most` cells that lie within `share` of the best, highest first; returns how many. */
struct search_cell {
    unsigned row, column;
    double value;
};
unsigned search_top(const struct search *search, double share, unsigned most, struct search_cell *out);

#endif
