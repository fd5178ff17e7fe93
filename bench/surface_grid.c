/* SPDX-License-Identifier: BSD-3-Clause
 * Which cells a surface has, and what can be read from their values (see surface.h). Pure. */
#include "surface.h"

#include <math.h>

#include "../asm/assemble.h"

enum { UNROLL_MAX = 19, ACCUMULATORS_MAX = 28 };
static const unsigned MEMORY_UNROLLS[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};

static bool is_possible(const struct surface_request *request, const struct recipe *recipe) {
    return assemble_fits(recipe) && assemble_block_bytes(recipe) <= request->working_set_bytes;
}

void surface_grid(struct surface *out, const struct surface_request *request) {
    unsigned rows = assemble_width_max(request->isa, request->op), columns = UNROLL_MAX;
    rows = rows > ACCUMULATORS_MAX ? ACCUMULATORS_MAX : rows;
    if (out->kind == KERNEL_MEMORY) { /* only columns that have a cell: one stream whose block fits the buffer */
        columns = 1;
        while (columns < sizeof MEMORY_UNROLLS / sizeof *MEMORY_UNROLLS &&
               is_possible(request,
                           &(struct recipe){request->isa, request->type, request->op, 1, MEMORY_UNROLLS[columns]}))
            columns++;
    }
    search_begin(&out->search, rows, columns);
    for (unsigned r = 0; r < rows; r++)
        out->widths[r] = r + 1;
    for (unsigned c = 0; c < columns; c++)
        out->unrolls[c] = out->kind == KERNEL_MEMORY ? MEMORY_UNROLLS[c] : c + 1;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++)
            out->search.possible[r][c] = is_possible(
                request, &(struct recipe){request->isa, request->type, request->op, out->widths[r], out->unrolls[c]});
}

double surface_row_best(const struct surface *surface, unsigned row) {
    double best = 0;
    for (unsigned c = 0; c < surface->search.columns; c++)
        best = fmax(best, surface->search.values[row][c]); /* NaN loses */
    return best;
}

void surface_find_enough(struct surface *surface) {
    double enough = surface->winner.per_cycle * (1 - SURFACE_ENOUGH);
    for (unsigned r = 0; r < surface->search.rows; r++)
        for (unsigned c = 0; c < surface->search.columns; c++)
            if (surface->search.values[r][c] >= enough) {
                surface->enough_row = r;
                surface->enough_column = c;
                return;
            }
    surface->enough_row = surface->row;
    surface->enough_column = surface->column;
}
