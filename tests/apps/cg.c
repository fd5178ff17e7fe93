/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients on the 27-point operator in compressed rows: cg [SIDE] [ITERATIONS], in region "cg". Prints the
 * flop that it has by its formulas, and on stderr the region's time. cg_vector.c builds it a second time, vectorised.
 */
#include <stdio.h>
#include <stdlib.h>

#include "carmine.h"
#include "work.h"

#ifndef KERNEL
#define KERNEL static __attribute__((noinline))
#endif

static long rows;
static int *row_start, *column;
static double *value;

KERNEL void multiply(const double *restrict x, double *restrict y) {
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = row_start[i]; k < row_start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
KERNEL double dot(const double *restrict x, const double *restrict y) {
    double sum = 0;
    for (long i = 0; i < rows; i++)
        sum += x[i] * y[i];
    return sum;
}
KERNEL void add_multiple(double a, const double *restrict x, double *restrict y) { /* y = y + a x */
    for (long i = 0; i < rows; i++)
        y[i] += a * x[i];
}
KERNEL void add_to_multiple(const double *restrict x, double b, double *restrict y) { /* y = x + b y */
    for (long i = 0; i < rows; i++)
        y[i] = x[i] + b * y[i];
}

static void build_operator(int side) {
    rows = (long)side * side * side;
    row_start = malloc(sizeof *row_start * ((size_t)rows + 1));
    column = malloc(sizeof *column * 27 * (size_t)rows);
    value = malloc(sizeof *value * 27 * (size_t)rows);
    int next = 0;
    for (int i = 0; i < rows; i++) {
        row_start[i] = next;
        for (int neighbour = 0; neighbour < 27; neighbour++) {
            int x = i % side + neighbour % 3 - 1, y = i / side % side + neighbour / 3 % 3 - 1,
                z = i / side / side + neighbour / 9 - 1;
            if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side)
                continue;
            column[next] = (z * side + y) * side + x;
            value[next++] = neighbour == 13 ? 27 : -1;
        }
    }
    row_start[rows] = next;
}

int main(int argc, char **argv) {
    int side = argc > 1 ? atoi(argv[1]) : 30, iterations = argc > 2 ? atoi(argv[2]) : 10;
    build_operator(side);
    size_t bytes = sizeof(double) * (size_t)rows;
    double *x = malloc(bytes), *residual = malloc(bytes), *direction = malloc(bytes), *product = malloc(bytes);
    for (long i = 0; i < rows; i++) {
        x[i] = product[i] = 0;
        direction[i] = residual[i] = 28 - (row_start[i + 1] - row_start[i]);
    }
    double begin_s = now_s();
    carmine_region_begin("cg");
    double square = dot(residual, residual);
    for (int i = 0; i < iterations; i++) {
        multiply(direction, product);
        double step = square / dot(direction, product);
        add_multiple(step, direction, x);
        add_multiple(-step, product, residual);
        double next_square = dot(residual, residual);
        add_to_multiple(residual, next_square / square, direction);
        square = next_square;
    }
    carmine_region_end("cg");
    fprintf(stderr, "%.6f s\n", now_s() - begin_s);
    fprintf(stderr, "residual %.15g\n", square);
    printf("region \"cg\" flop %ld\n", 2 * rows + iterations * (2L * row_start[rows] + 5 * 2 * rows + 2));
    return 0;
}
