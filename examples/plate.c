/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate, made faster step by step: the same four sweeps of a seven-point stencil, with the same result, each
 * step a marked region. docs/experiments/steps.md tells what each was bound by. Try carmine app --levels --all -o
 * my.json -- build/examples/plate */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "carmine.h"

enum { X = 128, Y = 250, Z = 640, ROW = X, PLANE = X * Y, SWEEPS = 4, BLOCK = 16 };
static const size_t BYTES = sizeof(double) * PLANE * Z;

/* Sweeps read one and write the other, in turn; the rim keeps its heat. */
struct plate {
    double *grid[2];
};

static inline double cell(const double *in) {
    return in[0] + 0.1 * (in[-1] + in[1] + in[-ROW] + in[ROW] + in[-PLANE] + in[PLANE] - 6 * in[0]);
}

/* An empty assembly in a loop keeps compilers from vectorising it. */
static void row(double *restrict out, const double *restrict in) {
    for (long x = 1; x < X - 1; x++) {
        __asm__ volatile("");
        out[x] = cell(in + x);
    }
}

static void row_of_vectors(double *restrict out, const double *restrict in) {
    for (long x = 1; x < X - 1; x++)
        out[x] = cell(in + x);
}

typedef void row_function(double *restrict, const double *restrict);

/* Rows from..to-1 of one plane in one sweep, as far as they are within the rim. */
static void rows(const struct plate *plate, row_function *sweep_row, long sweep, long z, long from, long to) {
    if (z < 1 || z >= Z - 1)
        return;
    for (long y = from < 1 ? 1 : from; y < to && y < Y - 1; y++) {
        const long at = z * PLANE + y * ROW;
        sweep_row(plate->grid[(sweep + 1) % 2] + at, plate->grid[sweep % 2] + at);
    }
}

/* The innermost loop goes from plane to plane: one element of each line. */
static void by_columns(const struct plate *plate) {
    for (long sweep = 0; sweep < SWEEPS; sweep++) {
        double *out = plate->grid[(sweep + 1) % 2];
        const double *in = plate->grid[sweep % 2];
        for (long x = 1; x < X - 1; x++)
            for (long y = 1; y < Y - 1; y++)
                for (long i = PLANE + y * ROW + x; i < (Z - 1) * PLANE; i += PLANE)
                    out[i] = cell(in + i);
    }
}

static void by_rows(const struct plate *plate) {
    for (long sweep = 0; sweep < SWEEPS; sweep++)
        for (long z = 1; z < Z - 1; z++)
            rows(plate, row, sweep, z, 1, Y - 1);
}

static void in_vectors(const struct plate *plate) {
    for (long sweep = 0; sweep < SWEEPS; sweep++)
        for (long z = 1; z < Z - 1; z++)
            rows(plate, row_of_vectors, sweep, z, 1, Y - 1);
}

/* All sweeps in one pass: each follows two planes behind the one before, on rows that lie one further back. */
static const long FRONTS = Z + 2 * (SWEEPS - 1), BLOCKS = (Y + SWEEPS + BLOCK - 1) / BLOCK;

static void front(const struct plate *plate, long z, long from, long to) {
    for (long sweep = 0; sweep < SWEEPS; sweep++)
        rows(plate, row_of_vectors, sweep, z - 2 * sweep, from - sweep, to - sweep);
}

static void fused(const struct plate *plate) {
    for (long z = 0; z < FRONTS; z++)
        front(plate, z, 0, Y + SWEEPS);
}

static void in_blocks(const struct plate *plate) {
    for (long block = 0; block < BLOCKS; block++)
        for (long z = 0; z < FRONTS; z++)
            front(plate, z, block * BLOCK, (block + 1) * BLOCK);
}

/* A block's front needs that of the block before. */
static void by_threads(const struct plate *plate) {
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (long block = 0; block < BLOCKS; block++)
        for (long z = 0; z < FRONTS; z++) {
#pragma omp ordered depend(sink : block - 1, z)
            front(plate, z, block * BLOCK, (block + 1) * BLOCK);
#pragma omp ordered depend(source)
        }
}

/* As Carmine's kernels have them, so that pages do not matter; where there are none, others do. */
static double *in_huge_pages(size_t bytes) {
    double *grid = aligned_alloc(2 << 20, bytes);
    if (grid)
        madvise(grid, bytes, MADV_HUGEPAGE);
    return grid;
}

static void fill(const struct plate *plate) {
    for (long i = 0; i < (long)PLANE * Z; i++)
        plate->grid[0][i] = (double)(i % 97);
    memcpy(plate->grid[1], plate->grid[0], BYTES);
}

static double sum(const double *grid) {
    double all = 0;
    for (long i = 0; i < (long)PLANE * Z; i++)
        all += grid[i] * (double)(i % 31);
    return all;
}

static const struct {
    const char *name;
    void (*sweep)(const struct plate *plate);
} STEPS[] = {{"1 columns", by_columns}, {"2 rows", by_rows},     {"3 vectors", in_vectors},
             {"4 fused", fused},        {"5 blocks", in_blocks}, {"6 threads", by_threads}};

int main(void) {
    const struct plate plate = {{in_huge_pages(BYTES), in_huge_pages(BYTES)}};
    double first = 0;
    if (!plate.grid[0] || !plate.grid[1])
        return 1;
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        fill(&plate);
        carmine_region_begin(STEPS[i].name);
        STEPS[i].sweep(&plate);
        carmine_region_end(STEPS[i].name);
        const double heat = sum(plate.grid[SWEEPS % 2]);
        first = i == 0 ? heat : first;
        if (heat != first)
            printf("%s: %.17g in place of %.17g\n", STEPS[i].name, heat, first);
    }
    printf("%.17g\n", first);
    free(plate.grid[0]), free(plate.grid[1]);
    return 0;
}
