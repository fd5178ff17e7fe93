/* SPDX-License-Identifier: BSD-3-Clause
 * Which cells a surface has, and what can be read from their values (see surface.h). Pure. */
#include "surface.h"

#include <math.h>

#include "../asm/assemble.h"

enum { UNROLL_MAX = 19, ACCUMULATORS_MAX = 28 };
static const unsigned MEMORY_UNROLLS[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};

/* A kernel walks whole blocks. Where these leave much of the buffer out, its number would be one of another working set
 * (seen in L1: 2ld1st reaches 192 bytes/cycle over up to 8 KiB, and 181 beyond). */
static bool is_possible(const struct surface_request *request, const struct recipe *recipe) {
    uint64_t buffer = request->working_set_bytes, block = assemble_block_bytes(recipe);
    return assemble_fits(recipe) && (block == 0 || buffer / block * block >= buffer - buffer / 8);
}

void surface_grid(struct surface *out, const struct surface_request *request) {
    bool memory = out->kind == KERNEL_MEMORY;
    unsigned rows = assemble_width_max(request->isa, request->op), last = 0;
    unsigned columns = memory ? sizeof MEMORY_UNROLLS / sizeof *MEMORY_UNROLLS : UNROLL_MAX;
    rows = rows > ACCUMULATORS_MAX ? ACCUMULATORS_MAX : rows;
    search_begin(&out->search, rows, columns);
    for (unsigned r = 0; r < rows; r++)
        out->widths[r] = r + 1;
    for (unsigned c = 0; c < columns; c++)
        out->unrolls[c] = memory ? MEMORY_UNROLLS[c] : c + 1;
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++) {
            const struct recipe recipe = {request->isa, request->type, request->op, out->widths[r], out->unrolls[c]};
            out->search.possible[r][c] = is_possible(request, &recipe);
            last = out->search.possible[r][c] && c > last ? c : last;
        }
    out->search.columns = last + 1; /* beyond it no column has a cell */
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
