/* SPDX-License-Identifier: BSD-3-Clause
 * Accumulators (or streams) × unroll (see shapes.h). */
#include "shapes.h"

#include <math.h>

#include "asm/assemble.h"

enum { UNROLL_MAX = 19, ACCUMULATORS_MAX = 28 };
static const unsigned MEMORY_UNROLLS[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
static const double LINE_SHARE = 0.02, FINAL_SHARE = 0.01;

/* A kernel walks whole blocks. Where these leave much of the buffer out, its number would be one of another working set
 * (seen in L1: 2ld1st reaches 192 bytes/cycle over up to 8 KiB, and 181 beyond). */
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
    out->search.columns = last + 1; /* beyond it no column has a cell */
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
        differs = differs || fabs(value / beside[i] - 1) > LINE_SHARE; /* never of NaN */
    bool alone_on_top = search->known > 1; /* the highest by far is a misreading more often than not */
    for (unsigned r = 0; r < search->rows && alone_on_top; r++)
        for (unsigned c = 0; c < search->columns && alone_on_top; c++)
            alone_on_top = (r == row && c == column) || !(search->values[r][c] * (1 + LINE_SHARE) >= value);
    return differs || alone_on_top;
}

static unsigned length_of(const struct shapes *shapes, const struct unroll_search_cell *cell) {
    return shapes->widths[cell->row] * shapes->unrolls[cell->column];
}

size_t shapes_finalists(const struct shapes *shapes, struct unroll_search_cell *out, size_t most) {
    struct unroll_search_cell top[SEARCH_MAX_SIDE * SEARCH_MAX_SIDE];
    const size_t count = unroll_search_top(&shapes->search, FINAL_SHARE, sizeof top / sizeof *top, top);
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
