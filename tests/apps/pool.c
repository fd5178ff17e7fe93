/* SPDX-License-Identifier: BSD-3-Clause
 * A pool of one thread, which exists from the start. `pool SETUP WORK SHORT`: the main thread executes SETUP small
 * blocks of scalar code without flop, then WORK flop alone, then it and the pool's thread SHORT flop each. In the
 * middle of that they wait for each other, so that neither is done before the other one has begun. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_barrier_t start, middle;
static volatile unsigned char bits[64];
static volatile double sums[2];

static void compute(unsigned who, long flop) {
    double a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, sum = 0;
    for (long i = 0; i < flop / 8; i++)
        for (int j = 0; j < 8; j++)
            a[j] += 1.5;
    for (int j = 0; j < 8; j++)
        sum += a[j];
    sums[who] += sum;
}

static void share(unsigned who, long flop) {
    pthread_barrier_wait(&start);
    compute(who, flop / 2);
    pthread_barrier_wait(&middle);
    compute(who, flop / 2);
}

static void *work(void *flop) {
    share(1, *(long *)flop);
    return NULL;
}

int main(int count, char **arguments) {
    if (count < 4)
        return 1;
    long setup = atol(arguments[1]), alone = atol(arguments[2]), shared = atol(arguments[3]);
    pthread_t pool;
    pthread_barrier_init(&start, NULL, 2);
    pthread_barrier_init(&middle, NULL, 2);
    pthread_create(&pool, NULL, work, &shared);
    unsigned random = 1;
    for (long i = 0; i < setup; i++) {
        random = random * 1664525 + 1013904223;
        if (random >> 31)
            bits[random % 64] ^= 1;
        else if (random >> 30 & 1)
            bits[random % 64] ^= 2;
    }
    compute(0, alone);
    share(0, shared);
    pthread_join(pool, NULL);
    return sums[0] > 0 && sums[1] > 0 ? 0 : 1;
}
