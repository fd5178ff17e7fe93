/* SPDX-License-Identifier: BSD-3-Clause
 * The shapes that one operation can have: accumulators (or streams) × unroll, and what is known of each. Pure. */
#ifndef BENCH_KERNELS_SHAPES_H
#define BENCH_KERNELS_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/kernel.h"

/* Which cells of a map to measure next, given those that are known. Pure: it measures nothing, and no cell twice.
 *
 * First a coarse grid; then everything near the best, which may move on the way; then, while there is time, the gaps by
 * finer and finer grids, so that the map can be seen wherever the search is stopped. */

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

struct shapes {
    enum kernel_kind kind;       /* COMPUTE: widths are accumulators; MEMORY: streams */
    struct unroll_search search; /* rows by width, columns by unroll; values are what the campaign calls merit */
    unsigned widths[SEARCH_MAX_SIDE], unrolls[SEARCH_MAX_SIDE];
};

/* Whether the operation of this kernel can be assembled in shapes. */
bool shapes_exist(const struct kernel *kernel);

/* The shapes that there are: as many accumulators as registers hold; blocks that fill the buffer, or nearly so. */
void shapes_begin(struct shapes *out, const struct kernel *kernel, uint64_t working_set_bytes);

/* Whether a kernel's operation has this shape in a buffer of so many bytes: one that leaves much of it out has not. */
bool shapes_fit(const struct kernel *kernel, unsigned width, unsigned unroll, uint64_t working_set_bytes);

/* Where a shape stands in the grid; false where it has no place. */
bool shapes_find(const struct shapes *shapes, unsigned width, unsigned unroll, unsigned *row, unsigned *column);

/* Whether a value differs from what is known beside it, or is far above the best: then it is worth a second look. Where
 * a core's clock moves between a repetition and its reading, some read a quarter too high (seen: 40 instead of 32
 * flop/cycle in 2 of 532 shapes). */
bool shapes_out_of_line(const struct shapes *shapes, unsigned row, unsigned column);

/* The shapes worth a proper measurement: the highest within 1 % of the best, and the shortest among these, since on a
 * plateau height says little. At most `most`, the shortest first; returns how many. */
size_t shapes_finalists(const struct shapes *shapes, struct unroll_search_cell *out, size_t most);

#endif
