/* SPDX-License-Identifier: BSD-3-Clause
 * Four stages of the kind that programs consist of, each a marked region: a stream through memory, a stencil, a matrix
 * product as one writes it down, and the same product in tiles that stay in registers. Try
 *     carmine app -o my.json --plot my.svg -- build/examples/stages */
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"

enum { STREAM = 8 << 20, CUBE = 192, MATRIX = 768, TILE_ROWS = 6, TILE_COLUMNS = 32 };

static void triad(double *restrict a, const double *restrict b, const double *restrict c, double s) {
    for (long i = 0; i < STREAM; i++)
        a[i] = b[i] + s * c[i];
}

/* The mean of the six neighbours. */
static void stencil(double *restrict out, const double *restrict in) {
    const long row = CUBE, plane = (long)CUBE * CUBE;
    for (long z = 1; z < CUBE - 1; z++)
        for (long y = 1; y < CUBE - 1; y++) {
            const long from = z * plane + y * row;
            for (long i = from + 1; i < from + CUBE - 1; i++)
                out[i] = (in[i - 1] + in[i + 1] + in[i - row] + in[i + row] + in[i - plane] + in[i + plane]) * (1. / 6);
        }
}

static void matmul(double *restrict c, const double *restrict a, const double *restrict b) {
    for (long i = 0; i < MATRIX; i++)
        for (long k = 0; k < MATRIX; k++)
            for (long j = 0; j < MATRIX; j++)
                c[i * MATRIX + j] += a[i * MATRIX + k] * b[k * MATRIX + j];
}

/* One tile of c: its sums stay in registers. */
static void tile(double *restrict c, const double *restrict a, const double *restrict b) {
    double sum[TILE_ROWS][TILE_COLUMNS] = {{0}};
    for (long k = 0; k < MATRIX; k++)
        for (long i = 0; i < TILE_ROWS; i++)
            for (long j = 0; j < TILE_COLUMNS; j++)
                sum[i][j] += a[i * MATRIX + k] * b[k * MATRIX + j];
    for (long i = 0; i < TILE_ROWS; i++)
        for (long j = 0; j < TILE_COLUMNS; j++)
            c[i * MATRIX + j] += sum[i][j];
}

static void matmul_tiled(double *restrict c, const double *restrict a, const double *restrict b) {
    for (long j = 0; j < MATRIX; j += TILE_COLUMNS)
        for (long i = 0; i < MATRIX; i += TILE_ROWS)
            tile(c + i * MATRIX + j, a + i * MATRIX, b + j);
}

int main(void) {
    const size_t bytes = STREAM * sizeof(double);
    double *a = aligned_alloc(64, bytes), *b = aligned_alloc(64, bytes), *c = aligned_alloc(64, bytes);
    if (!a || !b || !c)
        return 1;
    for (long i = 0; i < STREAM; i++)
        a[i] = 0, b[i] = 1, c[i] = 2;

    carmine_region_begin("triad");
    for (int i = 0; i < 3; i++)
        triad(a, b, c, 0.5), triad(b, a, c, 0.5);
    carmine_region_end("triad");

    carmine_region_begin("stencil");
    for (int i = 0; i < 5; i++)
        stencil(a, b), stencil(b, a);
    carmine_region_end("stencil");

    carmine_region_begin("matmul");
    matmul(a, b, c);
    carmine_region_end("matmul");

    carmine_region_begin("matmul, tiled");
    matmul_tiled(a, b, c);
    carmine_region_end("matmul, tiled");

    printf("%g\n", a[STREAM / 2]);
    free(a), free(b), free(c);
    return 0;
}
