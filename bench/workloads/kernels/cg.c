/* SPDX-License-Identifier: BSD-3-Clause
 * Conjugate gradients as in HPCCG (Mantevo): the matrix of a 27-point stencil on an n × n × n grid, 27 on the diagonal
 * and -1 beside it, in compressed rows; the solution is 1 everywhere. A run is 10 iterations from zero. f64 only.
 * Included by variant.c. */
#include "variant.h"

enum { ITERATIONS = 10 };
enum cg_array { CG_VALUES, CG_COLUMNS, CG_STARTS, CG_B, CG_X, CG_R, CG_P, CG_Q, CG_SUMS };

static uint64_t cg_rows(const struct task *task) {
    return task->n * task->n * task->n;
}
/* Neighbours along one axis: 3, but 2 at both ends. */
static uint64_t cg_entries(const struct task *task) {
    uint64_t axis = 3 * task->n - 2;
    return axis * axis * axis;
}
static uint64_t cg_starts(const struct task *task) {
    return cg_rows(task) + 1;
}
enum { SUMS_A_THREAD = 8 }; /* a cache line */
static uint64_t cg_sums(const struct task *task) {
    return (uint64_t)task->threads * SUMS_A_THREAD;
}

/* Along one axis: the neighbours of position `at`, and the sum over all positions before it. */
static uint64_t neighbours(uint64_t at, uint64_t n) {
    return 3u - (at == 0) - (at == n - 1);
}
static uint64_t neighbours_before(uint64_t at) {
    return at == 0 ? 0 : 3 * at - 1;
}

static void cg_fill(const struct lane *lane, void *const *arrays) {
    const uint64_t n = lane->task->n, axis = 3 * n - 2;
    const struct lane part = lane_of(lane->task, lane->thread, cg_rows(lane->task));
    double *values = arrays[CG_VALUES];
    int32_t *columns = arrays[CG_COLUMNS];
    uint64_t *starts = arrays[CG_STARTS];
    for (uint64_t row = part.first; row < part.end; row++) {
        const uint64_t x = row % n, y = row / n % n, z = row / n / n;
        uint64_t k = neighbours_before(z) * axis * axis +
                     neighbours(z, n) * (neighbours_before(y) * axis + neighbours(y, n) * neighbours_before(x));
        starts[row] = k;
        for (uint64_t zn = z - (z > 0); zn <= z + (z + 1 < n); zn++)
            for (uint64_t yn = y - (y > 0); yn <= y + (y + 1 < n); yn++)
                for (uint64_t xn = x - (x > 0); xn <= x + (x + 1 < n); xn++, k++) {
                    columns[k] = (int32_t)((zn * n + yn) * n + xn);
                    values[k] = (uint64_t)columns[k] == row ? 27 : -1;
                }
        starts[row + 1] = k;
        ((double *)arrays[CG_B])[row] = 27 - (double)(k - starts[row] - 1);
        for (enum cg_array i = CG_X; i <= CG_Q; i++)
            ((double *)arrays[i])[row] = 0;
    }
}

/* The total of all lanes' sums. Two sums alternate between slots, so that no slot is overwritten before all have
 * read it. */
static double sum_of_lanes(const struct lane *lane, void *const *arrays, unsigned slot, double own) {
    double *sums = arrays[CG_SUMS];
    if (lane->task->threads == 1)
        return own;
    sums[lane->thread * SUMS_A_THREAD + slot] = own;
    team_barrier();
    double sum = sums[slot];
    for (unsigned t = 1; t < lane->task->threads; t++)
        sum += sums[t * SUMS_A_THREAD + slot];
    return sum;
}

static double dot(const struct lane *part, const double *a, const double *b) {
    double sum = 0;
    for (uint64_t i = part->first; i < part->end; i++)
        sum += a[i] * b[i];
    return sum;
}

