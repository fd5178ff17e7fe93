/* SPDX-License-Identifier: BSD-3-Clause
 * y ← y + 2x: the least that `carmine workload MY.c` takes, two functions. */
#include <carmine_workload.h>

void buffers(uint64_t n, struct carmine_buffer *out) {
    out[0] = (struct carmine_buffer){"x", n * sizeof(double), CARMINE_READ};
    out[1] = (struct carmine_buffer){"y", n * sizeof(double), CARMINE_UPDATED};
}

void run(const struct carmine_part *part, void *const *data) {
    const double *x = data[0];
    double *y = data[1];
    for (uint64_t i = part->first; i < part->end; i++)
        y[i] += 2 * x[i];
}
