/* SPDX-License-Identifier: BSD-3-Clause
 * The strategy (see unroll_search.h). It keeps no state beside the known values: the next cell follows from these
 * alone. */
#include "unroll_search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells that far from the best are its neighbourhood. Two, because maps are saw-toothed: what divides evenly does
 * better than what lies beside it. */
enum { NEIGHBOURHOOD = 2, COARSE = 4 };

void unroll_search_begin(struct unroll_search *search, unsigned rows, unsigned columns) {
    assert(rows >= 1 && rows <= SEARCH_MAX_SIDE && columns >= 1 && columns <= SEARCH_MAX_SIDE);
    search->rows = rows;
    search->columns = columns;
    search->known = 0;
    for (unsigned r = 0; r < SEARCH_MAX_SIDE; r++)
        for (unsigned c = 0; c < SEARCH_MAX_SIDE; c++) {
            search->values[r][c] = NAN;
            search->possible[r][c] = r < rows && c < columns;
        }
}

static bool open_cell(const struct unroll_search *search, unsigned row, unsigned column) {
    return search->possible[row][column] && isnan(search->values[row][column]);
}

/* The first open cell of a grid that has a line every `stride` cells, and at the far edges. */
static bool next_of_grid(const struct unroll_search *search, unsigned stride, unsigned *row, unsigned *column) {
    for (unsigned r = 0; r < search->rows; r++)
        for (unsigned c = 0; c < search->columns; c++)
            if ((r % stride == 0 || r + 1 == search->rows) && (c % stride == 0 || c + 1 == search->columns) &&
                open_cell(search, r, c)) {
                *row = r;
                *column = c;
                return true;
            }
    return false;
}

static unsigned distance(unsigned a, unsigned b) {
    return a > b ? a - b : b - a;
}

/* The open cell nearest to the best within its neighbourhood. */
static bool next_near_best(const struct unroll_search *search, unsigned *row, unsigned *column) {
    unsigned best_row, best_column, nearest = 2 * NEIGHBOURHOOD * NEIGHBOURHOOD + 1;
    if (!unroll_search_best(search, &best_row, &best_column))
        return false;
    bool found = false;
    for (unsigned r = 0; r < search->rows; r++)
        for (unsigned c = 0; c < search->columns; c++) {
            unsigned dr = distance(r, best_row), dc = distance(c, best_column);
            if (dr <= NEIGHBOURHOOD && dc <= NEIGHBOURHOOD && dr * dr + dc * dc < nearest && open_cell(search, r, c)) {
                nearest = dr * dr + dc * dc;
                *row = r;
                *column = c;
                found = true;
            }
        }
    return found;
}

bool unroll_search_next(const struct unroll_search *search, unsigned *row, unsigned *column) {
    if (next_of_grid(search, COARSE, row, column) || next_near_best(search, row, column))
        return true;
    for (unsigned stride = COARSE / 2; stride >= 1; stride /= 2)
        if (next_of_grid(search, stride, row, column))
            return true;
    return false;
}

void unroll_search_put(struct unroll_search *search, unsigned row, unsigned column, double value) {
    assert(open_cell(search, row, column) && isfinite(value));
    search->values[row][column] = value;
    search->known++;
}

bool unroll_search_best(const struct unroll_search *search, unsigned *row, unsigned *column) {
    struct unroll_search_cell best;
    if (unroll_search_top(search, 1, 1, &best) == 0)
        return false;
    *row = best.row;
    *column = best.column;
    return true;
}

bool unroll_search_settled(const struct unroll_search *search) {
    unsigned row, column;
    return search->known > 0 && !next_of_grid(search, COARSE, &row, &column) && !next_near_best(search, &row, &column);
}

static int higher_first(const void *a, const void *b) {
    const struct unroll_search_cell *p = a, *q = b;
    if (p->value != q->value)
        return p->value > q->value ? -1 : 1;
    return p->row != q->row ? (p->row < q->row ? -1 : 1) : (p->column > q->column) - (p->column < q->column);
}

unsigned unroll_search_top(const struct unroll_search *search, double share, unsigned most,
                           struct unroll_search_cell *out) {
    struct unroll_search_cell cells[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    unsigned count = 0, taken = 0;
    for (unsigned r = 0; r < search->rows; r++)
        for (unsigned c = 0; c < search->columns; c++)
            if (!isnan(search->values[r][c]))
                cells[count++] = (struct unroll_search_cell){r, c, search->values[r][c]};
    qsort(cells, count, sizeof *cells, higher_first);
    while (taken < count && taken < most && cells[taken].value >= cells[0].value * (1 - share)) {
        out[taken] = cells[taken];
        taken++;
    }
    return taken;
}
