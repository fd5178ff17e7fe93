/* SPDX-License-Identifier: BSD-3-Clause
 * Three threads, each with an array of its own of 4 MiB: the first goes over it three times, the others once. One
 * update of an element is two flop. Prints the flop of one pass. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { THREADS = 3, COUNT = 1 << 19 };

static double arrays[THREADS][COUNT];

static void *update(void *number) {
    const size_t own = (size_t)(uintptr_t)number;
    for (unsigned pass = 0; pass < (own == 0 ? 3 : 1); pass++)
        for (size_t i = 0; i < COUNT; i++)
            arrays[own][i] = arrays[own][i] * 0.5 + 1;
    return NULL;
}

int main(void) {
    pthread_t others[THREADS];
    for (size_t i = 1; i < THREADS; i++)
        pthread_create(&others[i], NULL, update, (void *)(uintptr_t)i);
    update(NULL);
    for (size_t i = 1; i < THREADS; i++)
        pthread_join(others[i], NULL);
    printf("%d\n", 2 * COUNT);
    return arrays[0][1] > 0 && arrays[1][1] > 0 && arrays[2][1] > 0 ? 0 : 1;
}
