/* SPDX-License-Identifier: BSD-3-Clause
 * What a mark costs: mark_cost [THREADS]. Prints nanoseconds of a begin or end, the least of several tries, on a
 * program with so many threads, of which all but one sleep. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "carmine.h"
#include "work.h"

enum { TRIES = 20, PAIRS = 5000 };

static void *sleep_on(void *unused) {
    pause();
    return unused;
}

int main(int argc, char **argv) {
    double least_s = 1e9;
    for (int threads = argc > 1 ? atoi(argv[1]) : 1; threads > 1; threads--) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleep_on, NULL);
    }
    for (int i = 0; i < TRIES; i++) {
        const double start_s = now_s();
        for (int pair = 0; pair < PAIRS; pair++) {
            carmine_region_begin("solve");
            carmine_region_end("solve");
        }
        const double taken_s = now_s() - start_s;
        least_s = taken_s < least_s ? taken_s : least_s;
    }
    printf("%.1f\n", 1e9 * least_s / (2 * PAIRS));
    return 0;
}