static void cg_run(const struct lane *lane, void *const *arrays) {
    const struct lane part = lane_of(lane->task, lane->thread, cg_rows(lane->task));
    const double *values = arrays[CG_VALUES], *b = arrays[CG_B];
    const int32_t *columns = arrays[CG_COLUMNS];
    const uint64_t *starts = arrays[CG_STARTS];
    double *x = arrays[CG_X], *r = arrays[CG_R], *p = arrays[CG_P], *q = arrays[CG_Q];
    MAP(part.first, part.end, at_type value = AT(b); AT(r) = value; AT(p) = value; AT(x) = (at_type){0});
    double residual = sum_of_lanes(lane, arrays, 0, dot(&part, r, r));
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        if (lane->task->threads > 1)
            team_barrier(); /* all of p is complete */
        uint64_t k = starts[part.first];
        for (uint64_t i = part.first; i < part.end; i++) {
            double sum = 0;
            for (const uint64_t end = starts[i + 1]; k < end; k++)
                sum += values[k] * p[columns[k]];
            q[i] = sum;
        }
        const double pq = sum_of_lanes(lane, arrays, 1, dot(&part, p, q));
        const double alpha = residual / pq;
        MAP(part.first, part.end, AT(x) += alpha * AT(p));
        MAP(part.first, part.end, AT(r) -= alpha * AT(q));
        const double last = residual;
        residual = sum_of_lanes(lane, arrays, 0, dot(&part, r, r));
        const double beta = residual / last;
        MAP(part.first, part.end, AT(p) = AT(r) + beta * AT(p));
    }
    if (lane->task->threads > 1)
        team_barrier(); /* the next run changes p */
}

static void cg_work(const struct task *task, struct work *out) {
    const uint64_t entries = cg_entries(task), rows = cg_rows(task), t = task->threads, sum_flop = t * (t - 1);
    *out = (struct work){
        .flop = 2 * rows + sum_flop + ITERATIONS * (2 * entries + 10 * rows + 2 * t + 2 * sum_flop),
        .load_bytes = 16 * rows + ITERATIONS * (20 * entries + 8 * (rows + 1) + 72 * rows),
        .store_bytes = 24 * rows + ITERATIONS * 32 * rows,
        .bytes_exact = t == 1,
    };
}

/* out ← A v, computed from the grid. */
static void stencil(const double *v, double *out, uint64_t n) {
    for (uint64_t row = 0; row < n * n * n; row++) {
        const uint64_t x = row % n, y = row / n % n, z = row / n / n;
        out[row] = 28 * v[row];
        for (uint64_t zn = z - (z > 0); zn <= z + (z + 1 < n); zn++)
            for (uint64_t yn = y - (y > 0); yn <= y + (y + 1 < n); yn++)
                for (uint64_t xn = x - (x > 0); xn <= x + (x + 1 < n); xn++)
                    out[row] -= v[(zn * n + yn) * n + xn];
    }
}

/* The same iterations without a stored matrix. */
static double cg_check(const struct task *task, void *const *arrays) {
    const uint64_t n = task->n, rows = cg_rows(task);
    const double *found = arrays[CG_X];
    double *x = calloc(rows, 4 * sizeof *x), *r = x + rows, *p = x + 2 * rows, *q = x + 3 * rows, worst = 0;
    if (!x)
        return NAN;
    const struct lane all = {.end = rows};
    for (uint64_t i = 0; i < rows; i++)
        p[i] = 1;
    stencil(p, r, n);
    memcpy(p, r, rows * sizeof *p);
    double residual = dot(&all, r, r);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        stencil(p, q, n);
        const double alpha = residual / dot(&all, p, q), last = residual;
        for (uint64_t i = 0; i < rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        residual = dot(&all, r, r);
        for (uint64_t i = 0; i < rows; i++)
            p[i] = r[i] + residual / last * p[i];
    }
    for (uint64_t i = 0; i < rows; i++)
        worst = worst_of(worst, fabs(found[i] - x[i]) / fabs(x[i]));
    free(x);
    return worst;
}

static const struct workload cg = {
    .name = "cg",
    .summary = "10 conjugate gradients, 27-point stencil (as HPCCG)",
    .size = "points along each edge of the grid",
    .size_least = 2,
    .arrays = {[CG_VALUES] = {"values", cg_entries, READ, 0},
               [CG_COLUMNS] = {"columns", cg_entries, READ, sizeof(int32_t)},
               [CG_STARTS] = {"starts", cg_starts, READ, sizeof(uint64_t)},
               [CG_B] = {"b", cg_rows, READ, 0},
               [CG_X] = {"x", cg_rows, WRITTEN, 0},
               [CG_R] = {"r", cg_rows, SCRATCH, 0},
               [CG_P] = {"p", cg_rows, SCRATCH, 0},
               [CG_Q] = {"q", cg_rows, SCRATCH, 0},
               [CG_SUMS] = {"sums", cg_sums, SCRATCH, 0}},
    .work = cg_work,
    .fill = cg_fill,
    .run = cg_run,
    .check = cg_check,
    .tolerance = 1e5,
};
