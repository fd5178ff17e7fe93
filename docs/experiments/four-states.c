/* SPDX-License-Identifier: BSD-3-Clause
 * daxpy on vectors whose pages of 4 KiB lie in random places of a pool, as pages do in physical memory. Simulated caches
 * are indexed by virtual addresses, so they see these places. Each process draws its own. */
#include <carmine_workload.h>
#include <stdlib.h>
#include <sys/random.h>

enum { PAGE = 512, POOL = 8192, PAGES = 1024 }; /* doubles of a page; pages of the pool, and of both vectors at most */

static double pool[POOL][PAGE] __attribute__((aligned(4096)));
static uint16_t places[PAGES]; /* 2k: of the k-th page of x; 2k + 1: of y */

/* The caches see the pool instead. */
void buffers(uint64_t n, struct carmine_buffer *out) {
    out[0] = (struct carmine_buffer){"x", n * sizeof(double), CARMINE_READ};
    out[1] = (struct carmine_buffer){"y", n * sizeof(double), CARMINE_UPDATED};
}

void init(const struct carmine_part *part, void *const *data) {
    (void)data;
    static uint32_t chance[PAGES];
    static uint16_t left[POOL];
    if (getrandom(chance, sizeof chance, 0) != (ssize_t)sizeof chance)
        abort();
    for (unsigned i = 0; i < POOL; i++)
        left[i] = (uint16_t)i;
    for (unsigned i = 0; i < 2 * ((part->n + PAGE - 1) / PAGE); i++) { /* no place twice */
        const unsigned other = i + chance[i] % (POOL - i);
        places[i] = left[other];
        left[other] = left[i];
        for (unsigned k = 0; k < PAGE; k++)
            pool[places[i]][k] = 1;
    }
}

void run(const struct carmine_part *part, void *const *data) {
    (void)data;
    for (uint64_t i = part->first; i < part->end;) {
        const uint64_t page = i / PAGE, end = (page + 1) * PAGE < part->end ? (page + 1) * PAGE : part->end;
        const double *restrict x = pool[places[2 * page]];
        double *restrict y = pool[places[2 * page + 1]];
        for (; i < end; i++)
            y[i % PAGE] += 1e-9 * x[i % PAGE];
    }
}

uint64_t flop(uint64_t n) {
    return 2 * n;
}
