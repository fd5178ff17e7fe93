/* SPDX-License-Identifier: BSD-3-Clause
 * The mean of four neighbours on an n × n grid, with all that `carmine workload MY.c` can be told: first values, what
 * theory says, and whether the result is right. Rows are shared out among threads; --type f32 is another type. */
#include <carmine_workload.h>
#include <math.h>

void buffers(uint64_t n, struct carmine_buffer *out) {
    out[0] = (struct carmine_buffer){"from", n * n * sizeof(carmine_real), CARMINE_READ};
    out[1] = (struct carmine_buffer){"to", n * n * sizeof(carmine_real), CARMINE_WRITTEN};
}

void init(const struct carmine_part *part, void *const *data) {
    carmine_real *from = data[0], *to = data[1];
    for (uint64_t i = part->first; i < part->end; i++)
        for (uint64_t j = 0; j < part->n; j++) {
            from[i * part->n + j] = (carmine_real)(i + j);
            to[i * part->n + j] = 0;
        }
}

void run(const struct carmine_part *part, void *const *data) {
    const carmine_real *restrict from = data[0];
    carmine_real *restrict to = data[1];
    const uint64_t n = part->n, first = part->first > 1 ? part->first : 1, end = part->end < n - 1 ? part->end : n - 1;
    for (uint64_t i = first; i < end; i++)
        for (uint64_t j = 1; j < n - 1; j++)
            to[i * n + j] = (carmine_real)0.25 * (from[(i - 1) * n + j] + from[(i + 1) * n + j] + from[i * n + j - 1] +
                                                  from[i * n + j + 1]);
}

uint64_t flop(uint64_t n) {
    return 4 * (n - 2) * (n - 2);
}

struct carmine_bytes bytes(uint64_t n) {
    const uint64_t points = (n - 2) * (n - 2);
    return (struct carmine_bytes){.load = 4 * points * sizeof(carmine_real), .store = points * sizeof(carmine_real)};
}

/* The mean of what is linear is its middle. */
bool check(uint64_t n, void *const *data) {
    const carmine_real *to = data[1];
    for (uint64_t i = 1; i + 1 < n; i++)
        for (uint64_t j = 1; j + 1 < n; j++)
            if (fabs((double)to[i * n + j] - (double)(i + j)) > 1e-6 * (double)(i + j))
                return false;
    return true;
}
