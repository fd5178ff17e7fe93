/* SPDX-License-Identifier: BSD-3-Clause
 * The report's listings 2, 3, 4, 6 and 7 (-DLISTING=2), for compiler.md: each is one loop, and what becomes of it is the
 * compiler's. Of listing 2, -DVOLATILE and -DREGISTER qualify the result that nobody uses. */
#include <carmine_workload.h>

#ifdef VOLATILE
#define MAYBE_VOLATILE volatile
#else
#define MAYBE_VOLATILE
#endif
#ifdef REGISTER
#define MAYBE_REGISTER register
#else
#define MAYBE_REGISTER
#endif

#define TIMES_4(x)  x x x x
#define TIMES_16(x) TIMES_4(TIMES_4(x))
#define TIMES_64(x) TIMES_4(TIMES_16(x))

void buffers(uint64_t n, struct carmine_buffer *out) {
    const unsigned first = LISTING == 2 ? CARMINE_READ : CARMINE_UPDATED;
    out[0] = (struct carmine_buffer){"a", n * sizeof(double), first};
    if (LISTING == 2 || LISTING == 4)
        out[1] = (struct carmine_buffer){"b", n * sizeof(double), CARMINE_READ};
    if (LISTING == 4)
        out[2] = (struct carmine_buffer){"c", n * sizeof(double), CARMINE_READ};
}

/* Numbers that stay what they are, however often: 1·1, 1·0.5 + 0.5, 0·0 + 0. */
void init(const struct carmine_part *part, void *const *data) {
    for (uint64_t i = part->first; i < part->end; i++) {
        ((double *)data[0])[i] = LISTING == 7 ? 0 : 1;
        if (LISTING == 2 || LISTING == 4)
            ((double *)data[1])[i] = 0.5;
        if (LISTING == 4)
            ((double *)data[2])[i] = 0.5;
    }
}

void run(const struct carmine_part *part, void *const *data) {
    const uint64_t first = part->first, end = part->end;
#if LISTING == 2
    const double *a = data[0], *b = data[1];
    MAYBE_VOLATILE MAYBE_REGISTER double tmp = 0.1;
    for (uint64_t i = first; i < end; i++)
        tmp = a[i] * b[i];
    (void)tmp;
#elif LISTING == 3
    double *a = data[0];
    for (uint64_t i = first; i < end; i++)
        a[i] = a[i] * a[i];
#elif LISTING == 4
    double *a = data[0];
    const double *b = data[1], *c = data[2];
    for (uint64_t i = first; i < end; i++)
        a[i] = a[i] * b[i] + c[i];
#elif LISTING == 6
    double *a = data[0];
    for (uint64_t i = first; i < end; i++)
        a[i] = TIMES_64(a[i] *) TIMES_64(a[i] *) a[i];
#else
    double *a = data[0];
    for (uint64_t i = first; i < end; i++) {
        TIMES_64(a[i] = a[i] * a[i] + a[i];)
    }
#endif
}

uint64_t flop(uint64_t n) {
    return LISTING >= 6 ? 128 * n : LISTING == 4 ? 2 * n : n;
}
