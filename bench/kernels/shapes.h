/* SPDX-License-Identifier: BSD-3-Clause
 * The shapes of one operation: accumulators (or streams) × unroll, what is known of each, and the search for the best.
 * Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "asm/kernel.h"

/* A search over a map: chooses the next cell from the known values, and no cell twice. It measures nothing.
 *
 * First it takes a coarse grid, then everything near the best (which may move meanwhile), then the gaps by finer and
 * finer grids. So the map is readable wherever the search stops. */

enum { SEARCH_MAX_SIDE = 32 };

struct unroll_search {
    unsigned rows, columns;
    double values[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE]; /* NaN: not measured */
    bool possible[SEARCH_MAX_SIDE][SEARCH_MAX_SIDE]; /* false: the cell does not exist */
    unsigned known;                                  /* cells measured */
};

/* All cells are possible until the caller excludes some. */
void unroll_search_begin(struct unroll_search *search, unsigned rows, unsigned columns);

/* The next cell; false if all possible ones are known. */
bool unroll_search_next(const struct unroll_search *search, unsigned *row, unsigned *column);

/* Stores any finite value; the cell must be unknown. */
void unroll_search_put(struct unroll_search *search, unsigned row, unsigned column, double value);

/* The highest cell; false if none is known. */
bool unroll_search_best(const struct unroll_search *search, unsigned *row, unsigned *column);

/* The coarse grid and the whole neighbourhood of the best are known: later cells only complete the picture. */
bool unroll_search_settled(const struct unroll_search *search);

/* The cells within `share` of the best, highest first, at most `most`; returns their number. */
struct unroll_search_cell {
    unsigned row, column;
    double value;
};

unsigned unroll_search_top(const struct unroll_search *search, double share, unsigned most,
                           struct unroll_search_cell *out);

struct shapes {
    enum kernel_kind kind;       /* COMPUTE: widths are accumulators; MEMORY: streams */
    struct unroll_search search; /* rows by width, columns by unroll; values are the campaign's merits */
    unsigned widths[SEARCH_MAX_SIDE], unrolls[SEARCH_MAX_SIDE];
};

/* Whether this kernel's operation can be assembled in shapes. */
bool shapes_exist(const struct kernel *kernel);

/* Prepares the possible shapes: as many accumulators as registers allow, and blocks that nearly fill the buffer. */
void shapes_begin(struct shapes *out, const struct kernel *kernel, uint64_t working_set_bytes);

/* Whether a shape of the kernel's operation is possible in a buffer of this size: it may not leave out much of the
 * buffer. */
bool shapes_fit(const struct kernel *kernel, unsigned width, unsigned unroll, uint64_t working_set_bytes);

/* The position of a shape in the grid; false if it has none. */
bool shapes_find(const struct shapes *shapes, unsigned width, unsigned unroll, unsigned *row, unsigned *column);

/* Whether a value differs from its neighbours, or is far above the best: then it needs a second look. If the clock
 * moves between a repetition and its reading, a value may be a quarter too high (seen: 40 instead of 32 flop/cycle in 2
 * of 532 shapes). */
bool shapes_out_of_line(const struct shapes *shapes, unsigned row, unsigned column);

/* The shapes worth a full measurement, sorted by length: the highest within 1 % of the best, and the shortest among
 * these, since on a plateau the height means little. Writes at most `most`; returns their number. */
size_t shapes_finalists(const struct shapes *shapes, struct unroll_search_cell *out, size_t most);
