/* SPDX-License-Identifier: BSD-3-Clause
 * The grid of an operation's shapes, and the search for the best. */
#include "shapes.h"
#include "campaign_thresholds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asm/assemble.h"

enum { UNROLL_MAX = 19, ACCUMULATORS_MAX = 28 };
static const unsigned MEMORY_UNROLLS[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
static const struct campaign_thresholds *const THRESHOLD = &campaign_thresholds;

/* A kernel walks whole blocks. If they leave out much of the buffer, the number belongs to another working set (seen in
 * L1: 2ld1st reaches 192 bytes/cycle over up to 8 KiB, and 181 beyond). */
bool shapes_fit(const struct kernel *kernel, unsigned width, unsigned unroll, uint64_t working_set_bytes) {
    const struct recipe recipe = {kernel->isa, kernel->type, kernel->op, width, unroll, {0}};
    const uint64_t block = assemble_block_bytes(&recipe);
    return assemble_fits(&recipe) &&
           (block == 0 || working_set_bytes / block * block >= working_set_bytes - working_set_bytes / 8);
}

bool shapes_exist(const struct kernel *kernel) {
    enum kernel_kind kind;
    bool typed = kernel->kind == KERNEL_COMPUTE;
    return kernel->isa && (typed || kernel->kind == KERNEL_MEMORY) && (!typed || kernel->type <= TYPE_F32) &&
           assemble_knows(kernel->isa, kernel->op, &kind) && kind == kernel->kind;
}

void shapes_begin(struct shapes *out, const struct kernel *kernel, uint64_t working_set_bytes) {
    *out = (struct shapes){.kind = kernel->kind};
    bool memory = kernel->kind == KERNEL_MEMORY;
    unsigned rows = assemble_width_max(kernel->isa, kernel->op), last = 0;
    unsigned columns = memory ? sizeof MEMORY_UNROLLS / sizeof *MEMORY_UNROLLS : UNROLL_MAX;
    rows = rows > ACCUMULATORS_MAX ? ACCUMULATORS_MAX : rows;
    unroll_search_begin(&out->search, rows, columns);
    for (unsigned r = 0; r < rows; r++)
        out->widths[r] = r + 1;
    for (unsigned c = 0; c < columns; c++)
        out->unrolls[c] = memory ? MEMORY_UNROLLS[c] : c + 1;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++) {
            out->search.possible[r][c] = shapes_fit(kernel, out->widths[r], out->unrolls[c], working_set_bytes);
            last = out->search.possible[r][c] && c > last ? c : last;
        }
    out->search.columns = last + 1; /* no column beyond it has a cell */
}

bool shapes_find(const struct shapes *shapes, unsigned width, unsigned unroll, unsigned *row, unsigned *column) {
    for (unsigned r = 0; r < shapes->search.rows; r++)
        for (unsigned c = 0; c < shapes->search.columns; c++)
            if (shapes->widths[r] == width && shapes->unrolls[c] == unroll && shapes->search.possible[r][c]) {
                *row = r;
                *column = c;
                return true;
            }
    return false;
}

bool shapes_out_of_line(const struct shapes *shapes, unsigned row, unsigned column) {
    const struct unroll_search *search = &shapes->search;
    const double value = search->values[row][column];
    const double beside[] = {column > 0 ? search->values[row][column - 1] : NAN,
                             column + 1 < search->columns ? search->values[row][column + 1] : NAN};
    bool differs = false;
    for (size_t i = 0; i < 2; i++)
        differs = differs || fabs(value / beside[i] - 1) > THRESHOLD->shape_line.value; /* never true for NaN */
    bool alone_on_top = search->known > 1; /* a value far above all others is usually a misreading */
    for (unsigned r = 0; r < search->rows && alone_on_top; r++)
        for (unsigned c = 0; c < search->columns && alone_on_top; c++)
            alone_on_top =
                (r == row && c == column) || !(search->values[r][c] * (1 + THRESHOLD->shape_line.value) >= value);
    return differs || alone_on_top;
}

static unsigned length_of(const struct shapes *shapes, const struct unroll_search_cell *cell) {
    return shapes->widths[cell->row] * shapes->unrolls[cell->column];
}

size_t shapes_finalists(const struct shapes *shapes, struct unroll_search_cell *out, size_t most) {
    struct unroll_search_cell top[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    const size_t count =
        unroll_search_top(&shapes->search, THRESHOLD->shape_final.value, sizeof top / sizeof *top, top);
    size_t chosen = 0;
    for (; chosen < count && chosen < (most + 1) / 2; chosen++)
        out[chosen] = top[chosen];
    while (chosen < most && chosen < count) {
        unsigned best = UINT32_MAX;
        size_t at = 0;
        for (size_t i = 0; i < count; i++) {
            unsigned length = length_of(shapes, &top[i]);
            bool taken = false;
            for (size_t k = 0; k < chosen; k++)
                taken = taken || (out[k].row == top[i].row && out[k].column == top[i].column);
            if (!taken && length < best) {
                best = length;
                at = i;
            }
        }
        out[chosen++] = top[at];
    }
    for (size_t i = 1; i < chosen; i++)
        for (size_t k = i; k > 0 && length_of(shapes, &out[k]) < length_of(shapes, &out[k - 1]); k--) {
            const struct unroll_search_cell swapped = out[k];
            out[k] = out[k - 1];
            out[k - 1] = swapped;
        }
    return chosen;
}

/* The search has no state except the known values, which determine the next cell. */

/* Cells within this distance of the best are its neighbourhood. Two, because maps are saw-toothed: numbers that divide
 * evenly are faster than their neighbours. */
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

/* The first open cell of a grid with a line every `stride` cells and at the far edges. */
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
