/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients on a 27-point matrix, with three loops as functions of their own, as in HPCCG: a product with a
 * sparse matrix, the sum of two scaled vectors, and a dot product (docs/experiments/lart.md). Usage: hotspots N STEPS,
 * of N³ rows. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct matrix {
    int64_t rows;
    int64_t *first; /* of each row's entries */
    int32_t *column;
    double *value;
};

static void *array(size_t count, size_t bytes) {
    void *out = malloc(count * bytes);
    if (!out)
        exit(2);
    return out;
}

/* 27 on the diagonal, -1 to each neighbour. */
static struct matrix matrix_make(int64_t n) {
    struct matrix m = {.rows = n * n * n};
    m.first = array((size_t)m.rows + 1, sizeof *m.first);
    m.column = array((size_t)m.rows * 27, sizeof *m.column);
    m.value = array((size_t)m.rows * 27, sizeof *m.value);
    int64_t count = 0;
    for (int64_t row = 0; row < m.rows; row++) {
        const int64_t x = row % n, y = row / n % n, z = row / n / n;
        m.first[row] = count;
        for (int64_t k = 0; k < 27; k++) {
            const int64_t u = x + k % 3 - 1, v = y + k / 3 % 3 - 1, w = z + k / 9 - 1;
            if (u < 0 || v < 0 || w < 0 || u >= n || v >= n || w >= n)
                continue;
            m.column[count] = (int32_t)((w * n + v) * n + u);
            m.value[count++] = k == 13 ? 27 : -1;
        }
    }
    m.first[m.rows] = count;
    return m;
}

__attribute__((noinline)) void sparsemv(const struct matrix *m, const double *restrict x, double *restrict out) {
    for (int64_t row = 0; row < m->rows; row++) {
        double sum = 0;
        for (int64_t i = m->first[row]; i < m->first[row + 1]; i++)
            sum += m->value[i] * x[m->column[i]];
        out[row] = sum;
    }
}

__attribute__((noinline)) double ddot(int64_t n, const double *restrict a, const double *restrict b) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* out = x + factor · y; out may be either. */
__attribute__((noinline)) void waxpby(int64_t n, const double *x, double factor, const double *y, double *out) {
    for (int64_t i = 0; i < n; i++)
        out[i] = x[i] + factor * y[i];
}

int main(int argc, char **argv) {
    const struct matrix m = matrix_make(argc > 1 ? atol(argv[1]) : 80);
    const int64_t n = m.rows, steps = argc > 2 ? atol(argv[2]) : 50;
    double *x = array((size_t)n, sizeof *x), *r = array((size_t)n, sizeof *r), *p = array((size_t)n, sizeof *p),
           *q = array((size_t)n, sizeof *q);
    for (int64_t i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = 27. - (double)(m.first[i + 1] - m.first[i] - 1); /* then x is 1 everywhere */
    }
    double rest = ddot(n, r, r);
    for (int64_t step = 0; step < steps; step++) {
        sparsemv(&m, p, q);
        const double alpha = rest / ddot(n, p, q), before = rest;
        waxpby(n, x, alpha, p, x);
        waxpby(n, r, -alpha, q, r);
        rest = ddot(n, r, r);
        waxpby(n, r, rest / before, p, p);
    }
    printf("residual %.3g, x[0] %.6f\n", sqrt(rest), x[0]);
    return 0;
}
